import { describe, expect, test } from "vitest";
import { incidentsByNode } from "../../../server/src/analysis/membership.ts";
import type { Cause, Incident, Verdict } from "../../../server/src/domain/incident.ts";
import type { Role } from "../../../server/src/domain/status.ts";
import { incident } from "../engine/make.ts";

function cause(node: string): Cause {
  return { node, kind: "node", severity: "unhealthy", confidence: 0.9, level: "confirmed", firstSeen: 0, why: [], against: [] };
}

/** A verdict with one cause a node named, and the roles given as [node, role, index of the cause]. */
function verdict(causes: readonly string[], roles: readonly [string, Role, number][]): Verdict {
  return {
    causes: causes.map(cause),
    roles: new Map(roles.map(([node, role, index]) => [node, { role, cause: index }])),
    steps: new Map(),
    unexplained: [],
    blind: false,
  };
}

const OPEN = { status: "open", resolvedAt: null, end: null } as const;
const db = incident({ id: 1, anchor: "db", cause: cause("db"), impacted: [{ node: "shop", since: 0 }], atRisk: ["web"], ...OPEN });
const mq = incident({ id: 2, anchor: "mq", cause: cause("mq"), impacted: [{ node: "shop", since: 0 }], ...OPEN });

describe("the incident that a node belongs to", () => {
  test.each<[string, readonly Incident[], Verdict, Record<string, number>]>([
    ["its own, one that it suffers from, or one that it may suffer from", [db], verdict([], []), { db: 1, shop: 1, web: 1 }],
    [
      "that of the cause that the verdict gives it",
      [db, mq],
      verdict(["db", "mq"], [["shop", "impacted", 1]]),
      { db: 1, mq: 2, shop: 2, web: 1 },
    ],
    ["its own before one that explains it", [mq, db], verdict(["db"], [["mq", "impacted", 0]]), { mq: 2, db: 1, shop: 2, web: 1 }],
    ["none where it is resolved", [{ ...db, status: "resolved", resolvedAt: 1, end: "cleared" }], verdict([], []), {}],
  ])("is %s", (_name, incidents, judged, expected) => {
    expect(Object.fromEntries(incidentsByNode({ incidents, verdict: judged }))).toEqual(expected);
  });
});
