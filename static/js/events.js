// Every htmx event the pages listen to.
import { showCopy } from "./copy.js";
import { makeRoving, usual } from "./keys.js";
import { showCurrentPly, unfold } from "./more.js";
import { animate, remember } from "./motion.js";
import { askAgain, showPlayback } from "./playback.js";
import { hideToast, showToast } from "./toast.js";

let held = false; // whether focus was within the match before it was swapped

export function followEvents() {
  const on = (name, listener) => document.body.addEventListener(`htmx:${name}`, listener);
  on("beforeSwap", () => {
    held = Boolean(document.getElementById("match")?.contains(document.activeElement));
    remember();
  });
  on("afterSwap", arrive);
  on("afterRequest", (event) => {
    if (event.detail.successful) hideToast();
    const { elt, xhr } = event.detail;
    if (xhr?.status === 204 && elt.closest("#walk")) askAgain();
  });
  on("responseError", (event) => {
    const { status } = event.detail.xhr;
    const busy = status === 503;
    offer(event, busy ? "The server is busy just now." : "Something went wrong on the server.");
  });
  on("sendError", (event) => offer(event, "The server cannot be reached."));
  on("timeout", (event) => offer(event, "The server took too long to answer."));
  makeRoving();
  showCurrentPly();
}

function arrive() {
  const match = document.getElementById("match");
  if (!match) return;
  unfold();
  makeRoving();
  keepFocus(match);
  showPlayback();
  showCopy();
  showCurrentPly();
  say(match.dataset.announcement);
  animate();
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

function offer(event, text) {
  const { elt, requestConfig } = event.detail;
  const { submitter } = requestConfig.triggeringEvent ?? {};
  showToast(text, () => {
    if (elt instanceof HTMLFormElement && elt.isConnected) {
      elt.requestSubmit(submitter?.isConnected ? submitter : null);
    } else {
      htmx.ajax(requestConfig.verb, requestConfig.path, { source: elt, target: requestConfig.target });
    }
  });
}
