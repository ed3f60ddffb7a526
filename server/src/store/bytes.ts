/** A buffer that grows at its end; numbers go in as varints of seven bits a byte. */
export class Bytes {
  #data: Uint8Array;
  length = 0;

  constructor(capacity = 64) {
    this.#data = new Uint8Array(capacity);
  }

  byte(value: number): void {
    if (this.length === this.#data.length) this.#grow(1);
    this.#data[this.length++] = value;
  }

  /** A whole number of at least 0; up to 2^53. */
  varint(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.byte((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.byte(rest);
  }

  append(other: Uint8Array): void {
    if (this.length + other.length > this.#data.length) this.#grow(other.length);
    this.#data.set(other, this.length);
    this.length += other.length;
  }

  /** The bytes from `start` on, valid until the next write. */
  view(start = 0): Uint8Array {
    return this.#data.subarray(start, this.length);
  }

  #grow(by: number): void {
    const larger = new Uint8Array(Math.max(this.#data.length * 2, this.length + by));
    larger.set(this.#data);
    this.#data = larger;
  }
}

/** Both one after the other. */
export function concat(a: Uint8Array | null, b: Uint8Array): Uint8Array {
  return a ? Buffer.concat([a, b]) : b;
}

/** Where reading stands in some bytes. */
export interface Cursor {
  readonly data: Uint8Array;
  at: number;
}

/** Reads a varint; bytes past the end read as 0. */
export function readVarint(cursor: Cursor): number {
  const data = cursor.data;
  let byte = data[cursor.at++] ?? 0;
  if (byte < 128) return byte;
  let value = byte & 127;
  let scale = 128;
  do {
    byte = data[cursor.at++] ?? 0;
    value += (byte & 127) * scale;
    scale *= 128;
  } while (byte > 127);
  return value;
}
