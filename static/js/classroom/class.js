// A page of a class: keys on its board, what changed said aloud, and a countdown that counts.
import { makeRoving, offerKeys, usual } from "../boards/keys.js";
import { on, onSwap } from "../web/events.js";

let held = null; // what had focus before the page was swapped

const told = new WeakMap(); // what makes a frame's page say how to join, by frame

offerKeys();
makeRoving();
count();
tellFrame();
onSwap({ before: leave, after: arrive, nothing: sendLost });
on("error", keepLost);

function root() {
  return document.getElementById("match") ?? document.getElementById("control");
}

function leave() {
  held = root()?.contains(document.activeElement) ? document.activeElement : null;
}

// What stays keeps its focus; where it is gone, the board has it, or the status line.
function arrive() {
  makeRoving();
  tellFrame();
  obey();
  closeSheet();
  sendLost();
  const page = root();
  if (held && !page.contains(document.activeElement)) {
    const grid = page.querySelector("[role=grid]");
    ((grid && usual(grid)) ?? document.getElementById("status"))?.focus({ preventScroll: true });
  }
  const live = document.getElementById("live");
  const { announcement } = page.dataset;
  if (announcement && live.textContent !== announcement) live.textContent = announcement;
}

// An answer that the server did not hear is sent again as soon as it answers, while its vote is open;
// else the phone says that it is lost.
let lost = null;

function keepLost(ctx) {
  const match = document.getElementById("match");
  if (!ctx || ctx.request.method !== "POST" || !match?.classList.contains("phone")) return;
  lost = { said: ctx.request.submitter?.value ?? "", vote: voteOf(match) };
}

function voteOf(match) {
  return /^\d+\.\d/.exec(match.dataset.revision ?? "")?.[0];
}

function sendLost() {
  const match = document.getElementById("match");
  if (!lost || !match) return;
  const { said, vote } = lost;
  lost = null;
  if (match.classList.contains("phase-open") && voteOf(match) === vote) {
    const pressed = match.querySelector(`button[name=move][value="${CSS.escape(said)}"]`);
    (said ? pressed : document.getElementById("take-button"))?.click();
    return;
  }
  const words = `Your answer ${said} was lost: the server did not hear it in time.`;
  const status = document.getElementById("status");
  if (status) status.textContent = `${words} ${status.textContent}`;
  document.getElementById("live").textContent = words;
}

// What lies over the page goes when another question begins.
let asked = document.getElementById("match")?.dataset.revision?.split(".")[0];

function closeSheet() {
  const now = document.getElementById("match")?.dataset.revision?.split(".")[0];
  if (now !== asked) document.querySelector("#sheet[open]")?.close();
  asked = now;
}

// The page that the teacher shows obeys the control: its own buttons are pressed, or it is scrolled.
let obeyed = frame()?.dataset.serial ?? "0";

function frame() {
  return document.getElementById("shown-page");
}

function obey() {
  const shown = frame();
  if (!shown) {
    obeyed = "0";
    return;
  }
  const { command, serial } = shown.dataset;
  if (serial === obeyed) return;
  obeyed = serial;
  const inside = shown.contentWindow;
  if (command === "up" || command === "down") {
    inside.scrollBy(0, (command === "up" ? -0.7 : 0.7) * inside.innerHeight);
  } else {
    inside.document.getElementById(command)?.click();
  }
}

// A page that the teacher shows has the whole screen: where one would leave the projector, it says
// how to join. A page without such a place leaves a strip for it above. A swap takes the frame's
// class away: it is told again.
function tellFrame() {
  const shown = frame();
  if (!shown) return;
  if (told.has(shown)) {
    told.get(shown)();
    return;
  }
  const tell = () => {
    const inside = shown.contentDocument;
    const leave = inside.querySelector(".present :is(#leave, #present, .leave > a)");
    if (leave) putInvitation(inside, leave);
    shown.classList.toggle("whole", Boolean(inside.querySelector(".invite-tag")));
  };
  told.set(shown, tell);
  const listen = () => {
    tell();
    shown.contentDocument.addEventListener("htmx:after:swap", tell);
  };
  shown.addEventListener("load", listen);
  if (shown.contentDocument?.readyState === "complete") listen();
}

// Where the way to leave is out of sight, the invitation has the corner of the page.
function putInvitation(page, leave) {
  const tag = invitation(page);
  leave.replaceWith(tag);
  if (tag.checkVisibility()) return;
  page.querySelector(".invite-tag.corner")?.remove();
  tag.classList.add("corner");
  page.body.append(tag);
}

function invitation(page) {
  const tag = page.createElement("span");
  tag.className = "invite-tag";
  for (const part of document.querySelectorAll(".strip > *")) tag.append(part.cloneNode(true), " ");
  return tag;
}

// The server says how many seconds are left and decides when they are over; here they only tick.
function count() {
  window.setInterval(() => {
    for (const clock of document.querySelectorAll("[data-countdown]")) {
      const left = Math.max(0, Number(clock.dataset.countdown) - 1);
      clock.dataset.countdown = left;
      clock.textContent = left;
    }
  }, 1000);
}
