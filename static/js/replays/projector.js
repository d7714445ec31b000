// The projector's button in the masthead leads to what is shown now: the masthead is not swapped.
export function followProjector() {
  const { presentUrl } = document.querySelector("[data-present-url]").dataset;
  document.getElementById("projector").href = presentUrl;
}
