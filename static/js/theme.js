// Before the first paint, so that a page chosen dark never flashes light.
(() => {
  try {
    const chosen = localStorage.getItem("zermelo.theme");
    if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
  } catch {
    // Storage may be forbidden; then the page follows the system.
  }
})();
