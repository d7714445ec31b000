// Copying the link of a match.
export function offerCopy() {
  document.addEventListener("click", async (event) => {
    const button = event.target.closest?.("#copy");
    if (!button) return;
    const field = document.getElementById("share-link");
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
  const button = document.getElementById("copy");
  if (button) button.hidden = false;
}
