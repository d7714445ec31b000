// What the page of a match gains: keys, playback, motion, and focus that is never lost.
import { offerCopy, showCopy } from "../web/copy.js";
import { onSwap } from "../web/events.js";
import { makeRoving, offerKeys, usual } from "../boards/keys.js";
import { animate, remember } from "../boards/motion.js";
import { askAgain, offerPlayback, showPlayback } from "./playback.js";
import { showCurrentPly } from "./plies.js";
import { followProjector } from "./projector.js";

let held = null; // what had focus within the match before it was swapped
let awaited = ""; // the id of what had focus and went: a thought that is done may bring it back

offerKeys();
offerPlayback();
offerCopy();
makeRoving();
showCurrentPly();
for (const name of ["keydown", "pointerdown"]) {
  document.addEventListener(name, () => (awaited = ""), { capture: true });
}
onSwap({ before: leave, after: arrive, nothing: wait });

function leave() {
  const focused = document.activeElement;
  held = document.getElementById("match").contains(focused) ? focused : null;
  remember();
}

function arrive() {
  const match = document.getElementById("match");
  makeRoving();
  keepFocus(match);
  followProjector();
  showPlayback();
  showCopy();
  showCurrentPly();
  say(match.dataset.announcement);
  animate();
}

// The agent whose move Next asked for is still thinking.
function wait(elt) {
  if (elt.closest("#walk")) askAgain();
}

// What stays keeps its focus. Where it is gone, the next best place is what opened the head it was
// in, or else the board: until it is back, or a person does something else.
function keepFocus(match) {
  if (!held) return;
  const back = awaited && document.getElementById(awaited);
  if (back) {
    awaited = "";
    back.focus({ preventScroll: true });
  } else if (!match.contains(document.activeElement)) {
    awaited = held.id;
    nextBest(match).focus({ preventScroll: true });
  }
}

function nextBest(match) {
  const opener = held.closest("#exhibit") && document.querySelector("#show, #lesson");
  const grid = match.querySelector("[role=grid]");
  return opener ?? (grid && usual(grid)) ?? document.getElementById("status");
}

function say(text) {
  const live = document.getElementById("live");
  if (text && live.textContent !== text) live.textContent = text;
}
