// What is filled in and not sent yet: a poll that swaps the page around it does not take it away.
import { unfold } from "./more.js";
import { askMissed } from "./presses.js";

const OPEN = 10000; // milliseconds that a list may stay open: nobody chooses for longer

let opened = 0; // when a list was last pressed that nothing has been chosen in yet

// A list that is replaced while it is open closes.
export const isChoosing = () => opened && performance.now() - opened < OPEN;

// Call before a swap; what is returned puts everything back into the fields of the same name.
export function filledIn() {
  const fields = document.querySelectorAll("form[method=post] :is(input, select, textarea)[id]");
  const written = [...fields].filter(isChanged);
  const active = [...fields].find((field) => field === document.activeElement);
  const { selectionStart, selectionEnd } = active ?? {};
  return () => {
    written.forEach(putBack);
    const now = active && document.getElementById(active.id);
    if (!now || now === active) return;
    unfold(); // what is folded cannot have focus
    now.focus({ preventScroll: true });
    if (typeof selectionStart === "number") now.setSelectionRange(selectionStart, selectionEnd);
  };
}

function isChanged(field) {
  if (!(field instanceof HTMLSelectElement)) {
    return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
  }
  const shown = field.querySelector("option[selected]") ?? field.options[0];
  return field.value !== shown?.value;
}

function putBack(field) {
  const now = document.getElementById(field.id);
  if (!now || now === field || now.type !== field.type) return;
  if (now instanceof HTMLSelectElement) {
    const offered = [...now.options].some((option) => option.value === field.value);
    if (offered) now.value = field.value;
  } else {
    now.value = field.value;
    now.checked = field.checked;
  }
}

const on = (name, listener) => document.addEventListener(name, listener, true);
for (const name of ["pointerdown", "keydown"]) {
  on(name, (event) => {
    const list = event.target.closest?.("select") && event.key !== "Escape";
    opened = list ? performance.now() : 0;
  });
}
for (const name of ["change", "focusout"]) {
  on(name, () => {
    opened = 0;
    setTimeout(askMissed); // whoever listens to the choice comes first
  });
}
