// A search step by step, or a curve call by call: each step is an address of its own.
import { onSwap } from "../web/events.js";
import { offerPlayback, showPlayback } from "../replays/playback.js";

let offered = false;
let told = sayings();

function arrive() {
  say();
  if (!document.getElementById("walk")) return;
  if (offered) showPlayback();
  else offerPlayback();
  offered = true;
}

// What has changed is said to whoever cannot see it.
function say() {
  const now = sayings();
  const fresh = [...now].find(([id, text]) => told.get(id) !== text);
  if (fresh) document.getElementById("live").textContent = fresh[1];
  told = now;
}

function sayings() {
  const parts = document.querySelectorAll("[data-say]");
  return new Map([...parts].map((part) => [part.id, part.textContent.trim()]));
}

onSwap({ after: arrive });
arrive();
