/** A share as people write it, never rounded up to a perfect one: `99.95 %`. */
export function percent(share: number): string {
  if (share >= 1) return "100 %";
  return `${(Math.floor(share * 10_000) / 100).toFixed(2)} %`;
}
