import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMPONENT_STATUSES } from "../../../server/src/domain/status.ts";
import { Bytes, readVarint } from "../../../server/src/store/bytes.ts";
import { type DependencySample, keyOf, readDependencies, SLOT_MS, slotOf, writeDependencies } from "../../../server/src/store/samples.ts";

const SLOT = slotOf(Date.UTC(2026, 9, 24, 12));
const at = fc.integer({ min: 0, max: SLOT_MS - 1 }).map((offset) => SLOT * SLOT_MS + offset);
const tenths = fc.integer({ min: 0, max: 600_000 }).map((value) => value / 10);

describe("packed dependencies", () => {
  it("come back as they went in", () => {
    const one: fc.Arbitrary<DependencySample> = fc.record({
      n: fc.integer({ min: 0, max: 255 }),
      status: fc.constantFrom(...COMPONENT_STATUSES),
      latencyMs: fc.option(tenths, { nil: null }),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(at, fc.array(one, { maxLength: 12 })), { maxLength: 20 }), (polls) => {
        const into = new Bytes(1);
        for (const [when, samples] of polls) writeDependencies(into, when, samples);
        const back: [number, DependencySample][] = [];
        readDependencies(into.view(), SLOT, (when, n, status, latencyMs) => back.push([when, { n, status, latencyMs }]));
        expect(back).toEqual(polls.flatMap(([when, samples]) => samples.map((sample) => [when, sample])));
      }),
    );
  });
});

describe("numbers", () => {
  it("of any size come back from their varint", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (value) => {
        const into = new Bytes(1);
        into.varint(value);
        expect(readVarint({ data: into.view(), at: 0 })).toBe(value);
      }),
    );
  });

  it("beyond the end of some bytes read as nothing", () => {
    expect(readVarint({ data: new Uint8Array([0x80]), at: 0 })).toBe(0);
  });

  it("make keys that order by time, then series", () => {
    expect(keyOf(SLOT, 2 ** 24 - 1)).toBeLessThan(keyOf(SLOT + 1, 0));
    expect(Number.isSafeInteger(keyOf(slotOf(Date.UTC(2200, 0)), 2 ** 24 - 1))).toBe(true);
  });
});
