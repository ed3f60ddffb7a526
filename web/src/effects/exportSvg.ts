/** What is seen of an element; a file of its own has no style sheet to say so. */
const SEEN = ["fill", "stroke", "stroke-width", "stroke-dasharray", "font-family", "font-size", "font-weight", "color", "opacity"] as const;

/** Saves the picture with its letters, colours and ground as they are seen now. */
export function exportSvg(): void {
  const picture = document.getElementById("map-picture");
  if (!picture) return;
  const copy = picture.cloneNode(true) as SVGElement;
  const originals = picture.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const seen = getComputedStyle(original);
    for (const key of SEEN) element.setAttribute(key, seen.getPropertyValue(key));
  });
  const paper = getComputedStyle(document.documentElement).backgroundColor;
  const ground = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  for (const [key, value] of Object.entries({ width: "100%", height: "100%", fill: paper })) ground.setAttribute(key, value);
  copy.prepend(ground);
  // The marks are drawn in the sprite, on the same paper.
  copy.style.setProperty("--paper", paper);
  const sprite = document.querySelector("symbol")?.parentElement;
  if (sprite) copy.prepend(sprite.cloneNode(true));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([copy.outerHTML], { type: "image/svg+xml" }));
  link.download = "headwater-map.svg";
  link.click();
  URL.revokeObjectURL(link.href);
}
