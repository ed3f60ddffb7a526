import { describe, expect, it } from "vitest";
import { judgeVerdict, loadCases, loadScenarios, verdictsOf } from "../support/cases.ts";
import { perturb } from "../support/perturb.ts";

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

it.each([
  ["two-silent-one-above-the-other", 1, 75, "lookup"],
  ["one-teams-way-out", 303, 15, "pay-egress"],
  ["power-of-one-hall", 301, 30, "hall-4"],
  ["no-components-in-the-middle", 303, 60, "stock-db"],
])("%s, through noise of seed %i: a silent one that carries a known cause is no cause of its own", (name, seed, at, cause) => {
  const one = loadScenarios().find((scenario) => scenario.name === name);
  const then = one && verdictsOf(perturb(one, "mixed", seed)).find(({ expected }) => expected.at === at);
  expect(then?.got.causes.map(({ node }) => node)).toEqual([cause]);
});
