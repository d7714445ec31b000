// What every page gains from JavaScript. Each file knows one thing; none knows a rule.
import { followEvents } from "./events.js";
import { followForms } from "./forms.js";
import { showCurrentWord } from "./masthead.js";
import { offerSheets } from "./sheets.js";
import { offerThemes } from "./themes.js";

offerThemes();
offerSheets();
followEvents();
followForms();
showCurrentWord();
