// What cannot wait until the page is parsed.

// The chosen theme comes before the first paint, so that a page chosen dark never flashes light.
try {
  const chosen = localStorage.getItem("zermelo.theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden; then the page follows the system.
}

// Reload where page and address differ: going back may change the address before scripts listen.
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

// Buttons for what htmx would do by itself are hidden while it is expected. They come back if it is
// missing when every script has run or failed, or if that takes too long; without scripts they are
// simply there.
{
  const TOO_LONG = 4000; // milliseconds
  const { dataset } = document.documentElement;
  const look = () => {
    if (window.htmx) dataset.live = "";
    else delete dataset.live;
  };
  dataset.live = "";
  document.addEventListener("DOMContentLoaded", look);
  window.setTimeout(look, TOO_LONG);
}

// A key pressed before the scripts are there is pressed again when they are.
{
  const early = [];
  const keep = (event) => early.push([event, event.target]);
  document.addEventListener("keydown", keep);
  document.addEventListener("DOMContentLoaded", () => {
    document.removeEventListener("keydown", keep);
    for (const [event, target] of early) {
      if (!event.defaultPrevented) target.dispatchEvent(new KeyboardEvent("keydown", event));
    }
  });
}
