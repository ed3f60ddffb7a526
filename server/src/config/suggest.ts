/** Comparisons left before suggestions are no longer worth their time: a broken map may hold thousands of wrong names. */
const BUDGET = 500_000;

/** Edits (insert, delete, replace, swap neighbours) between two words, or `limit + 1` when there are more. */
function distance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < best) best = cost;
    }
    if (best > limit) return limit + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}

const fold = (word: string) => word.toLowerCase().replace(/[-_. ]/g, "");

/** Finds the word that somebody probably meant. One for each check, since it counts its work. */
export class Suggester {
  #left = BUDGET;
  readonly #folded = new Map<string, string>();

  /** The nearest of the candidates, or null when none is near: about one edit in three letters, four at most. */
  nearest(word: string, candidates: Iterable<string>): string | null {
    const folded = fold(word).slice(0, 128);
    let limit = Math.min(4, Math.floor((folded.length + 1) / 3));
    let found: string | null = null;
    for (const candidate of candidates) {
      if (this.#left <= 0) return found;
      const other = this.#fold(candidate);
      if (other === folded) return candidate;
      this.#left -= Math.abs(other.length - folded.length) > limit ? 1 : 20;
      const edits = distance(folded, other, limit);
      if (edits > limit) continue;
      found = candidate;
      limit = edits - 1;
    }
    return found;
  }

  #fold(word: string): string {
    const known = this.#folded.get(word) ?? fold(word);
    this.#folded.set(word, known);
    return known;
  }

  /** `; did you mean "orders-db"?`, or nothing. */
  hint(word: string, candidates: Iterable<string>): string {
    const nearest = this.nearest(word, candidates);
    return nearest === null ? "" : `; did you mean "${nearest}"?`;
  }
}
