import { createHash } from "node:crypto";
import { MersenneTwister19937 } from "random-js";

/**
 * The numbers that Python's `random.Random(seed)` gives for a text, so that noise by a script in Python can be made here as well: a
 * Mersenne Twister seeded by the text and its SHA-512 (CPython, `Lib/random.py` and `Modules/_randommodule.c`).
 */
export class PythonRandom {
  readonly #twister: MersenneTwister19937;

  constructor(seed: string) {
    const text = Buffer.from(seed);
    const number = Buffer.concat([text, createHash("sha512").update(text).digest()]);
    const words: number[] = [];
    for (let end = number.length; end > 0; end -= 4) words.push(number.subarray(Math.max(0, end - 4), end).readUIntBE(0, Math.min(4, end)));
    this.#twister = MersenneTwister19937.seedWithArray(words);
  }

  #bits(count: number): number {
    return (this.#twister.next() >>> 0) >>> (32 - count);
  }

  /** From 0 to 1, without 1, with 53 random bits. */
  random(): number {
    const high = this.#bits(27);
    return (high * 67_108_864 + this.#bits(26)) / 9_007_199_254_740_992;
  }

  /** One of the list, which is not empty. */
  choice<T>(list: readonly [T, ...T[]]): T {
    const bits = 32 - Math.clz32(list.length);
    let place = this.#bits(bits);
    while (place >= list.length) place = this.#bits(bits);
    return list[place] as T;
  }
}
