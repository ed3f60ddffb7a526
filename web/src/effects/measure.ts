const widths = new Map<string, number>();
let context: CanvasRenderingContext2D | null | undefined;
let family = "";

/** Width of a text in the page's own letters, pixels; null where the browser does not tell. */
export function measureText(text: string, size: number, weight: number): number | null {
  if (context === undefined) {
    context = document.createElement("canvas").getContext("2d");
    family = getComputedStyle(document.body).fontFamily;
  }
  if (!context) return null;
  const key = `${size} ${weight} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    context.font = `${weight} ${size}px ${family}`;
    width = context.measureText(text).width;
    // Names come and go with maps; what is measured again costs little.
    if (widths.size > 20_000) widths.clear();
    widths.set(key, width);
  }
  return width;
}
