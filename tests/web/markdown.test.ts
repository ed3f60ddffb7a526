import { expect, test } from "vitest";
import type { IncidentDetail } from "../../server/src/contract/index.ts";
import { incidentMarkdown } from "../../web/src/model/markdown.ts";
import { board, incident, node } from "./make.ts";

const now = Date.parse("2026-10-24T12:04:12.000Z");
const names = (id: string): string => id;

test("an incident reads as a report: cause, evidence, impact with paths, timeline in UTC", () => {
  const one = incident(42, {
    impacted: [{ node: "api", since: "2026-10-24T12:00:15.000Z" }],
    systems: [{ id: "shop", effect: "unhealthy" }],
  });
  const detail: IncidentDetail = {
    ...one,
    paths: { api: ["api", "db"] },
    events: [{ at: "2026-10-24T12:02:00.000Z", kind: "note", node: null, text: "failing over", by: "on-call" }],
  };
  expect(incidentMarkdown(detail, { names, now, link: "https://hw.example/incidents/42", detail })).toBe(`## Incident 42: db

- status: open, page, 4 m 12 s
- since: 2026-10-24 12:00:00 UTC
- who: nobody yet
- link: <https://hw.example/incidents/42>

### Cause

**db**, confirmed (0.94)

- It failed first.

### Impact

1 service is impacted.

| service | after | path |
| --- | --- | --- |
| api | +15 s | api → db |

Systems: shop unhealthy

### Timeline (UTC)

| time | what |
| --- | --- |
| 2026-10-24 12:02:00 | on-call: failing over |
`);
});

test("a report tells who has it and what they do, whose the cause is, and what is heard of it while it lasts", () => {
  const acked = { by: "robin", at: "2026-10-24T12:02:00.000Z", until: "2026-10-24T12:32:00.000Z", note: "failing over" };
  const db = node("db", { kind: "resource", team: "data", status: "unhealthy", reason: "4 of 4 dependents report it down: refused" });
  const lines = (status: "open" | "recovering"): string[] =>
    incidentMarkdown(incident(1, { acked, status }), { names, now, link: "https://x", board: board([db]) }).split("\n");
  expect(lines("open")).toContain("- who: robin until 2026-10-24 12:32:00 UTC: failing over");
  expect(lines("open")).toContain("- owner: data");
  expect(lines("open")).toContain("- heard: “refused”");
  expect(lines("recovering").join()).not.toContain("refused");
  // What was heard at its worst stands in the record, whatever the node says by now.
  const cause = { ...incident(1).cause, stood: { status: "unhealthy", reason: "2 of 4 dependents report it down: pool exhausted" } };
  const mended = incident(1, { status: "resolved", cause: cause as IncidentDetail["cause"] });
  const healthy = node("db", { kind: "resource", status: "healthy", reason: null });
  expect(incidentMarkdown(mended, { names, now, link: "https://x", board: board([healthy]) })).toContain("\n- heard: “pool exhausted”\n");
  const over = incident(1, { status: "resolved", resolved_at: "2026-10-24T12:03:00.000Z" });
  expect(incidentMarkdown(over, { names, now, link: "https://x" })).toContain("- who: nobody took it\n");
  // Only what a service really said is a quotation.
  const told = (reason: string): string =>
    incidentMarkdown(incident(1), { names, now, link: "https://x", board: board([node("db", { status: "degraded", reason })]) });
  expect(told("calls itself healthy, 2 of 2 dependents report it down")).toContain(
    "\n- state: calls itself healthy, 2 of 2 dependents report it down\n",
  );
  expect(told("pool: exhausted")).toContain("\n- says: pool: “exhausted”\n");
});

test("a report calls systems by their names, says of a link both ends, and tells who acknowledged until when", () => {
  const at = "2026-10-24T12:02:00.000Z";
  const said = (when: string, text: string): IncidentDetail["events"][number] => ({ at: when, kind: "ack", node: null, text, by: "robin" });
  const one = incident(1, {
    cause: { ...(incident(1).cause as NonNullable<IncidentDetail["cause"]>), kind: "link", link: { from: "api", to: "db" } },
    systems: [
      { id: "shop", effect: "degraded" },
      { id: "gone", effect: "unhealthy" },
    ],
    acked: { by: "robin", at, until: "2026-10-24T12:32:00.000Z", note: "failing over" },
  });
  const detail = { ...one, paths: {}, events: [said(at, "failing over"), said("2026-10-24T12:01:00.000Z", "acknowledged")] };
  const system = { id: "shop", name: "Web shop", status: "degraded", coverage: { known: 1, total: 1 }, members: [] } as const;
  const options = { now, link: "https://x", detail, board: board([], { systems: [{ ...system, members: [] }] }) };
  const lines = incidentMarkdown(detail, { ...options, names: (id) => (id === "api" ? "API" : id) }).split("\n");
  expect(lines[0]).toBe("## Incident 1: API → db");
  expect(lines).toContain("Systems: Web shop degraded, gone unhealthy");
  expect(lines).toContain("| 2026-10-24 12:02:00 | acknowledged by robin until 2026-10-24 12:32:00 UTC: failing over |");
  expect(lines).toContain("| 2026-10-24 12:01:00 | acknowledged by robin |");
});

test("text of services and people cannot write markup, tables or lines of its own", () => {
  const hostile = "a | b <script>\n# x [y](z) \u202e`";
  const one = incident(1, { cause: null, kind: "undetermined", candidates: [{ node: "dns", confidence: 0.4, why: hostile }] });
  const line = incidentMarkdown(one, { names, now, link: "https://x" })
    .split("\n")
    .find((text) => text.includes("dns"));
  expect(line).toBe("- dns (0.40): a \\| b \\<script\\> \\# x \\[y\\](z)  \\`");
});
