import type { Place, Problem } from "../domain/map.ts";
import type { CheckCode } from "./codes.ts";

/** Findings of one kind beyond this many are counted, not listed. */
const MOST = 2_000;

/** Orders findings by file, then line, then column; code units, so that the order is the same everywhere. */
export function comparePlaces(a: Place, b: Place): number {
  if (a.file !== b.file) return a.file < b.file ? -1 : 1;
  return a.line - b.line || a.column - b.column;
}

/** Sorted by place, each said once, at most 2,000 with a last line that counts the rest. */
function tidy(problems: readonly Problem[]): Problem[] {
  const seen = new Set<string>();
  const unique = problems.filter((problem) => {
    const key = `${problem.file}\0${problem.line}\0${problem.column}\0${problem.code}\0${problem.message}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  unique.sort(comparePlaces);
  if (unique.length <= MOST) return unique;
  const kept = unique.slice(0, MOST);
  const last = kept[MOST - 1];
  if (last) kept.push({ ...last, code: "more", message: `${unique.length - MOST} more of these are not listed` });
  return kept;
}

/** Collects what is wrong, all of it, while the map is read. */
export class Findings {
  readonly #errors: Problem[] = [];
  readonly #warnings: Problem[] = [];

  error(place: Place, code: CheckCode, message: string): void {
    this.#errors.push({ file: place.file, line: place.line, column: place.column, code, message });
  }

  warning(place: Place, code: CheckCode, message: string): void {
    this.#warnings.push({ file: place.file, line: place.line, column: place.column, code, message });
  }

  get count(): number {
    return this.#errors.length + this.#warnings.length;
  }

  get failed(): boolean {
    return this.#errors.length > 0;
  }

  finish(): { errors: Problem[]; warnings: Problem[] } {
    return { errors: tidy(this.#errors), warnings: tidy(this.#warnings) };
  }
}
