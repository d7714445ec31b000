// Copying the link of a match, or the text of a program.
export function offerCopy() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("#copy, [data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy ?? "share-link");
    if (field.select) field.select();
    else getSelection().selectAllChildren(field);
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
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
