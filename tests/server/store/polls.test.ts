import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OUTCOMES, STATUSES } from "../../../server/src/domain/status.ts";
import { Bytes } from "../../../server/src/store/bytes.ts";
import { type PollSample, readPolls, readSilent, type SaidSample, SILENT, writePoll } from "../../../server/src/store/polls.ts";
import { SLOT_MS, slotOf } from "../../../server/src/store/samples.ts";

const BASE = slotOf(Date.UTC(2026, 9, 24, 12)) * SLOT_MS;
const numbers = fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 12 });

const poll: fc.Arbitrary<PollSample> = fc
  .record({
    at: fc.integer({ min: 0, max: SLOT_MS - 1 }).map((offset) => BASE + offset),
    latencyMs: fc.integer({ min: 0, max: 600_000 }).map((value) => value / 10),
    outcome: fc.constantFrom(...OUTCOMES),
    status: fc.option(fc.constantFrom(...STATUSES), { nil: null }),
    instance: fc.option(fc.integer({ min: 1, max: 100_000 }), { nil: null }),
    httpStatus: fc.constantFrom(200, 204, 404, 503),
    ages: numbers,
    httpAge: fc.constantFrom(0, 0, 30),
    said: fc.integer({ min: 0, max: 127 }),
    words: numbers,
    traits: numbers,
  })
  .map((one) => (one.status === null ? { ...one, ...SILENT } : one));

function written(polls: readonly PollSample[]): Bytes {
  const into = new Bytes(1);
  let before: SaidSample | null = null;
  for (const one of polls) {
    writePoll(into, BASE, one, before);
    if (one.status !== null) before = one;
  }
  return into;
}

const USUAL: PollSample = {
  at: BASE + 599_000,
  latencyMs: 23.4,
  outcome: "report",
  status: "healthy",
  instance: null,
  httpStatus: 200,
  ages: [],
  httpAge: 0,
  said: 2,
  words: [0, 4, 8],
  traits: [],
};

describe("packed polls", () => {
  it("come back as they went in, in their order", () => {
    fc.assert(
      fc.property(fc.array(poll, { maxLength: 80 }), (polls) => {
        expect(readPolls(written(polls).view(), BASE)).toEqual(polls);
      }),
    );
  });

  it("tell those without a report without the others", () => {
    fc.assert(
      fc.property(fc.array(poll, { maxLength: 80 }), (polls) => {
        const silent: [number, string][] = [];
        readSilent(written(polls).view(), BASE, (at, outcome) => void silent.push([at, outcome]));
        expect(silent).toEqual(polls.flatMap(({ at, outcome, status }) => (status === null ? [[at, outcome]] : [])));
      }),
    );
  });

  it("come back from two rows that were joined", () => {
    fc.assert(
      fc.property(fc.array(poll, { maxLength: 20 }), fc.array(poll, { maxLength: 20 }), (first, second) => {
        const joined = Buffer.concat([written(first).view(), written(second).view()]);
        expect(readPolls(joined, BASE)).toEqual([...first, ...second]);
      }),
    );
  });

  it("take six bytes for a poll like the one before, and one more for each age of a few seconds", () => {
    const more = (one: PollSample): number => written([one, one, one]).length - written([one, one]).length;
    expect(more(USUAL)).toBeLessThanOrEqual(6);
    expect(more({ ...USUAL, ages: [31, 88, 2] })).toBeLessThanOrEqual(11);
  });

  it("know a poll without an HTTP status", () => {
    const refused: PollSample = { ...USUAL, ...SILENT, outcome: "refused", status: null, httpStatus: null };
    expect(readPolls(written([refused]).view(), BASE)).toEqual([refused]);
  });

  it("of damaged bytes are read to their end, whatever they say", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(readPolls(bytes, BASE).length).toBeLessThanOrEqual(bytes.length);
      }),
    );
  });
});
