import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Incident, NodeView } from "../../server/src/contract/index.ts";
import { OUTCOMES, STATUSES } from "../../server/src/domain/status.ts";
import { silence, trouble } from "../../server/src/state/reasons.ts";
import { headlineOf } from "../../web/src/model/headline.ts";
import { heardOf, noteOf } from "../../web/src/model/note.ts";
import { nowKind } from "../../web/src/model/nowKind.ts";
import { faceOf, isAccountedFor, lookOf, markOf, victimMark } from "../../web/src/model/status.ts";
import { incident, node } from "./make.ts";

describe("marks", () => {
  test.each<[string, Partial<NodeView>, string, string, string]>([
    ["a healthy node is a quiet check", {}, "healthy", "healthy", "healthy"],
    ["a cause is solid and coloured", { status: "unhealthy", role: "root_cause" }, "cause", "unhealthy", "unhealthy"],
    ["an impacted node is hollow and grey", { status: "unhealthy", role: "impacted" }, "impacted", "unhealthy-o", "grey"],
    ["an impacted degraded node too", { status: "degraded", role: "impacted" }, "impacted", "degraded-o", "grey"],
    ["trouble without a role is a fault of its own", { status: "degraded" }, "own", "degraded", "degraded"],
    ["what cannot be told is a diamond", { status: "unknown" }, "unknown", "unknown", "unknown"],
    ["a node at risk is still healthy", { role: "at_risk" }, "healthy", "healthy", "healthy"],
    ["a cause that does not answer is an octagon", { status: "unknown", role: "root_cause" }, "cause", "unhealthy", "unhealthy"],
    ["a cause that calls itself healthy is no check", { role: "root_cause" }, "cause", "degraded", "degraded"],
    [
      "announced work is a square",
      { status: "unhealthy", role: "root_cause", marks: ["maintenance"] },
      "maintenance",
      "maintenance",
      "grey",
    ],
  ])("%s", (_, change, face, symbol, tone) => {
    const one = node("a", change);
    expect(faceOf(one)).toBe(face);
    expect(markOf(one)).toEqual({ symbol, tone });
    expect(isAccountedFor(one)).toBe(face === "impacted" || face === "maintenance");
  });

  test.each<[string, string | undefined, boolean, string, string]>([
    ["a victim is hollow and grey, by its status of then", "unhealthy", false, "unhealthy-o", "grey"],
    ["one that is not known, or was good, has the mildest shape", undefined, false, "degraded-o", "grey"],
    ["the same of a status of good", "healthy", false, "degraded-o", "grey"],
    ["what could not be told is no octagon", "unknown", false, "unknown", "unknown"],
    ["where nothing explains it, it is solid", "unhealthy", true, "unhealthy", "unhealthy"],
  ])("%s", (_, status, solid, symbol, tone) => {
    expect(victimMark(status, solid)).toEqual({ symbol, tone });
  });

  test.each<[NodeView["status"], Incident["severity"], string, string]>([
    ["unhealthy", "page", "unhealthy", "unhealthy"],
    ["unhealthy", "ticket", "unhealthy", "unhealthy"],
    ["unhealthy", "info", "unhealthy-o", "grey"],
    ["degraded", "page", "degraded", "degraded"],
    ["degraded", "info", "degraded-o", "grey"],
    ["unknown", "ticket", "unhealthy", "unhealthy"],
    ["healthy", "page", "unhealthy", "unhealthy"],
    ["healthy", "ticket", "degraded", "degraded"],
  ])("a cause that is %s, of severity %s, has the mark of its row in its headline too", (status, severity, symbol, tone) => {
    const one = node("db", { status, role: "root_cause" });
    expect(markOf(one, severity)).toEqual({ symbol, tone });
    const line = headlineOf(incident(1, { severity }), [one], (id) => id);
    expect([line.symbol, line.markTone]).toEqual([symbol, tone]);
  });

  test("a word that this page does not know is unknown, never healthy", () => {
    expect(lookOf("critical").word).toBe("unknown");
    expect(lookOf("toString").word).toBe("unknown");
    expect(markOf(node("a", { status: "critical" as NodeView["status"] })).symbol).toBe("unknown");
  });
});

test.each([
  ["ok", { status: "healthy" }],
  ["ok", { status: "healthy", role: "impacted" }],
  ["because", { status: "degraded", role: "impacted" }],
  ["because", { status: "unhealthy", marks: ["maintenance"] }],
  ["unhealthy", { status: "unhealthy", role: "root_cause" }],
  ["unhealthy", { status: "unknown", role: "root_cause" }],
  ["degraded", { status: "degraded" }],
  ["unknown", { status: "unknown", role: "impacted" }],
] as const)("a strip ends %s for %o", (kind, change) => {
  expect(nowKind(node("a", change as Partial<NodeView>))).toBe(kind);
});

