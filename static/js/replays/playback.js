// Watching: Play presses Next at the chosen speed until there is no next ply, or Pause. Without
// htmx each press is another page, which knows nothing of playing: then there is only Next.
let playing = false;
let speed = "1000";
let timer = 0;
let pressed = 0; // when Next was, by us
let unasked = false; // it began by itself, from the end

export function offerPlayback() {
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("#play")) {
      unasked = false;
      toggle();
      // Whoever steps by hand has taken over.
    } else if (event.isTrusted && event.target.closest?.("#walk a, #walk button")) stop();
  });
  document.addEventListener("change", (event) => {
    if (event.target.id !== "speed") return;
    speed = event.target.value;
    if (playing) schedule();
  });
  playing = Boolean(document.querySelector("[data-autoplay]")) && Boolean(nextButton());
  pressed = performance.now();
  showPlayback();
  if (document.querySelector("[data-autoplay=again]") && !isStill()) begin();
}

// The controls arrive anew with every ply.
export function showPlayback() {
  const controls = document.querySelector("[data-player]");
  if (!controls || !window.htmx) return stop();
  controls.hidden = false;
  showSpeed(document.getElementById("speed"));
  if (playing && !nextButton()) playing = false;
  paint();
  if (playing) schedule();
}

// What was chosen before, or where that is not offered here, the first there is.
function showSpeed(select) {
  select.value = speed;
  if (select.selectedIndex < 0) select.selectedIndex = 0;
  speed = select.value;
}

// The agent was still thinking when Next was pressed: ask again, whether playing or stepping.
export function askAgain() {
  window.clearTimeout(timer);
  timer = window.setTimeout(() => press(nextButton()), 300);
}

// From the start, unasked: then it adds nothing to the history.
function begin() {
  if (!document.querySelector("[data-player]:not([hidden])")) return;
  unasked = true;
  toggle();
}

function isStill() {
  return window.matchMedia("(prefers-reduced-motion: reduce)").matches;
}

// At the end, Play begins again from the start.
function toggle() {
  const start = nextButton() ?? document.querySelector("#first:not([aria-disabled])");
  playing = !playing && Boolean(start);
  paint();
  if (!playing) window.clearTimeout(timer);
  else if (!isThinking()) press(start);
}

function stop() {
  playing = unasked = false;
  window.clearTimeout(timer);
  if (document.getElementById("play")) paint();
}

function paint() {
  const button = document.getElementById("play");
  button.textContent = playing ? "Pause" : "Play";
}

// From press to press: what the answer took counts, though not so much that nobody sees it.
function schedule() {
  window.clearTimeout(timer);
  const left = pressed + Number(speed) - performance.now();
  timer = window.setTimeout(goOn, Math.max(left, Number(speed) / 2));
}

// Whoever asked for values sees the thought before the move it makes, also of a machine that needs
// its time: the panel asks by itself whether it is there, and its coming schedules the move.
function goOn() {
  if (!isThinking()) press(nextButton());
}

function isThinking() {
  return Boolean(document.querySelector("#analysis [data-poll]"));
}

function press(button) {
  pressed = performance.now();
  if (unasked) button?.setAttribute("hx-push-url", "false");
  button?.click();
}

function nextButton() {
  return document.querySelector("#next:not([aria-disabled])");
}
