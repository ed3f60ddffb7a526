import type { Locator } from "playwright-core";

/** The lowest contrast that any of these elements' letters have with the ground of the page; `fill` for those of pictures. */
export function lowestContrast(letters: Locator, property: "color" | "fill" = "color"): Promise<number> {
  return letters.evaluateAll((all, ink) => {
    const light = (colour: string): number => {
      const [r = 0, g = 0, b = 0] = (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map((part) => {
        const share = Number(part) / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ground = light(getComputedStyle(document.documentElement).backgroundColor);
    const ratios = all.map((one) => {
      const [low = 0, high = 0] = [light(getComputedStyle(one)[ink]), ground].sort((a, b) => a - b);
      return (high + 0.05) / (low + 0.05);
    });
    if (ratios.length === 0) throw new Error("there are no letters");
    return Math.min(...ratios);
  }, property);
}
