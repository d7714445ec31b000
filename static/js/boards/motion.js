// A move comes to life: each game says how (boards/<game>.js), a line draws itself in all of them.
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const DRAW = 160;

let before = null; // which ply stood on the page before the swap

export function remember() {
  const match = document.getElementById("match");
  before = match && { match: match.dataset.match, ply: Number(match.dataset.ply) };
}

export function animate() {
  const match = document.getElementById("match");
  const { game, moved, ply } = match.dataset;
  const next = before && before.match === match.dataset.match && Number(ply) === before.ply + 1;
  if (!next || still.matches || !moved) return;
  animations[game]?.(match, moved);
  drawLine(match);
}

const animations = {};

// What a game does with the page (#match) after a move, given as its text.
export function bringToLife(game, animation) {
  animations[game] = animation;
}

export function drawMark(cell, delay) {
  const strokes = cell.querySelectorAll(".mark:not(.maybe) > *");
  strokes.forEach((stroke, at) => {
    stroke.animate([{ strokeDasharray: "0 1" }, { strokeDasharray: "1 0" }], {
      duration: DRAW / strokes.length,
      delay: delay + (at * DRAW) / strokes.length,
      fill: "backwards",
      easing: "ease-out",
    });
  });
}

function drawLine(match) {
  for (const line of match.querySelectorAll(".stroke")) {
    line.animate([{ strokeDasharray: "0 1" }, { strokeDasharray: "1 0" }], {
      duration: 320,
      delay: 300,
      fill: "backwards",
      easing: "ease-in-out",
    });
  }
}
