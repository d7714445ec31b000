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
  obey();
  const page = root();
  if (held && !page.contains(document.activeElement)) {
    const grid = page.querySelector("[role=grid]");
    ((grid && usual(grid)) ?? document.getElementById("status"))?.focus({ preventScroll: true });
  }
  const live = document.getElementById("live");
  const { announcement } = page.dataset;
  if (announcement && live.textContent !== announcement) live.textContent = announcement;
}

// The page that the teacher shows obeys the control: its own buttons are pressed, or it is scrolled.
let obeyed = frame()?.dataset.serial ?? "0";

function frame() {
  return document.getElementById("shown-page");
}

function obey() {
  const shown = frame();
  if (!shown) {
    obeyed = "0";
    return;
  }
  const { command, serial } = shown.dataset;
  if (serial === obeyed) return;
  obeyed = serial;
  const inside = shown.contentWindow;
  if (command === "up" || command === "down") {
    inside.scrollBy(0, (command === "up" ? -0.7 : 0.7) * inside.innerHeight);
  } else {
    inside.document.getElementById(command)?.click();
  }
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
