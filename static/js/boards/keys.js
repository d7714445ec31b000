// The keyboard: one tab stop a board, arrows within it, Escape to let go, P for the projector.
const STEPS = {
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
};

export function offerKeys() {
  document.addEventListener("keydown", (event) => {
    const grid = event.target.closest?.("[role=grid]");
    if (grid && !event.altKey && !event.metaKey && !event.ctrlKey) walk(grid, event);
    if (event.key === "Escape") letGo();
    if (event.key === "p" || event.key === "P") present(event);
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

function walk(grid, event) {
  const rows = [...grid.rows]
    .map((row) => [...row.querySelectorAll("button")])
    .filter((row) => row.length > 0);
  const at = rows.findIndex((row) => row.includes(event.target));
  if (at < 0) return;
  const place = rows[at].indexOf(event.target);
  const next = step(rows, at, place, event.key);
  if (!next) return;
  event.preventDefault();
  next.focus();
}

function step(rows, at, place, key) {
  if (key === "Home") return rows[at][0];
  if (key === "End") return rows[at].at(-1);
  if (!(key in STEPS)) return null;
  const [down, across] = STEPS[key];
  const row = rows[Math.min(Math.max(at + down, 0), rows.length - 1)];
  return row[Math.min(Math.max(place + across, 0), row.length - 1)];
}

function letGo() {
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

function present(event) {
  const writing = event.target.closest?.("input, select, textarea");
  const address = document.querySelector("[data-present-url]")?.dataset.presentUrl;
  if (!address || writing || event.altKey || event.ctrlKey || event.metaKey) return;
  window.location.assign(address);
}
