import { describe, expect, it } from "vitest";
import { judgeVerdict, loadCases, loadScenarios, verdictsOf } from "../support/cases.ts";

describe.each([
  { sort: "known incidents", cases: loadCases() },
  { sort: "constructed incidents", cases: loadScenarios() },
])("$sort", ({ cases }) => {
  for (const one of cases) {
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
