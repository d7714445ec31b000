// Whether a part of the page is unfolded survives the swap that replaces it.
const unfolded = new Map();

export function keepMore() {
  document.addEventListener(
    "toggle",
    (event) => {
      const part = event.target;
      const field = part.querySelector?.("input[name=more]");
      if (field) field.value = part.open ? "1" : "";
      if (part.id) unfolded.set(part.id, part.open);
    },
    true, // toggle does not bubble
  );
}

export function unfold() {
  for (const [id, open] of unfolded) {
    const part = document.getElementById(id);
    if (part) part.open = open;
  }
}

export function showCurrentPly() {
  const ply = document.querySelector(".ply[aria-current]");
  const list = ply?.closest(".scroll");
  if (!list) return;
  const above = ply.offsetTop - list.offsetTop;
  list.scrollTop = above - list.clientHeight / 2;
}
