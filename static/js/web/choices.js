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
  const pressed = triggeringEvent?.submitter ?? null; // a button that is pressed is sent too
  if (written(new FormData(elt, pressed)) === written(formData)) return false;
  ask(triggeringEvent.target);
  return true;
}

function written(fields) {
  const sorted = new URLSearchParams(fields);
  sorted.sort();
  return sorted.toString();
}

function ask(field) {
  field.dispatchEvent(new Event("change", { bubbles: true }));
}
