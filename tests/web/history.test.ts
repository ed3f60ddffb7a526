import { describe, expect, it } from "vitest";
import { countedIncidents, figuresOf } from "../../web/src/model/history.ts";
import { incident } from "./make.ts";

const over = {
  status: "resolved",
  opened_at: "2026-10-24T12:00:00.000Z",
  resolved_at: "2026-10-24T12:03:00.000Z",
  end: "cleared",
} as const;
const LISTED = [
  incident(1, { severity: "ticket" }),
  incident(2, { ...over, severity: "page" }),
  incident(3, { ...over, severity: "info", resolved_at: "2026-10-24T12:01:00.000Z" }),
];
const COUNTED = { incidents: 2, by_severity: { page: 1, ticket: 0, info: 1 }, mttr_ms: 7_000, truncated: false };

describe("the figures of a range", () => {
  it("are those of the list while it holds all, however old or young the server's count is", () => {
    const listed = { total: 3, page: 1, ticket: 1, info: 1, recover: 120_000, cut: false };
    for (const counted of [undefined, COUNTED, { ...COUNTED, incidents: 9 }]) expect(figuresOf(LISTED, false, counted)).toEqual(listed);
  });

  it("are the server's where there are more than the list holds", () => {
    expect(figuresOf(LISTED, true, COUNTED)).toEqual({ total: 2, page: 1, ticket: 0, info: 1, recover: 7_000, cut: false });
    expect(figuresOf(LISTED, true, { ...COUNTED, truncated: true }).cut).toBe(true);
  });

  it("say that there are more where nobody counted them", () => {
    expect(figuresOf(LISTED, true, undefined)).toMatchObject({ total: 3, cut: true });
  });

  it("tell of no mean while nothing is over, or only what a map ended", () => {
    expect(figuresOf([incident(1)], false, undefined).recover).toBeNull();
    expect(figuresOf([incident(1, { ...over, end: "removed_from_map" })], false, undefined)).toMatchObject({ total: 1, recover: null });
  });

  it("leave out announced work and what another has absorbed", () => {
    const all = [...LISTED, incident(4, { kind: "maintenance" }), incident(5, { ...over, end: "absorbed" })];
    expect(countedIncidents(all, null)).toEqual(LISTED);
    expect(countedIncidents(all, "page").map(({ id }) => id)).toEqual([2]);
  });
});
