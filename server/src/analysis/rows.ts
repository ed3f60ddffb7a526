import { type Keys, Table } from "../state/table.ts";

/** The values of one table of the state in the order of the map's nodes or links. */
export interface Row<V> {
  at: (n: number) => V | undefined;
  /** The places of all values of which something holds, in order. The test must be one constant function of the value. */
  marked: (test: (value: V) => boolean) => readonly number[];
}

/**
 * Lays a table beside the map: in step where the table was made for these very keys, else looked up key by key. What
 * was found in a chunk of the table is remembered with that chunk, so that only what changed is read again.
 */
export function rowOf<V extends object>(keys: readonly string[], held: ReadonlyMap<string, V>): Row<V> {
  if (held instanceof Table && isInStep(held.keyed, keys)) return new ChunkedRow(held as Table<V>);
  return {
    at: (n) => held.get(keys[n] ?? ""),
    marked(test) {
      const places: number[] = [];
      keys.forEach((key, n) => {
        const value = held.get(key);
        if (value !== undefined && test(value)) places.push(n);
      });
      return places;
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

/** Per chunk and test, the offsets found; a chunk never changes, so neither do they. */
const found = new WeakMap<readonly unknown[], Map<unknown, readonly number[]>>();
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

  marked(test: (value: V) => boolean): readonly number[] {
    const places: number[] = [];
    this.#chunks.forEach((chunk, at) => {
      for (const offset of offsetsIn(chunk, test)) places.push(at * this.#width + offset);
    });
    return places;
  }
}

function offsetsIn<V>(chunk: readonly V[], test: (value: V) => boolean): readonly number[] {
  let tests = found.get(chunk);
  if (!tests) {
    tests = new Map();
    found.set(chunk, tests);
  }
  let offsets = tests.get(test);
  if (!offsets) {
    const list: number[] = [];
    for (let offset = 0; offset < chunk.length; offset++) if (test(chunk[offset] as V)) list.push(offset);
    offsets = list.length > 0 ? list : NONE;
    tests.set(test, offsets);
  }
  return offsets;
}
