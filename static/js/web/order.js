// Two presses may be under way at once, and be answered in any order: the later one is shown.
import { polls } from "./events.js";
import { forgetMissed } from "./presses.js";

let made = 0;
const numbers = new WeakMap(); // of requests, as they were made
const awaited = new Map(); // by the part of the page: the last request that a person made for it
const shown = new Map(); // by the part of the page: the request that it shows the answer to

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
  forgetMissed(detail.target);
  onEnd(detail, () => end(detail));
});
on("beforeSwap", ({ detail }) => {
  if (isOvertaken(detail)) detail.shouldSwap = false;
});
on("afterSwap", ({ detail }) => shown.set(part(detail), number(detail)));

// Only what changes something is shown at once: a later look may not know of it yet.
function isOvertaken(detail) {
  const isBefore = (others) => number(detail) < others.get(part(detail));
  return isBefore(shown) || (isLook(detail) && isBefore(awaited));
}

function end(detail) {
  if (awaited.get(part(detail)) === number(detail)) awaited.delete(part(detail));
  if (wasLost(detail)) document.getElementById(detail.requestConfig.elt.id)?.click();
}

// What was looked for while a change was under way found the page swapped.
function wasLost(detail) {
  const isLater = number(detail) > shown.get(part(detail));
  return isLook(detail) && isLater && detail.successful && !detail.target.isConnected;
}
