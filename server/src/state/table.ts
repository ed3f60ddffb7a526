const WIDTH = 64;

/** The fixed keys of a table and their positions; shared by all versions of it, as the map's nodes do not change. */
export interface Keys {
  names: readonly string[];
  position: ReadonlyMap<string, number>;
}

/** Keys of these names; `known` ones where they are the same in the same order. */
export function keysOf(names: readonly string[], known?: Keys): Keys {
  if (known && known.names.length === names.length && names.every((name, at) => name === known.names[at])) return known;
  return { names, position: new Map(names.map((name, at) => [name, at])) };
}

/**
 * A map over fixed keys that is cheap to change and to keep: values sit in chunks of 64, and a new version copies only
 * the chunks it touches and the list of chunks. Each chunk remembers before which time nothing in it can grow too old.
 */
export class Table<V> implements ReadonlyMap<string, V> {
  readonly keyed: Keys;
  readonly chunks: readonly (readonly V[])[];
  /** Per chunk, a lower bound of the next time (epoch ms) at which a value of it changes by age alone. */
  readonly due: readonly number[];

  constructor(keyed: Keys, chunks: readonly (readonly V[])[], due: readonly number[]) {
    this.keyed = keyed;
    this.chunks = chunks;
    this.due = due;
  }

  /** A table whose every chunk is due at once. */
  static of<V>(keyed: Keys, value: (name: string, at: number) => V): Table<V> {
    const chunks: V[][] = [];
    for (let at = 0; at < keyed.names.length; at += WIDTH)
      chunks.push(keyed.names.slice(at, at + WIDTH).map((name, offset) => value(name, at + offset)));
    return new Table(
      keyed,
      chunks,
      chunks.map(() => Number.NEGATIVE_INFINITY),
    );
  }

  /** The same values, every chunk due at once: other limits may hold for them now. */
  allDue(): Table<V> {
    return new Table(
      this.keyed,
      this.chunks,
      this.chunks.map(() => Number.NEGATIVE_INFINITY),
    );
  }

  get size(): number {
    return this.keyed.names.length;
  }

  has(key: string): boolean {
    return this.keyed.position.has(key);
  }

  get(key: string): V | undefined {
    const at = this.keyed.position.get(key);
    return at === undefined ? undefined : this.chunks[Math.floor(at / WIDTH)]?.[at % WIDTH];
  }

  forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this) visit(value, key, this);
  }

  *entries(): MapIterator<[string, V]> {
    let at = 0;
    for (const chunk of this.chunks) for (const value of chunk) yield [this.keyed.names[at++] as string, value];
  }

  *keys(): MapIterator<string> {
    yield* this.keyed.names;
  }

  *values(): MapIterator<V> {
    for (const chunk of this.chunks) yield* chunk;
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }
}

/** One batch of changes to a table. Mutable and owned by its maker until `done`; the table it began from stays as it was. */
export class Draft<V> {
  readonly #base: Table<V>;
  #chunks: (readonly V[])[] | null = null;
  #due: number[] = [];
  readonly #own = new Set<number>();

  constructor(base: Table<V>) {
    this.#base = base;
  }

  /** The value at a position; positions come from the keys and are never out of range. */
  at(position: number): V {
    return (this.#chunks ?? this.#base.chunks)[Math.floor(position / WIDTH)]?.[position % WIDTH] as V;
  }

  /** Replaces a value that cannot change by age alone before `due`. */
  put(position: number, value: V, due: number): void {
    const chunk = Math.floor(position / WIDTH);
    const chunks = this.#open();
    if (!this.#own.has(chunk)) {
      chunks[chunk] = (chunks[chunk] as readonly V[]).slice();
      this.#own.add(chunk);
    }
    (chunks[chunk] as V[])[position % WIDTH] = value;
    if (due < (this.#due[chunk] as number)) this.#due[chunk] = due;
  }

  /** Visits every position of the chunks that are due; `visit` puts what changed and returns the value's next due time. */
  sweep(now: number, visit: (position: number, value: V) => number): void {
    const due = this.#chunks ? this.#due : this.#base.due;
    for (let chunk = 0; chunk < due.length; chunk++) {
      if ((due[chunk] as number) > now) continue;
      this.#open();
      let next = Number.POSITIVE_INFINITY;
      const values = (this.#chunks as (readonly V[])[])[chunk] as readonly V[];
      for (let offset = 0; offset < values.length; offset++) next = Math.min(next, visit(chunk * WIDTH + offset, values[offset] as V));
      this.#due[chunk] = next;
    }
  }

  done(): Table<V> {
    return this.#chunks ? new Table(this.#base.keyed, this.#chunks, this.#due) : this.#base;
  }

  #open(): (readonly V[])[] {
    if (!this.#chunks) {
      this.#chunks = this.#base.chunks.slice();
      this.#due = this.#base.due.slice();
    }
    return this.#chunks;
  }
}
