// Every htmx event the pages listen to.
import { unfold } from "./more.js";
import { hideToast, showToast } from "./toast.js";

const listeners = { before: [], after: [], nothing: [] };

// What a page does before a swap, after it, and when the answer was that there is nothing new.
export function onSwap({ before, after, nothing }) {
  listeners.before.push(before);
  listeners.after.push(after);
  listeners.nothing.push(nothing);
}

export function followEvents() {
  const on = (name, listener) => document.body.addEventListener(`htmx:${name}`, listener);
  on("beforeRequest", (event) => event.detail.elt.setAttribute("aria-busy", "true"));
  on("beforeSwap", () => listeners.before.forEach((listener) => listener()));
  on("afterSwap", () => {
    unfold();
    listeners.after.forEach((listener) => listener());
  });
  on("afterRequest", (event) => {
    const { elt, successful, xhr } = event.detail;
    elt.removeAttribute("aria-busy");
    if (successful) hideToast();
    if (xhr?.status === 204) listeners.nothing.forEach((listener) => listener(elt));
  });
  on("responseError", (event) => {
    const busy = event.detail.xhr.status === 503;
    offer(event, busy ? "The server is busy just now." : "Something went wrong on the server.");
  });
  on("sendError", (event) => offer(event, "The server cannot be reached."));
  on("timeout", (event) => offer(event, "The server took too long to answer."));
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
