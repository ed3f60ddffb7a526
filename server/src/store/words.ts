/** The words of transitions as numbers in the file. The order is for ever: new words go to the end. */
const WORDS = [
  "healthy",
  "degraded",
  "unhealthy",
  "unknown",
  "up",
  "down",
  "root_cause",
  "impacted",
  "at_risk",
  "none",
  "blind",
  "clear",
  "removed",
] as const;

const CODES = new Map<string, number>(WORDS.map((word, code) => [word, code]));

/** A number for a known word, the word itself for any other. */
export function encodeWord(word: string): number | string {
  return CODES.get(word) ?? word;
}

export function decodeWord(stored: number | string): string {
  return typeof stored === "number" ? (WORDS[stored] ?? "unknown") : stored;
}
