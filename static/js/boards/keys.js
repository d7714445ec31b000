// The keyboard: one tab stop a board and arrows within it, Escape to let go; elsewhere the keys
// that the page lists (data-keys, from webapp/web/shortcuts.py), each of which presses something.
const STEPS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};
const FIELDS = "input, select, textarea, [contenteditable]";
const SCROLLS = "[role=region], .scroll, .wide"; // arrows move what is in them

export function offerKeys() {
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    const grid = event.target.closest?.("[role=grid]");
    if (event.key === "Escape") letGo();
    else if (!grid || !walk(grid, event)) press(event);
  });
  document.addEventListener("focusin", (event) => {
    const grid = event.target.closest?.("[role=grid]");
    if (grid) rove(grid, event.target);
  });
}

// After a board has arrived: the focused button, or the first that does something, is the stop.
export function makeRoving() {
  const grid = document.querySelector("#match [role=grid]");
  if (!grid) return;
  const focused = grid.contains(document.activeElement) ? document.activeElement : null;
  rove(grid, focused ?? usual(grid));
}

// Where focus goes when what had it is gone.
export function usual(grid) {
  return (
    grid.querySelector("button.picked") ??
    grid.querySelector("button:not([aria-disabled])") ??
    grid.querySelector("button")
  );
}

function rove(grid, stop) {
  for (const button of grid.querySelectorAll("button")) {
    button.tabIndex = button === stop ? 0 : -1;
  }
}

// Whether the key was one that walks over the board.
function walk(grid, event) {
  const rows = [...grid.rows]
    .map((row) => [...row.querySelectorAll("button")])
    .filter((row) => row.length > 0);
  const at = rows.findIndex((row) => row.includes(event.target));
  if (at < 0) return false;
  const place = rows[at].indexOf(event.target);
  const next = step(rows, at, place, event.key);
  if (!next) return false;
  event.preventDefault();
  next.focus();
  return true;
}

function step(rows, at, place, key) {
  if (key === "Home") return rows[at][0];
  if (key === "End") return rows[at][rows[at].length - 1];
  if (!(key in STEPS)) return null;
  const [down, across] = STEPS[key];
  const row = rows[Math.min(Math.max(at + down, 0), rows.length - 1)];
  return row[Math.min(Math.max(place + across, 0), row.length - 1)];
}

function letGo() {
  if (document.activeElement?.matches(".word")) document.activeElement.blur();
  const question = document.querySelector(".confirm[open]");
  if (question) {
    question.open = false;
    question.querySelector("summary").focus();
    return;
  }
  const held = document.querySelector("button[data-action=unpick]");
  if (held) held.click();
  else document.querySelector("[data-let-go]:not([hidden])")?.click();
}

// Press what the page says this key presses; what is not there now is left alone.
function press(event) {
  const letter = event.key.length === 1;
  const pressed = bindings()[letter ? event.key.toLowerCase() : event.key];
  if (!pressed || (letter && event.repeat) || isTyping(event.target, letter)) return;
  const sheet = document.querySelector("dialog[open]");
  const target = document.getElementById(pressed);
  if (sheet) {
    if (pressed === "keys") sheet.close();
  } else if (target && !target.hasAttribute("aria-disabled")) {
    event.preventDefault();
    target.click();
  }
}

// `ArrowLeft=previous ?=keys` as an object.
function bindings() {
  const listed = document.querySelector("[data-keys]")?.dataset.keys ?? "";
  return Object.fromEntries(listed.split(" ").map((pair) => pair.split("=")));
}

function isTyping(element, letter) {
  return element.closest?.(FIELDS) || (!letter && element.closest?.(SCROLLS));
}
