// What every page gains from JavaScript. Each file knows one thing; none knows a rule.
import { catchUp } from "./choices.js";
import { followEvents } from "./events.js";
import { showCurrentWord } from "./masthead.js";
import { keepMore } from "./more.js";
import { offerSheets } from "./sheets.js";
import { offerThemes } from "./themes.js";

offerThemes();
offerSheets();
keepMore();
followEvents();
catchUp();
showCurrentWord();
