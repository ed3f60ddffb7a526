import { describe, expect, test } from "vitest";
import { nextOnPhase, phaseOf } from "../../../server/src/poller/phase.ts";

const FAMILIES: Record<string, (i: number) => string> = {
  "numbers at the end": (i) => `svc${i}`,
  "padded numbers": (i) => `svc-${String(i).padStart(5, "0")}`,
  "a team and a number": (i) => `team${i % 20}.app-${Math.floor(i / 20)}`,
  "few words, many numbers": (i) => `${["orders", "cart", "payments", "mail"][i % 4]}-${i >> 2}-api`,
  "numbers in front": (i) => `${i}-worker`,
};

describe("the phase of an instance", () => {
  test.each([1, 2, 999, 10_000, 86_400_000])("is a whole number of milliseconds within an interval of %i ms", (interval) => {
    for (let i = 0; i < 500; i++) {
      const phase = phaseOf(`svc${i}`, interval);
      expect(Number.isInteger(phase) && phase >= 0 && phase < interval).toBe(true);
    }
  });

  test("is the same each time, and another for another id", () => {
    expect(phaseOf("orders", 10_000)).toBe(phaseOf("orders", 10_000));
    expect(new Set(Array.from({ length: 1_000 }, (_, i) => phaseOf(`svc${i}`, 3_600_000))).size).toBeGreaterThan(995);
  });

  test.each(Object.entries(FAMILIES))("spreads evenly: %s", (_name, id) => {
    const buckets = new Array<number>(100).fill(0);
    for (let i = 0; i < 10_000; i++) {
      const bucket = Math.floor(phaseOf(id(i), 10_000) / 100);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
    }
    // Chi square with 99 degrees of freedom: above 149 once in a thousand even draws, far above when ids bunch.
    const chiSquare = buckets.reduce((sum, count) => sum + (count - 100) ** 2 / 100, 0);
    expect(chiSquare).toBeLessThan(149);
    expect(Math.max(...buckets)).toBeLessThan(150);
  });

  test.each([
    [0, 250, 1_000, 250],
    [250, 250, 1_000, 250],
    [250.5, 250, 1_000, 1_250],
    [1_700_000_000_000, 0, 10_000, 1_700_000_000_000],
    [1_700_000_000_001, 9_999, 10_000, 1_700_000_009_999],
  ])("from %d with phase %d and interval %d comes next at %d", (from, phase, interval, next) => {
    expect(nextOnPhase(from, phase, interval)).toBe(next);
  });
});
