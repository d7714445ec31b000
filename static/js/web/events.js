// Every htmx event the pages listen to.
import { outdated, selection } from "./choices.js";
import { unfold } from "./more.js";
import { askLater, isHeld, sendAgain } from "./presses.js";
import { hideToast, showToast } from "./toast.js";

// An element with data-poll asks again and again whether a thought is done: see polls.js.
export const polls = (event) => event.detail.requestConfig.elt.hasAttribute("data-poll");

let selectAgain = () => {};

const listeners = { before: [], after: [], nothing: [] };

// What a page does before a swap, after it, and when the answer was that there is nothing new.
export function onSwap(page) {
  for (const [when, listener] of Object.entries(page)) listeners[when].push(listener);
}

export function followEvents() {
  const on = (name, listener) => document.body.addEventListener(`htmx:${name}`, listener);
  on("configRequest", ({ detail }) => {
    // htmx halts a GET on an invalid field; the browser still checks before a real submit.
    if (detail.verb === "get") detail.errors = [];
  });
  on("beforeRequest", (event) => {
    if (!polls(event)) event.detail.elt.setAttribute("aria-busy", "true");
  });
  on("beforeSwap", (event) => {
    const { detail } = event;
    const request = detail.requestConfig;
    if (!detail.shouldSwap) return; // see order.js and polls.js
    detail.shouldSwap = !outdated(request) && !(isHeld() && askLater(request));
    if (!detail.shouldSwap) return;
    selectAgain = selection();
    listeners.before.forEach((listener) => listener());
  });
  on("afterSwap", () => {
    unfold();
    selectAgain();
    listeners.after.forEach((listener) => listener());
  });
  on("afterRequest", (event) => {
    const { elt, requestConfig, successful, xhr } = event.detail;
    requestConfig.elt.removeAttribute("aria-busy");
    if (successful) hideToast();
    if (xhr?.status === 204) listeners.nothing.forEach((listener) => listener(elt));
  });
  on("pushedIntoHistory", remember);
  on("replacedInHistory", remember);
  on("responseError", (event) => {
    const busy = event.detail.xhr.status === 503;
    offer(event, busy ? "The server is busy just now." : "Something went wrong on the server.");
  });
  on("sendError", (event) => offer(event, "The server cannot be reached."));
  on("timeout", (event) => offer(event, "The server took too long to answer."));
}

// The address that the page now shows: see early.js.
function remember() {
  const { pathname, search } = window.location;
  document.documentElement.dataset.address = pathname + search;
}

function offer(event, text) {
  showToast(text, () => sendAgain(event.detail.requestConfig));
}
