import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Bytes } from "../../../server/src/store/bytes.ts";
import {
  addTally,
  answered,
  bucketMiddle,
  bucketOf,
  count,
  emptyTally,
  exactPercentiles,
  percentiles,
  readTally,
  type Tally,
  writeTally,
} from "../../../server/src/store/histogram.ts";

const latencies = fc.array(fc.option(fc.double({ min: 0.05, max: 60_000, noNaN: true }), { nil: null }), { maxLength: 400 });

function tallyOf(polls: readonly (number | null)[]): Tally {
  const tally = emptyTally();
  for (const latency of polls) count(tally, latency);
  return tally;
}

function readBack(bytes: Uint8Array): Tally {
  const tally = emptyTally();
  readTally({ data: bytes, at: 0 }, tally);
  return tally;
}

const plain = (tally: Tally) => ({ failed: tally.failed, counts: [...tally.counts] });

describe("latency histograms", () => {
  it("keep every latency within four and a half percent", () => {
    fc.assert(
      fc.property(fc.double({ min: 0.1, max: 100_000, noNaN: true }), (latency) => {
        expect(Math.abs(bucketMiddle(bucketOf(latency)) / latency - 1)).toBeLessThan(0.0455);
      }),
    );
  });

  it.each([
    ["nothing at all", 0],
    ["less than nothing", -5],
    ["no number", Number.NaN],
  ])("put %s into the lowest bucket", (_name, latency) => {
    expect(bucketOf(latency)).toBe(0);
  });

  it("put what is off the scale into the highest bucket", () => {
    expect(bucketOf(Number.POSITIVE_INFINITY)).toBe(bucketOf(1e12));
  });

  it("add up: those of parts make that of the whole", () => {
    fc.assert(
      fc.property(fc.array(latencies, { maxLength: 8 }), (parts) => {
        const sum = emptyTally();
        for (const part of parts) addTally(sum, tallyOf(part));
        expect(plain(sum)).toEqual(plain(tallyOf(parts.flat())));
      }),
    );
  });

  it("come back from their bytes as they were, and add up there too", () => {
    fc.assert(
      fc.property(latencies, (polls) => {
        const tally = tallyOf(polls);
        const into = new Bytes(1);
        writeTally(into, tally);
        const back = readBack(into.view());
        expect(plain(back)).toEqual(plain(tally));
        expect(answered(back)).toBe(polls.filter((latency) => latency !== null).length);
      }),
    );
  });

  it("take six samples of a minute in about a dozen bytes", () => {
    const into = new Bytes();
    writeTally(into, tallyOf([18, 19, 21, 24, 30, 210]));
    expect(into.length).toBeLessThanOrEqual(14);
  });

  it("give percentiles by nearest rank, close to the exact ones", () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0.2, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 300 }), (polls) => {
        const shares = [0.5, 0.95, 0.99];
        const exact = exactPercentiles([...polls], shares);
        percentiles(tallyOf(polls), shares).forEach((value, i) => {
          expect(Math.abs((value ?? 0) / (exact[i] ?? 1) - 1)).toBeLessThan(0.055);
        });
      }),
    );
  });

  it("give no percentile where nothing answered", () => {
    expect(percentiles(tallyOf([null, null]), [0.5, 0.99])).toEqual([null, null]);
    expect(exactPercentiles([], [0.5])).toEqual([null]);
  });
});
