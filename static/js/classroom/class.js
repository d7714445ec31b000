// A page of a class: keys on its board, what changed said aloud, and a countdown that counts.
import { makeRoving, offerKeys, usual } from "../boards/keys.js";
import { onSwap } from "../web/events.js";

let held = null; // what had focus before the page was swapped

offerKeys();
makeRoving();
count();
onSwap({ before: leave, after: arrive });

function root() {
  return document.getElementById("match") ?? document.getElementById("control");
}

function leave() {
  held = root()?.contains(document.activeElement) ? document.activeElement : null;
}

// What stays keeps its focus; where it is gone, the board has it, or the status line.
function arrive() {
  makeRoving();
  const page = root();
  if (held && !page.contains(document.activeElement)) {
    const grid = page.querySelector("[role=grid]");
    ((grid && usual(grid)) ?? document.getElementById("status"))?.focus({ preventScroll: true });
  }
  const live = document.getElementById("live");
  const { announcement } = page.dataset;
  if (announcement && live.textContent !== announcement) live.textContent = announcement;
}

// The server says how many seconds are left and decides when they are over; here they only tick.
function count() {
  window.setInterval(() => {
    for (const clock of document.querySelectorAll("[data-countdown]")) {
      const left = Math.max(0, Number(clock.dataset.countdown) - 1);
      clock.dataset.countdown = left;
      clock.textContent = left;
    }
  }, 1000);
}
