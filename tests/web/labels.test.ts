import { describe, expect, test } from "vitest";
import type { LabelEdge, LabelFinding, Labels } from "../../server/src/contract/index.ts";
import { evidenceWords, historyWords, labelsByTeam, parseLabelFilter, reviewWords } from "../../web/src/model/labels.ts";
import { makeClock } from "../../web/src/model/time.ts";

const AT = "2026-10-24T12:00:00.000Z";

function finding(id: string, team: string | null, kind: LabelFinding["kind"] = "hard_unharmed"): LabelFinding {
  return {
    id,
    kind,
    team,
    from: "checkout",
    to: "recommendations",
    component: null,
    declared: "hard",
    suggested: "soft",
    text: "It went on.",
    confidence: 0.8,
    level: "likely",
    evidence: { from: AT, to: AT, outages: 0, agreeing: 0, duration_ms: 0, moments: [], reports: null, notes: [] },
    file: "map/shop.yaml",
    line: 3,
    patch: null,
    by_hand: "The file is made by a tool.",
  };
}

function edge(owner: string | null): LabelEdge {
  return {
    from: "checkout",
    to: "orders",
    criticality: "hard",
    owner,
    reviewed: null,
    review_age_ms: null,
    review_after_ms: 1,
    review_old: false,
    group: null,
    components: ["orders"],
    findings: 0,
    file: "map/shop.yaml",
    line: 3,
  };
}

const team = (id: string | null, findings: number) => ({ team: id, name: id ?? "", contact: null, labels: 1, findings });
const LABELS: Labels = {
  computed_at: AT,
  map_revision: 1,
  from: AT,
  to: AT,
  review_after_ms: 180 * 86_400_000,
  teams: [team("shop", 2), team("data", 0), team(null, 1)],
  findings: [finding("a", "shop"), finding("b", "shop", "review_old"), finding("c", null, "no_owner")],
  findings_total: 3,
  edges: [edge("shop"), edge("data"), edge(null)],
};
const shown = (search: string) =>
  labelsByTeam(LABELS, parseLabelFilter(new URLSearchParams(search))).map((one) => [one.name, one.findings.map(({ id }) => id)]);

describe("labels by team", () => {
  test.each<[string, string, unknown]>([
    [
      "those with doubts, where nothing is asked",
      "",
      [
        ["shop", ["a", "b"]],
        ["no owner", ["c"]],
      ],
    ],
    ["one kind of doubt", "kind=review_old", [["shop", ["b"]]]],
    ["one team", "team=shop", [["shop", ["a", "b"]]]],
    ["what nobody owns", "team=-", [["no owner", ["c"]]]],
    [
      "all that is declared",
      "show=all",
      [
        ["shop", ["a", "b"]],
        ["data", []],
        ["no owner", ["c"]],
      ],
    ],
    [
      "all, for a kind that is not known",
      "kind=constructor",
      [
        ["shop", ["a", "b"]],
        ["no owner", ["c"]],
      ],
    ],
  ])("shows %s", (_, search, expected) => expect(shown(search)).toEqual(expected));
});

describe("evidence", () => {
  test("is counted in words", () => {
    const { evidence } = finding("a", "shop");
    const words = (given: Partial<LabelFinding["evidence"]>) =>
      evidenceWords({ ...finding("a", "shop"), evidence: { ...evidence, ...given } }, (ms) => `${ms / 60_000} min`);
    expect(words({})).toEqual([]);
    expect(words({ outages: 5, agreeing: 4, duration_ms: 600_000 })).toEqual(["4 of 5 outages, 10 min in all"]);
    expect(
      words({ outages: 1, agreeing: 1, duration_ms: 60_000, reports: { total: 100, agreeing: 96 }, notes: ["all on one day"] }),
    ).toEqual(["1 of 1 outage, 1 min in all", "96 of 100 reports", "all on one day"]);
  });
  test("tells the age of a review by the edge's own limit", () => {
    expect(reviewWords({ review_age_ms: null })).toBe("never");
    expect(reviewWords({ review_age_ms: 59.5 * 86_400_000 })).toBe("59 d ago");
  });
});

test("a history of less than a day is told by its length, a longer one by its two days", () => {
  const to = "2026-12-01T05:20:00.000Z";
  const words = (from: string): string => historyWords({ from, to }, makeClock(true, () => Date.parse(to)).date);
  expect(words("2026-12-01T05:19:18.000Z")).toBe("of 42\u00a0s");
  expect(words("2026-11-30T21:15:00.000Z")).toBe("of 8\u00a0h\u00a05\u00a0m");
  expect(words("2026-11-30T05:20:00.000Z")).toBe("from 30\u00a0Nov to 1\u00a0Dec");
});
