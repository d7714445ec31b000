// Two presses may be under way at once, and be answered in any order: the later one is shown.
import { polls } from "./events.js";
import { forgetMissed } from "./presses.js";

let made = 0;
const numbers = new WeakMap(); // of requests, as they were made
const awaited = new Map(); // by the part of the page: the last request that a person made for it
const changing = new Map(); // by the part of the page: the last change under way
const shown = new Map(); // by the part of the page: the request that it shows the answer to
const early = new Map(); // by the part of the page: a look that did not know of a change yet

const part = ({ target }) => target.id || target;
const number = ({ requestConfig }) => numbers.get(requestConfig);
const isLook = ({ requestConfig }) => requestConfig.verb === "get";

const on = (name, listener) => {
  document.body.addEventListener(`htmx:${name}`, listener, { capture: true });
};

// No event of htmx tells of an answer to what is no longer in the page.
export function onEnd({ xhr }, listener) {
  xhr.addEventListener("loadend", listener);
}

on("beforeRequest", (event) => {
  const { detail } = event;
  numbers.set(detail.requestConfig, (made += 1));
  if (polls(event)) return;
  awaited.set(part(detail), made);
  if (!isLook(detail)) changing.set(part(detail), made);
  forgetMissed(detail.target);
  onEnd(detail, () => end(detail));
});
on("beforeSwap", (event) => {
  const { detail } = event;
  const isEarly = isLook(detail) && changing.has(part(detail));
  if (isOvertaken(detail)) {
    detail.shouldSwap = false;
  } else if (isEarly && !polls(event)) {
    detail.shouldSwap = false;
    early.set(part(detail), detail.requestConfig.elt);
  }
});
on("afterSwap", ({ detail }) => shown.set(part(detail), number(detail)));

// Only what changes something is shown whatever was pressed later.
function isOvertaken(detail) {
  const isBefore = (others) => number(detail) < others.get(part(detail));
  return isBefore(shown) || (isLook(detail) && isBefore(awaited));
}

function end(detail) {
  const place = part(detail);
  if (awaited.get(place) === number(detail)) awaited.delete(place);
  if (changing.get(place) === number(detail)) {
    changing.delete(place);
    if (early.has(place)) pressAgain(early.get(place));
    early.delete(place);
  }
  if (wasLost(detail)) pressAgain(detail.requestConfig.elt);
}

// In the page as it is now.
function pressAgain({ id }) {
  document.getElementById(id)?.click();
}

// What was looked for while a change was under way found the page swapped.
function wasLost(detail) {
  const isLater = number(detail) > shown.get(part(detail));
  return isLook(detail) && isLater && detail.successful && !detail.target.isConnected;
}
