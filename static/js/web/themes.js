// The switch between the system's light, paper and lamp.
const ORDER = ["system", "light", "dark"];

export function offerThemes() {
  const button = document.getElementById("theme");
  const name = document.getElementById("theme-name");

  const show = (theme) => {
    name.textContent = `Theme: ${theme}`;
    button.setAttribute("aria-label", name.textContent); // a phone shows no text
  };

  button.hidden = false;
  show(document.documentElement.dataset.theme ?? "system");
  button.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "system";
    const next = ORDER[(ORDER.indexOf(now) + 1) % ORDER.length];
    if (next === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    keep(next);
    show(next);
  });
}

function keep(theme) {
  try {
    localStorage.setItem("zermelo.theme", theme);
  } catch {
    // Then it lasts for this page only.
  }
}
