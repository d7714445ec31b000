// One request at a time for each part of the page. htmx queues them by part (hx-sync:inherited at
// its root), but has no strategy that gives up a look and waits for a change. The races:
// - A look is under way, and something else is pressed: its answer would cover the later one's. It
//   is given up.
// - A change is under way, and a look is pressed: answered first, it would not know of the change.
//   It waits in htmx's queue. The same button pressed twice is pressed once.
// - A poll is under way, and something is pressed: a person counts for more, so it is given up. None
//   begins while anything is under way: it asks again by itself.
import { isPoll, on } from "./events.js";

const ROOT = "[hx-sync\\:inherited]";
const underWay = new Map(); // by the root of the part

on("config:request", (ctx, event) => {
  ctx.root = rootOf(ctx);
  const running = underWay.get(ctx.root);
  if (!running) return;
  if (isPoll(ctx) || isRepeated(ctx, running)) event.preventDefault();
  else if (isPoll(running) || isLook(running)) running.request.abort();
});
on("before:request", (ctx, event) => {
  const isFollowing = ctx.sourceElement.hasAttribute("data-follow");
  if (document.hidden && isFollowing) event.preventDefault(); // nobody looks
  else underWay.set(ctx.root, ctx);
});
on("finally:request", (ctx) => {
  if (underWay.get(ctx.root) === ctx) underWay.delete(ctx.root);
});
document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  for (const followed of document.querySelectorAll("[data-follow]")) {
    window.htmx?.trigger(followed, "look");
  }
});

// What is put nowhere covers nothing: beside a poll of the same second it would never have its turn.
function rootOf({ sourceElement, target }) {
  if (sourceElement.getAttribute("hx-swap") === "none") return sourceElement;
  return target.closest(ROOT) ?? target;
}

function isLook({ request }) {
  return request.method === "GET";
}

// A form that is looked with may have been filled in otherwise.
function isRepeated(ctx, running) {
  const isForm = ctx.sourceElement instanceof HTMLFormElement;
  return running.sourceElement === ctx.sourceElement && !(isForm && isLook(ctx));
}
