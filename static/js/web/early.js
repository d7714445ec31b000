// What cannot wait until the page is parsed.

// The chosen theme comes before the first paint, so that a page chosen dark never flashes light.
try {
  const chosen = localStorage.getItem("zermelo.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; then the page follows the system.
}

// The page shows what its address says. Going back or forward changes the address of a page that
// stays, perhaps before any script is there to notice: so the two are compared now, whenever the
// address changes from now on, and when the page comes back from the browser's own cache.
{
  const follow = () => {
    const { address } = document.documentElement.dataset;
    const { pathname, search } = window.location;
    if (address && address !== decodeURIComponent(pathname) + search) window.location.reload();
  };
  window.addEventListener("popstate", (event) => {
    event.stopImmediatePropagation(); // htmx begins to listen later, and must not do it again
    follow();
  });
  window.addEventListener("pageshow", follow);
  follow();
}

// Buttons for what htmx would do by itself are hidden while it is expected, and come back if it has
// not arrived by the time every script has run or failed. Without scripts they are simply there.
{
  const { dataset } = document.documentElement;
  dataset.live = "";
  document.addEventListener("DOMContentLoaded", () => {
    if (!window.htmx) delete dataset.live;
  });
}
