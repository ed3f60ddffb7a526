import { Suggester } from "../config/suggest.ts";
import { dialectNames } from "../formats/index.ts";

/** Request headers by their names in lower case, from lines `NAME: VALUE`; or what is wrong with one. */
export function readHeaders(lines: readonly string[]): Record<string, string> | string {
  const headers = new Map<string, string>();
  for (const line of lines) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return "a header is written NAME: VALUE";
    headers.set(name.toLowerCase(), value);
  }
  return Object.fromEntries(headers);
}

/** Null for `auto` and the name of a dialect, else a sentence with those that were probably meant, or all there are. */
export function dialectProblem(word: string): string | null {
  const names = dialectNames();
  if (word === "auto" || names.includes(word)) return null;
  const part = word.toLowerCase();
  const near = names.filter((name) => part.length >= 3 && (name.includes(part) || part.includes(name)));
  if (near.length > 0) return `no dialect "${word}"; did you mean ${near.slice(0, 5).join(" or ")}?`;
  return `no dialect "${word}"${new Suggester().hint(word, names) || `; there are auto, ${names.join(", ")}`}`;
}
