// What a person does counts for more than a poll that is answered in the meantime.
import { polls } from "./events.js";
import { filledIn, isChoosing } from "./fields.js";
import { onEnd } from "./order.js";
import { askLater, askMissed } from "./presses.js";

let pressed = 0; // requests under way that a person made
let putBack = () => {}; // what is filled in around a poll

const on = (name, listener) => {
  document.body.addEventListener(`htmx:${name}`, listener, { capture: true });
};

on("beforeRequest", (event) => {
  if (document.hidden && event.detail.elt.hasAttribute("data-follow")) {
    event.preventDefault(); // nobody looks: the page asks when it is looked at again
    return;
  }
  const press = polls(event) ? 0 : 1;
  pressed += press;
  onEnd(event.detail, () => {
    pressed -= press;
    if (!pressed && !isChoosing()) askMissed();
  });
});
on("beforeSwap", (event) => {
  if (!polls(event)) return;
  const { requestConfig } = event.detail;
  const waits = isChoosing() && askLater(requestConfig);
  if (requestConfig.elt.isConnected && !pressed && !waits) {
    putBack = filledIn();
  } else {
    event.detail.shouldSwap = false;
    askLater(requestConfig);
  }
});
on("afterSwap", (event) => {
  if (polls(event)) putBack();
  putBack = () => {};
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const followed of document.querySelectorAll("[data-follow]")) {
    window.htmx?.trigger(followed, "look");
  }
});
