// What could not be sent, with a way to send it again.
export function showToast(text, retry) {
  hideToast();
  const toast = document.getElementById("toast-template").content.firstElementChild.cloneNode(true);
  const before = document.activeElement;
  const close = () => {
    const held = toast.contains(document.activeElement);
    toast.remove();
    if (held && before?.isConnected) before.focus();
  };
  toast.querySelector(".toast-text").textContent = text;
  toast.querySelector(".toast-close").addEventListener("click", close);
  toast.querySelector(".toast-retry").addEventListener("click", () => {
    close();
    retry();
  });
  document.body.append(toast);
}

export function hideToast() {
  document.getElementById("toast")?.remove();
}
