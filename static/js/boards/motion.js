// A move comes to life: marks draw themselves, cubes are pushed, matches lift and fade.
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const DRAW = 160;
const LIFT = 170;
const SHOVE = 280;

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
  ANIMATIONS[game]?.(match, moved);
  drawLine(match);
}

const ANIMATIONS = {
  tictactoe: (match, moved) => drawMark(document.getElementById(`cell-${moved}`), 0),
  quixo: (match, moved) => push(match, ...moved.split("-")),
  nim: (match) => burn(match),
};

function drawMark(cell, delay) {
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

// The cube leaves `source`, shows its new face, and comes in at `target`, shoving the others.
function push(match, source, target) {
  const cell = (name) => document.getElementById(`cell-${name}`);
  const from = centre(cell(source));
  const to = centre(cell(target));
  const way = { x: Math.sign(Math.round(to.x - from.x)), y: Math.sign(Math.round(to.y - from.y)) };
  const step = spacing(match);
  const moved = cell(target);
  const outside = `translate(${way.x * step}px, ${way.y * step}px)`;
  const home = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
  const lifted = "translateY(-10px) scale(1.08)";

  for (const cube of between(match, from, way, moved)) {
    cube.animate([{ transform: outside }, {}], {
      duration: SHOVE,
      delay: LIFT,
      fill: "backwards",
      easing: "ease-in-out",
    });
  }
  moved.animate(
    [
      { transform: home, zIndex: 3, offset: 0 },
      { transform: `${home} ${lifted}`, zIndex: 3, offset: 0.14 },
      { transform: `${outside} ${lifted}`, zIndex: 3, offset: LIFT / (LIFT + SHOVE) },
      { transform: "none", zIndex: 3, offset: 1 },
    ],
    { duration: LIFT + SHOVE, easing: "ease-in-out" },
  );
  const face = moved.querySelector(".mark");
  face?.animate([{ transform: "rotateY(90deg)", opacity: 0 }, { transform: "none", opacity: 1 }], {
    duration: LIFT,
    fill: "backwards",
    easing: "ease-out",
  });
}

// All cubes from the gap to the entry, but for the one that comes in: each stood one step
// nearer to the entry before.
function between(match, from, way, moved) {
  return [...match.querySelectorAll(".cube")].filter((cube) => {
    if (cube === moved) return false;
    const at = centre(cube);
    const inRow = way.x !== 0 && Math.abs(at.y - from.y) < 2;
    const inColumn = way.y !== 0 && Math.abs(at.x - from.x) < 2;
    if (!inRow && !inColumn) return false;
    const along = (at.x - from.x) * way.x + (at.y - from.y) * way.y;
    return along > -2;
  });
}

function spacing(match) {
  const [one, other] = match.querySelectorAll(".cube");
  return centre(other).x - centre(one).x;
}

function centre(cell) {
  const { offsetLeft, offsetTop } = cell.parentElement;
  return { x: offsetLeft + cell.offsetWidth / 2, y: offsetTop + cell.offsetHeight / 2 };
}

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
