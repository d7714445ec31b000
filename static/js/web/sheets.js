// A sheet is laid over the page once it has arrived, and is gone when it is closed.
import { onSwap } from "./events.js";

export function offerSheets() {
  onSwap({ after: lay });
  document.addEventListener("close", (event) => clear(event.target), true); // it does not bubble
  document.addEventListener("click", (event) => {
    if (event.target.matches?.("dialog[open]")) event.target.close(); // beside the sheet
  });
}

function lay() {
  const sheet = document.getElementById("sheet");
  if (!sheet?.firstElementChild || sheet.open) return;
  sheet.showModal();
  sheet.querySelector("h1").focus();
}

function clear(sheet) {
  if (sheet.id === "sheet") sheet.replaceChildren();
}
