import { describe, expect, it } from "vitest";
import { judgeVerdict, loadCases, verdictsOf } from "../support/cases.ts";

describe("known incidents", () => {
  for (const one of loadCases()) {
    it(one.name, () => {
      const verdicts = verdictsOf(one);
      expect(verdicts).toHaveLength(one.expected.length);
      const missed = verdicts.flatMap(({ expected, got }) => {
        const wrong = judgeVerdict(expected, got);
        return wrong ? [`t=${expected.at}: ${wrong}`] : [];
      });
      expect(missed).toEqual([]);
    });
  }
});
