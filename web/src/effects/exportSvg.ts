/** Saves the picture with its colours as they are seen now. */
export function exportSvg(): void {
  const picture = document.getElementById("map-picture");
  if (!picture) return;
  const copy = picture.cloneNode(true) as SVGElement;
  const originals = picture.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const seen = getComputedStyle(original);
    for (const key of ["fill", "stroke", "stroke-width", "stroke-dasharray", "font", "color", "opacity"])
      element.setAttribute(key, seen.getPropertyValue(key));
  });
  const sprite = document.querySelector("symbol")?.parentElement;
  if (sprite) copy.prepend(sprite.cloneNode(true));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([copy.outerHTML], { type: "image/svg+xml" }));
  link.download = "headwater-map.svg";
  link.click();
  URL.revokeObjectURL(link.href);
}
