// Copying the link of a match.
export function offerCopy() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("#copy, [data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy ?? "share-link");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
    } catch {
      document.execCommand("copy"); // on plain http there is no clipboard but this one
    }
    button.textContent = "Copied";
  });
  showCopy();
}

export function showCopy() {
  for (const button of document.querySelectorAll("#copy, [data-copy]")) button.hidden = false;
}
