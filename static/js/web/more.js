// Whether a part of the page is unfolded survives the swap that replaces it.
const unfolded = new Map();

export function keepMore() {
  document.addEventListener(
    "toggle",
    (event) => {
      const part = event.target;
      if (part.id) unfolded.set(part.id, part.open);
      fill(part);
    },
    true, // toggle does not bubble
  );
  document.addEventListener("invalid", ({ target }) => reveal(target), true); // nor does this
}

// A form with a folded field that is not valid is not sent, and no browser can say why.
function reveal(field) {
  const part = field.closest("details");
  if (!part) return;
  part.open = true;
  reveal(part.parentElement);
}

// The rest of a card's form is fetched when it is first unfolded, and sent from then on. Without
// htmx there is a button for it.
function fill(part) {
  if (!window.htmx) return;
  const field = part.querySelector?.("input[name=more]");
  if (!field || field.value || !part.open) return;
  field.value = "1";
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

export function unfold() {
  for (const [id, open] of unfolded) {
    const part = document.getElementById(id);
    if (part) part.open = open;
  }
}
