// What was pressed stays where it is on the screen, whatever a swap puts above or below it. A swap
// that nobody asked for leaves what is in the middle of the screen where it is.
import { isPoll, onSwap } from "./events.js";

let pressed = null; // what a person last pressed, by pointer or by keyboard
let held = []; // [id, distance from the top of the screen] of it and of what it is in
let scrolled = 0; // how far the page was scrolled when they were measured
let canScroll = false; // whether the page was higher than the screen: a projector's never is
let wanted = null; // the id of what was asked for, until it has come into sight
let left = null; // how far it was when we were done; nothing once a person has done something

const MARGIN = 8; // pixels above what is shown from its top

const { body, documentElement: root } = document;

const on = (name, listener) => document.addEventListener(name, listener, true);
on("keydown", () => touch(null)); // it may press a button elsewhere
on("click", ({ isTrusted, target }) => {
  if (isTrusted) touch(target); // a script may press another in turn
});
on("scroll", lower);
on("load", ({ target }) => {
  if (target instanceof HTMLLinkElement && !isTouched()) hold(); // a style sheet that was swapped in
});
window.addEventListener("resize", () => (left = null));
onSwap({ before: remember, settled: hold });

function touch(target) {
  pressed = target;
  left = null;
}

function isTouched() {
  return left === null || Math.abs(window.scrollY - left) > 1;
}

// Until a person does something else, whatever arrives in turn (a reply, a thought) is measured by
// what was pressed: that may be gone in between.
function remember(ctx) {
  if (isPoll(ctx) && !isTouched()) return;
  const source = isPoll(ctx) ? null : asker(ctx);
  if (source) wanted = source.dataset?.leadsTo ?? null;
  held = around(isInSight(source) ? source : middle(), ctx.part);
  scrolled = window.scrollY;
  canScroll = root.scrollHeight > window.innerHeight + 1;
}

function asker({ request, sourceElement, sourceEvent }) {
  if (sourceEvent.type === "change") return sourceEvent.target;
  if (pressed?.isConnected) return pressed;
  return request.submitter ?? sourceEvent.target ?? sourceElement;
}

// At its top a page is read from there.
function middle() {
  if (window.scrollY === 0) return null;
  return document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2);
}

function isInSight(element) {
  if (!element?.isConnected) return false;
  const { top, bottom, height: own } = element.getBoundingClientRect();
  return own > 0 && bottom > 0 && top < window.innerHeight;
}

// What is swapped as a whole does not count: where all that was in it is gone, nothing is held.
function around(element, target) {
  const found = [];
  for (let each = element; each && each !== target && each !== body; each = each.parentElement) {
    if (each.id && each instanceof HTMLElement) found.push([each.id, distance(each)]);
  }
  return found;
}

// From the top of the screen as it is laid out: a cube that is lifted or on its way counts as home.
function distance(element) {
  let top = -window.scrollY;
  for (let each = element; each; each = each.offsetParent) top += each.offsetTop;
  for (let each = element.parentElement; each && each !== body; each = each.parentElement) {
    top -= each.scrollTop;
  }
  return top;
}

// What was asked for is shown from its top, unless it can be seen anyway.
function lead() {
  const shown = wanted && document.getElementById(wanted);
  if (!shown || !isDrawn([shown])) return;
  wanted = null;
  const { top } = shown.getBoundingClientRect();
  if (top >= 0 && top < window.innerHeight / 2) return;
  held = [[shown.id, MARGIN]];
  canScroll = true;
}

function hold() {
  body.style.minHeight = "";
  lead();
  const [now, top] = held.map(([id, top]) => [document.getElementById(id), top]).find(isDrawn) ?? [];
  if (now) {
    const goal = window.scrollY + distance(now) - top;
    reach(goal + window.innerHeight);
    scrollTo(goal);
  } else if (window.scrollY < scrolled) {
    scrollTo(scrolled); // the page was too short for a moment
  }
  left = window.scrollY;
}

function isDrawn([element]) {
  return element?.getClientRects().length > 0;
}

function scrollTo(top) {
  window.scrollTo(window.scrollX, top);
}

// A page that has become too short to be scrolled so far keeps the height that it needs.
function reach(needed) {
  if (canScroll && needed > root.scrollHeight) body.style.minHeight = `${needed}px`;
}

// And gives it back as it is scrolled up.
function lower() {
  const kept = parseFloat(body.style.minHeight);
  const needed = window.scrollY + window.innerHeight;
  if (needed < kept) body.style.minHeight = `${needed}px`;
}
