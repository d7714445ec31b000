// In a long list of moves, the one that is shown is in sight.
export function showCurrentPly() {
  const ply = document.querySelector(".ply[aria-current]");
  const list = ply?.closest(".scroll");
  if (!list) return;
  const above = ply.getBoundingClientRect().top - list.getBoundingClientRect().top;
  list.scrollTop += above - list.clientHeight / 2;
}
