// Choices in a form that is brought up to date by the server: none is lost on the way.

// What was chosen before the scripts were there, or put back by the browser, is asked about now.
export function catchUp() {
  document.addEventListener("DOMContentLoaded", () => {
    for (const select of document.querySelectorAll("form[hx-get] select")) {
      const shown = select.querySelector("option[selected]") ?? select.options[0];
      if (select.value !== shown?.value) ask(select);
    }
  });
}

// An answer to choices that have changed since is not shown, but asked for again.
export function outdated({ elt, formData, triggeringEvent, verb }) {
  if (!(elt instanceof HTMLFormElement) || verb !== "get") return false;
  const fields = new FormData(elt);
  const pressed = triggeringEvent?.submitter; // a button that is pressed is sent too
  if (pressed?.name) fields.append(pressed.name, pressed.value);
  if (written(fields) === written(formData)) return false;
  ask(triggeringEvent?.target ?? elt); // asked again after a press, it had no event
  return true;
}

// htmx restores the focus of a swapped field, but not the selection in it.
export function selection() {
  const field = document.activeElement;
  const held = field instanceof HTMLInputElement && ["number", "text"].includes(field.type);
  return () => {
    const swapped = held && !field.isConnected && document.activeElement;
    if (swapped && swapped.id === field.id) swapped.select();
  };
}

function written(fields) {
  return [...new URLSearchParams(fields)].map(String).sort().join("&");
}

function ask(field) {
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
