import { type Keys, Table } from "../state/table.ts";

/** The values of one table of the state in the order of the map's nodes or links. */
export interface Row<V> {
  at: (n: number) => V | undefined;
  /** Visits all values of which something holds, in order. The test must be one constant function of the value. */
  each: (test: (value: V) => boolean, visit: (value: V, n: number) => void) => void;
}

/**
 * Lays a table beside the map: in step where the table was made for these very keys, else looked up key by key. What
 * was found in a chunk of the table is remembered with that chunk, so that only what changed is read again.
 */
export function rowOf<V extends object>(keys: readonly string[], held: ReadonlyMap<string, V>): Row<V> {
  if (held instanceof Table && isInStep(held.keyed, keys)) return new ChunkedRow(held as Table<V>);
  return {
    at: (n) => held.get(keys[n] ?? ""),
    each(test, visit) {
      keys.forEach((key, n) => {
        const value = held.get(key);
        if (value !== undefined && test(value)) visit(value, n);
      });
    },
  };
}

const inStep = new WeakMap<Keys, { keys: readonly string[]; same: boolean }>();

function isInStep(keyed: Keys, keys: readonly string[]): boolean {
  const known = inStep.get(keyed);
  if (known?.keys === keys) return known.same;
  const same = keyed.names.length === keys.length && keyed.names.every((name, n) => name === keys[n]);
  inStep.set(keyed, { keys, same });
  return same;
}

/** Per test and chunk, the offsets found; a chunk never changes, so neither do they. */
const found = new WeakMap<(value: never) => boolean, WeakMap<readonly unknown[], readonly number[]>>();
const NONE: readonly number[] = [];

class ChunkedRow<V extends object> implements Row<V> {
  readonly #chunks: readonly (readonly V[])[];
  readonly #width: number;

  constructor({ chunks }: Table<V>) {
    this.#chunks = chunks;
    this.#width = chunks[0]?.length ?? 1;
  }

  at(n: number): V | undefined {
    const chunk = Math.floor(n / this.#width);
    return this.#chunks[chunk]?.[n - chunk * this.#width];
  }

  each(test: (value: V) => boolean, visit: (value: V, n: number) => void): void {
    let known = found.get(test);
    if (!known) {
      known = new WeakMap();
      found.set(test, known);
    }
    for (let at = 0; at < this.#chunks.length; at++) {
      const chunk = this.#chunks[at] ?? [];
      let offsets = known.get(chunk);
      if (!offsets) {
        offsets = offsetsIn(chunk, test);
        known.set(chunk, offsets);
      }
      for (const offset of offsets) visit(chunk[offset] as V, at * this.#width + offset);
    }
  }
}

function offsetsIn<V>(chunk: readonly V[], test: (value: V) => boolean): readonly number[] {
  let offsets: number[] | null = null;
  for (let offset = 0; offset < chunk.length; offset++) {
    if (!test(chunk[offset] as V)) continue;
    offsets ??= [];
    offsets.push(offset);
  }
  return offsets ?? NONE;
}
