// On a narrow screen the masthead scrolls: the word of this page is brought into sight.
export function showCurrentWord() {
  const word = document.querySelector(".masthead nav [aria-current]");
  const line = word?.parentElement;
  if (line) line.scrollLeft = word.offsetLeft - line.offsetLeft - line.clientWidth / 3;
}
