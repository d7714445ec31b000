// What the page of a match gains: keys, playback, motion, and focus that is never lost.
import { offerCopy, showCopy } from "../web/copy.js";
import { onSwap } from "../web/events.js";
import { makeRoving, offerKeys, usual } from "../boards/keys.js";
import { showCurrentPly } from "../web/more.js";
import { animate, remember } from "../boards/motion.js";
import { askAgain, offerPlayback, showPlayback } from "./playback.js";

let held = false; // whether focus was within the match before it was swapped

offerKeys();
offerPlayback();
offerCopy();
makeRoving();
showCurrentPly();
onSwap({ before: leave, after: arrive, nothing: wait });

function leave() {
  held = document.getElementById("match").contains(document.activeElement);
  remember();
}

function arrive() {
  const match = document.getElementById("match");
  makeRoving();
  keepFocus(match);
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

// htmx gives focus back by id; where that element is gone, the board is the next best place.
function keepFocus(match) {
  if (!held || match.contains(document.activeElement)) return;
  const grid = match.querySelector("[role=grid]");
  const place = (grid && usual(grid)) ?? document.getElementById("status");
  place.focus({ preventScroll: true });
}

function say(text) {
  const live = document.getElementById("live");
  if (text && live.textContent !== text) live.textContent = text;
}
