// Every htmx event the pages listen to.
import { outdated } from "./choices.js";
import { unfold } from "./more.js";
import { hideToast, showToast } from "./toast.js";

// An element with data-poll asks again and again whether a thought is done.
const polls = (event) => event.detail.requestConfig.elt.hasAttribute("data-poll");

let pressed = 0; // requests under way that a person made

const listeners = { before: [], after: [], nothing: [] };

// What a page does before a swap, after it, and when the answer was that there is nothing new.
export function onSwap(page) {
  for (const [when, listener] of Object.entries(page)) listeners[when].push(listener);
}

export function followEvents() {
  const on = (name, listener) => document.body.addEventListener(`htmx:${name}`, listener);
  on("beforeRequest", (event) => {
    if (polls(event)) return;
    pressed += 1;
    event.detail.elt.setAttribute("aria-busy", "true");
  });
  on("beforeSwap", (event) => {
    const late = polls(event) ? overtaken(event) : outdated(event.detail.requestConfig);
    if (late) event.detail.shouldSwap = false;
    else listeners.before.forEach((listener) => listener());
  });
  on("afterSwap", () => {
    unfold();
    listeners.after.forEach((listener) => listener());
  });
  on("afterRequest", (event) => {
    const { elt, requestConfig, successful, xhr } = event.detail;
    if (!polls(event)) pressed -= 1;
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

// What a person does counts for more than a poll that was answered in the meantime.
function overtaken(event) {
  return pressed > 0 || !event.detail.requestConfig.elt.isConnected;
}

// The address that the page now shows: see early.js.
function remember() {
  const { pathname, search } = window.location;
  document.documentElement.dataset.address = pathname + search;
}

function offer(event, text) {
  const { elt, requestConfig } = event.detail;
  const { submitter } = requestConfig.triggeringEvent ?? {};
  showToast(text, () => {
    if (elt instanceof HTMLFormElement && elt.isConnected) {
      elt.requestSubmit(submitter?.isConnected ? submitter : null);
    } else {
      const { verb, path, target } = requestConfig;
      htmx.ajax(verb, path, { source: elt, target });
    }
  });
}
