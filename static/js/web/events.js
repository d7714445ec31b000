// What pages add to htmx, all of it by its events. A swap morphs: an element that stays keeps its
// focus, its selection, what is typed in it and a press that is not let go of yet. See forms.js for
// fields, requests.js for what is asked at the same time, scroll.js for what moves on the screen.
import { hasChangedSince, noteSent, resetForms } from "./forms.js";
import { hideToast, showToast } from "./toast.js";

// `ctx` is htmx's record of one request, from its trigger to its swap.
export function on(name, listener) {
  const heard = (event) => listener(event.detail.ctx, event);
  document.addEventListener(`htmx:${name}`, heard, { capture: true });
}

// An element with data-poll asks again and again; its answer may be that it need not any more.
export const isPoll = (ctx) => (ctx.isPoll ??= ctx.sourceElement.hasAttribute("data-poll"));

const listeners = { before: [], after: [], settled: [], nothing: [] };

// What a page does before a swap, after it, when all have done so, and when nothing is new.
export function onSwap(page) {
  for (const [when, listener] of Object.entries(page)) listeners[when].push(listener);
}

const tell = (when, ...rest) => listeners[when].forEach((listener) => listener(...rest));

export function followEvents() {
  on("config:request", (ctx) => noteSent(ctx));
  on("before:request", (ctx) => {
    if (!isPoll(ctx)) ctx.sourceElement.setAttribute("aria-busy", "true");
  });
  on("after:request", (ctx) => {
    if (ctx.response.status < 400) hideToast();
  });
  on("before:swap", (ctx, event) => {
    ctx.part = event.detail.tasks[0]?.target;
    if (ctx.swap === "none") showNothing(ctx);
    else if (hasChangedSince(ctx)) sendAgain(ctx);
    else return tell("before", ctx);
    event.preventDefault(); // else its address would be pushed all the same
  });
  on("after:swap", (ctx) => {
    if (!isPoll(ctx)) resetForms(ctx.part);
    tell("after", ctx);
    tell("settled", ctx);
  });
  on("finally:request", (ctx) => ctx.sourceElement.removeAttribute("aria-busy"));
  on("error", (ctx) => {
    if (!ctx) return; // not about a request
    const isLate = ctx.request.signal.reason === "timeout";
    offer(ctx, isLate ? "The server took too long to answer." : "The server cannot be reached.");
  });
  on("after:history:push", remember);
  on("after:history:replace", remember);
  on("before:history:restore", (_, event) => event.preventDefault()); // early.js reloads
}

// 204, or an error that is no state of the page: the page's htmx-config lists them.
function showNothing(ctx) {
  const { status } = ctx.response;
  if (status === 204) tell("nothing", ctx.sourceElement);
  else if (status === 503) offer(ctx, "The server is busy just now.");
  else if (status >= 400) offer(ctx, "Something went wrong on the server.");
}

function offer(ctx, text) {
  showToast(text, () => sendAgain(ctx));
}

// The button that was pressed is a field of its form.
function sendAgain({ request, sourceElement, target }) {
  if (request.submitter?.isConnected) request.submitter.click();
  else htmx.ajax(request.method, request.action, { source: sourceElement, target });
}

// The address that the page now shows: see early.js.
function remember() {
  const { pathname, search } = window.location;
  document.documentElement.dataset.address = pathname + search;
}
