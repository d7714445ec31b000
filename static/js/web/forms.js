// Forms that are brought up to date by the server. What is filled in stays when the page changes by
// itself, since a morph leaves it alone; the answer to a press says what the fields hold from now on.

export function followForms() {
  document.addEventListener("DOMContentLoaded", catchUp);
  document.addEventListener("toggle", ({ target }) => fill(target), true); // it does not bubble
  document.addEventListener("invalid", ({ target }) => reveal(target), true); // nor does this
  window.htmx?.registerExtension("unfolded", { htmx_before_morph_attr: mayChange });
}

// What was unfolded stays so, or folded; what has no name is as the server says.
function mayChange(part, { attrName }) {
  return attrName !== "open" || !part.id;
}

// What was chosen before the scripts were there, or put back by the browser, is asked about now.
function catchUp() {
  for (const select of document.querySelectorAll("form[hx-get] select")) {
    const shown = select.querySelector("option[selected]") ?? select.options[0];
    if (select.value !== shown?.value) ask(select);
  }
}

// The rest of a card's form is fetched when it is first unfolded, and sent from then on. Without
// htmx there is a button for it.
function fill(part) {
  if (!window.htmx) return;
  const field = part.querySelector?.("input[name=more]");
  if (!field || field.value || !part.open) return;
  field.value = "1";
  ask(field);
}

function ask(field) {
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

// A form with a folded field that is not valid is not sent, and no browser can say why.
function reveal(field) {
  const part = field.closest("details");
  if (!part) return;
  part.open = true;
  reveal(part.parentElement);
}

// The race: a field that does not ask by itself is changed while an answer is on its way, which
// knows nothing of it and would take it back. So what was sent is compared with what is there now.
export function noteSent(ctx) {
  ctx.sent = written(ctx.request.body);
}

export function hasChangedSince({ sent, sourceElement, request }) {
  if (request.method !== "GET" || !(sourceElement instanceof HTMLFormElement)) return false;
  const fields = new FormData(sourceElement);
  const pressed = request.submitter; // a button that is pressed is sent too
  if (pressed?.name) fields.append(pressed.name, pressed.value);
  return written(fields) !== sent;
}

function written(fields) {
  return [...new URLSearchParams(fields)].map(String).sort().join("&");
}

// A morph writes attributes, which are no more than defaults to a field that was touched.
export function resetForms(part) {
  for (const form of document.forms) if (part.contains(form)) form.reset();
}
