// Quixo: the cube is lifted, shows its new face, and shoves the line along. A finger cannot hover:
// its first press on an end shows the pushed line, the second pushes. So does any press on the
// arrow of a hint, since that cube may have been meant to be taken.
import { bringToLife } from "./motion.js";

const LIFT = 170;
const SHOVE = 280;

let byFinger = false; // whether the last press was a finger's

bringToLife("quixo", (match, moved) => push(match, ...moved.split("-")));
document.addEventListener("pointerdown", (event) => (byFinger = event.pointerType === "touch"), {
  capture: true,
});
document.addEventListener("keydown", () => (byFinger = false), { capture: true });
document.addEventListener("click", previewFirst, { capture: true });

function previewFirst(event) {
  const end = event.target.closest?.("#board-quixo .cube.end");
  if (!end || end.classList.contains("previewed")) return;
  if (!byFinger && !end.classList.contains("advised")) return;
  if (document.documentElement.classList.contains("class-phone")) return; // a vote can be changed
  event.preventDefault();
  event.stopPropagation();
  document.querySelector("#board-quixo .previewed")?.classList.remove("previewed");
  end.classList.add("previewed");
  const [source, target] = end.value.split("-");
  const words = `Push ${source} in at ${target}? Press the arrow again.`;
  const status = document.getElementById("status");
  if (status) status.textContent = words;
  document.getElementById("live").textContent = words;
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
