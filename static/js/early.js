// What cannot wait until the page is parsed.

// The chosen theme comes before the first paint, so that a page chosen dark never flashes light.
try {
  const chosen = localStorage.getItem("zermelo.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; then the page follows the system.
}

// Whoever goes back or forward before htmx is there to notice must not be left on the wrong ply.
window.addEventListener("popstate", () => {
  if (!("htmx" in window)) window.location.reload();
});
