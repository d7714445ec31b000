// Everything the pages gain from JavaScript. Each file knows one thing; none knows a rule.
import { followEvents } from "./events.js";
import { offerCopy } from "./copy.js";
import { offerKeys } from "./keys.js";
import { keepMore } from "./more.js";
import { offerPicking } from "./picking.js";
import { offerPlayback } from "./playback.js";
import { offerThemes } from "./themes.js";

offerThemes();
offerKeys();
offerPicking();
offerPlayback();
offerCopy();
keepMore();
followEvents();
