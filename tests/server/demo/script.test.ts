import { describe, expect, test } from "vitest";
import { isResourceFault, isServiceFault } from "../../../server/src/demo/faults.ts";
import { type Act, momentAt, SCRIPT } from "../../../server/src/demo/script.ts";

const act = (title: string, lastsMs: number): Act => ({ title, watch: "", faults: [], lastsMs });
const TWO = [act("first", 10_000), act("second", 20_000)];

describe("the script", () => {
  test.each([
    [0, null, 0, 25_000],
    [24_999, null, 0, 25_000],
    [25_000, 0, 0, 35_000],
    [34_999, 0, 0, 35_000],
    [35_000, null, 0, 85_000],
    [85_000, 1, 0, 105_000],
    [105_000, null, 0, 155_000],
    [155_000, 0, 1, 165_000],
    [155_000 + 130_000 * 9 + 60_000, 1, 10, 155_000 + 130_000 * 9 + 80_000],
  ])("after %d ms", (elapsed, index, round, until) => {
    expect(momentAt(TWO, elapsed)).toEqual({ act: index, round, until });
  });

  test("without acts there is one long pause", () => {
    expect(momentAt([], 1_000_000)).toEqual({ act: null, round: 0, until: Number.POSITIVE_INFINITY });
  });

  test("each act breaks something in a way that exists, and gives the board time to confirm it", () => {
    expect(SCRIPT.length).toBeGreaterThanOrEqual(5);
    for (const { title, watch, faults, lastsMs } of SCRIPT) {
      expect(title && watch).toBeTruthy();
      expect(faults.length).toBeGreaterThan(0);
      expect(faults.every(({ fault }) => isServiceFault(fault) || isResourceFault(fault))).toBe(true);
      expect(lastsMs).toBeGreaterThanOrEqual(45_000);
    }
  });
});
