// Nim: a press picks a match and those to its right, a second press takes them. The number form
// below shows the same choice and is what is sent.
import { onSwap } from "../web/events.js";
import { bringToLife } from "./motion.js";

let asked = null; // the status line as it stood before a pick
let kept = null; // a choice half made when the page was swapped

offerPicking();
onSwap({ before: keepPick, after: restorePick });
bringToLife("nim", burn);

function offerPicking() {
  document.addEventListener("click", (event) => {
    const stick = event.target.closest?.(".stick[data-action=pick]");
    const row = event.target.closest?.(".bundles");
    if (stick) pressStick(event, stick);
    else if (row && document.getElementById("take")) pressBundles(event, row);
    else if (event.target.closest?.("#take-cancel")) cancel(event);
  });
  document.addEventListener("input", (event) => {
    if (event.target.closest?.("#take")) show(choice());
  });
  document.addEventListener("focusin", ({ target }) => {
    if (target.id === "take-count") target.select(); // what is typed replaces what stood there
  });
}

// A swap that brings the same position, with a hint or a thought, leaves the choice as it was.
function keepPick() {
  const picking = document.querySelector("#status[data-asking]");
  kept = picking && { take: choice(), revision: revision() };
}

function restorePick() {
  if (!kept || kept.revision !== revision() || !document.getElementById("take")) return;
  if (document.querySelector("#status .refusal")) return;
  choose(kept.take);
}

function revision() {
  return document.getElementById("match").dataset.revision;
}

function pressStick(event, stick) {
  event.preventDefault();
  const take = stick.dataset.take;
  if (stick.classList.contains("picked") && take === choice()) {
    document.getElementById("take-button").click(); // Safari 15 has no requestSubmit
    return;
  }
  choose(take);
}

// The matches of a large heap stand close together: the nearest and those to its right are picked,
// as far as the rules allow.
function pressBundles(event, row) {
  const matches = [...row.querySelectorAll("use")];
  const away = matches.map((match) => {
    const { left, right, top, bottom } = match.getBoundingClientRect();
    return Math.hypot(event.clientX - (left + right) / 2, event.clientY - (top + bottom) / 2);
  });
  const wanted = matches.length - away.indexOf(Math.min(...away));
  const most = Number(document.getElementById("take-count").max);
  if (matches.length) choose(row.closest(".heap").dataset.heap + Math.min(wanted, most));
}

function choose(take) {
  document.getElementById("take-row").value = take[0];
  document.getElementById("take-count").value = take.slice(1);
  show(take);
}

function cancel(event) {
  if (!document.querySelector("#status[data-asking]")) return; // picked by the address: follow it
  event.preventDefault();
  const focused = document.querySelector(".stick.picked");
  document.getElementById("take-count").value = 1;
  show(null);
  focused?.focus();
}

function choice() {
  const row = document.getElementById("take-row").value;
  return row + document.getElementById("take-count").value;
}

function show(take) {
  const row = take?.[0];
  const count = Number(take?.slice(1));
  for (const heap of document.querySelectorAll(".heap")) {
    const taken = heap.dataset.heap === row ? count : 0;
    const sticks = [...heap.querySelectorAll(".stick, .bundles use")];
    sticks.forEach((stick, place) => mark(stick, sticks.length - place <= taken));
  }
  const isAllowed = document.getElementById("take-count").validity.valid;
  const words = count > 0 && isAllowed ? `Take ${count} from ${row}` : null;
  document.getElementById("take-button").textContent = words ?? "Take";
  document.getElementById("take-cancel").hidden = !words;
  ask(words);
}

function mark(stick, picked) {
  stick.classList.toggle("picked", picked);
  const label = stick.getAttribute("aria-label")?.replace(", picked", "");
  if (label) stick.setAttribute("aria-label", picked ? `${label}, picked` : label);
}

function ask(words) {
  const status = document.getElementById("status");
  if (!status.hasAttribute("data-asking")) asked = status.textContent;
  status.textContent = words ? `${words}?` : asked;
  status.toggleAttribute("data-asking", Boolean(words));
}

// Matches that were taken lift and fade.
function burn(match) {
  match.querySelectorAll(".gone.ash").forEach((place, at) => {
    const drawn = place.querySelector("svg").cloneNode(true);
    const flying = document.createElement("span");
    flying.className = "flying";
    flying.append(drawn);
    place.append(flying);
    flying.animate(
      [
        { opacity: 1, transform: "none" },
        { opacity: 1, transform: "translateY(-8px)", offset: 0.35 },
        { opacity: 0, transform: "translateY(-34px)" },
      ],
      { duration: 380, delay: at * 25, fill: "both", easing: "ease-out" },
    ).onfinish = () => flying.remove();
  });
}
