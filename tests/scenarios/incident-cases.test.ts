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
  ["two-silent-one-above-the-other", 21, 75, "lookup"],
  ["no-components-in-the-middle", 11, 60, "stock-db"],
  ["power-of-one-hall", 1, 30, "hall-4"],
  ["zone-b-goes-dark", 35, 45, "zone-b"],
  ["publishers-blocked", 30, 45, "broker"],
  ["three-that-wait-for-each-other", 41, 60, "discovery"],
])("%s, through noise of seed %i: a silent one that carries a known cause is no cause of its own", (name, seed, at, cause) => {
  const one = loadScenarios().find((scenario) => scenario.name === name);
  const then = one && verdictsOf(perturb(one, "mixed", seed)).find(({ expected }) => expected.at === at);
  expect(then?.got.causes.map(({ node }) => node)).toEqual([cause]);
});