describe("the note beside a word", () => {
  test.each<[string, Partial<NodeView>, string, string | null]>([
    ["nothing is said of a healthy node", { reason: "all good" }, "", null],
    [
      "a change being confirmed comes first",
      { pending: { status: "degraded", count: 2, needed: 3 }, stale: true },
      "degraded 2 of 3",
      "pending",
    ],
    [
      "how soon it is confirmed is told where results have a rhythm",
      { pending: { status: "unhealthy", count: 1, needed: 3, every_ms: 10_000 } },
      "unhealthy 1 of 3, about 20 s",
      "pending",
    ],
    [
      "a cause says its reason",
      { status: "unhealthy", role: "root_cause", reason: "connection refused" },
      "cause, connection refused",
      null,
    ],
    [
      "a resource says nothing itself: its witnesses do",
      { kind: "resource", status: "unhealthy", role: "root_cause", reason: "12 of 12 dependents report it down: connection refused" },
      "cause, connection refused",
      null,
    ],
    ["a stale one says so", { status: "unknown", stale: true, reason: "timeout at 2 s" }, "stale, timeout at 2 s", "stale"],
    [
      "what was known before is told",
      { status: "unknown", last_known: { status: "healthy", at: "2026-10-24T12:00:00.000Z" }, reason: "blind" },
      "was healthy, blind",
      "stale",
    ],
    ["an intermittent one shows its sign", { marks: ["intermittent"], reason: "5 of 20 timed out" }, "5 of 20 timed out", "flapping"],
    ["a draining one is named", { status: "unknown", marks: ["draining"] }, "draining", null],
  ])("%s", (_, change, text, glyph) => {
    const note = noteOf(node("a", change), (id) => id);
    expect([note.text, note.glyph]).toEqual([text, glyph]);
  });
});

test("a note calls what it names by its name, and of what says nothing itself tells what is heard", () => {
  const names = (id: string): string => (id === "shop-db" ? "Shop database" : id);
  const text = (reason: string | null, change: Partial<NodeView> = {}) =>
    noteOf(node("a", { status: "unhealthy", reason, ...change }), names).text;
  expect(text("shop-db: gone", { every_ms: 10_000, role: "root_cause" })).toBe("cause, Shop database: gone");
  expect(text("calls itself unhealthy; shop-db: gone", { every_ms: 10_000 })).toBe("calls itself unhealthy; Shop database: gone");
  expect(text("4 of 4 dependents report it down: refused", { kind: "resource" })).toBe("refused");
  expect(text("4 of 4 dependents report it down", { kind: "resource" })).toBe("4 of 4 dependents report it down");
  expect(text(null)).toBe("");
});

describe("what is quoted of a reason", () => {
  const bad = (reason: string, change: Partial<NodeView> = {}) => heardOf(node("a", { status: "unhealthy", reason, ...change }));
  test.each<[string, string, string, string | null]>([
    ["postgres: timeout after 500 ms", "says", "postgres: ", "timeout after 500 ms"],
    ["shop-db: pool exhausted: 6 of 6 in use", "says", "Shop database: ", "pool exhausted: 6 of 6 in use"],
    ["calls itself unhealthy; cache: gone", "says", "calls itself unhealthy; cache: ", "gone"],
    ["1 of 3 instances unhealthy: disk: full", "says", "1 of 3 instances unhealthy: disk: ", "full"],
    ["12 of 12 dependents report it down: connection refused", "heard", "", "connection refused"],
    ["checkout reports it degraded: slow: 2 s", "heard", "", "slow: 2 s"],
    ["shop-db reports it down", "state", "Shop database reports it down", null],
  ])("%s", (reason, label, own, said) => {
    const names = (id: string): string => (id === "shop-db" ? "Shop database" : id);
    expect(heardOf(node("a", { status: "unhealthy", reason }), names)).toEqual({ label, own, said });
  });

  test("is what a polled service reports, though it has the words of a witness", () => {
    const reason = "db: primary reports it down: timeout after 2 s";
    expect(bad(reason, { every_ms: 10_000 })).toEqual({ label: "says", own: "db: ", said: "primary reports it down: timeout after 2 s" });
    expect(bad("checkout reports it down: timeout after 2 s")).toEqual({ label: "heard", own: "", said: "timeout after 2 s" });
  });

  test("is nothing that Headwater wrote", () => {
    const service = { timeout: 2_000, maxBody: 1_048_576 } as Parameters<typeof silence>[0];
    const silences = OUTCOMES.flatMap((outcome) =>
      [null, 401, 404, 406, 429, 500].map((httpStatus) =>
        silence(service, { outcome, httpStatus, error: outcome === "tls" ? "certificate expired" : null } as Parameters<typeof silence>[1]),
      ),
    );
    const effect = { status: "unhealthy", name: "postgres", down: true, error: null } as const;
    const troubles = [
      trouble({ status: "unhealthy", effect, checksStopped: false }, null),
      trouble({ status: "unhealthy", effect: null, checksStopped: false }, 503),
      trouble({ status: "degraded", effect: null, checksStopped: false }, null),
    ].map(String);
    const ours = [...silences, ...troubles, "calls itself healthy, 2 of 2 dependents report it down", "4 of 4 dependents report it down"];
    for (const reason of [...ours, ...silences.map((one) => `1 of 2 instances unhealthy: ${one}`)])
      expect(bad(reason)).toEqual({ label: "state", own: reason, said: null });
    expect(bad("", { status: "healthy" })).toEqual({ label: "state", own: "healthy", said: null });
  });
});

test("every status has a word, shapes in the sprite and a colour; one without does not compile", () => {
  const sprite = readFileSync(new URL("../../web/src/parts/Sprite.tsx", import.meta.url), "utf8");
  const tokens = readFileSync(new URL("../../web/src/styles/tokens.css", import.meta.url), "utf8");
  for (const status of STATUSES) {
    const look = lookOf(status);
    expect(look.word).toBe(status);
    expect(sprite).toContain(`id="m-${look.solid}"`);
    expect(sprite).toContain(`id="m-${look.hollow}"`);
    expect(tokens).toContain(`--${status}:`);
  }
  const looks = {} as Record<NodeView["status"], ReturnType<typeof lookOf>>;
  // @ts-expect-error a status that has no look yet
  const more: Record<NodeView["status"] | "sleepy", ReturnType<typeof lookOf>> = looks;
  expect(more).toBe(looks);
});
