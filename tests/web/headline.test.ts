import { describe, expect, test } from "vitest";
import type { Board, Incident, NodeView } from "../../server/src/contract/index.ts";
import {
  alsoSentence,
  areTaken,
  byCause,
  emphasise,
  headlineOf,
  joinEvidence,
  onsetOrder,
  openIncidents,
  pageTitle,
  quietHeadline,
  sinceItsOnset,
  spokenState,
  stillWaiting,
  whoHas,
} from "../../web/src/model/headline.ts";
import { dissentersFirst, nodeSecond, ownWords, turnWords, witnessWords } from "../../web/src/model/nodeWords.ts";
import { notices } from "../../web/src/model/notices.ts";
import { board, incident, node } from "./make.ts";

const names = (id: string): string => id;
const since = "2026-10-24T12:00:15.000Z";
const victim = { node: "api", since };
const cause = (change: object) => ({ ...incident(1).cause, ...change }) as NonNullable<Incident["cause"]>;
const say = (change: Partial<Incident>, status: NodeView["status"] | null = "unhealthy"): (string | null)[] => {
  const line = headlineOf(
    incident(1, change),
    status === null ? [] : [node("db", { status }), node("api", { status: "degraded" }), node("web")],
    names,
  );
  return [line.tone, line.symbol, line.first, line.second];
};

test("a cause is as old as its first sign, however often its state changed", () => {
  const [early, late] = ["2026-10-24T12:00:10.000Z", "2026-10-24T12:00:40.000Z"];
  const caused = incident(1, { cause: cause({ first_seen: since }) });
  expect(sinceItsOnset(node("db", { status: "unhealthy", since: late }), caused).since).toBe(since);
  expect(sinceItsOnset(node("db", { status: "unhealthy", since: early }), caused).since).toBe(early);
  expect(sinceItsOnset(node("db", { status: "healthy", since: late }), caused).since).toBe(late);
  expect(sinceItsOnset(node("db", { status: "unhealthy", since: late }), undefined).since).toBe(late);
});

test("somebody has all when each that alerts is acknowledged", () => {
  const acked = { by: "Robin", at: since, until: null, note: null };
  expect(areTaken([incident(1, { acked })])).toBe(true);
  expect(areTaken([incident(1, { acked }), incident(2, { severity: "ticket" })])).toBe(false);
  expect(areTaken([incident(1, { acked }), incident(2, { severity: "info" })])).toBe(true);
  expect(areTaken([])).toBe(false);
});

describe("the headline of an incident", () => {
  test.each<[string, Partial<Incident>, NodeView["status"] | null, (string | null)[]]>([
    [
      "that pages is red",
      { impacted: [victim, victim] },
      "unhealthy",
      ["page", "unhealthy", "db is unhealthy.", "2 services are impacted."],
    ],
    [
      "with one victim counts one",
      { impacted: [victim] },
      "unhealthy",
      ["page", "unhealthy", "db is unhealthy.", "1 service is impacted."],
    ],
    [
      "that is a ticket is amber",
      { severity: "ticket" },
      "degraded",
      ["ticket", "degraded", "db is degraded.", "No other node is impacted."],
    ],
    ["whose cause is silent says so", {}, "unknown", ["page", "unhealthy", "db does not answer.", "No other node is impacted."]],
    ["whose cause left the map still names it", {}, null, ["page", "unhealthy", "db is failing.", "No other node is impacted."]],
    [
      "of a link names both ends",
      { cause: cause({ kind: "link", link: { from: "api", to: "db" } }) },
      "healthy",
      ["page", "unhealthy", "api cannot use db.", "No other node is impacted."],
    ],
    [
      "of an instance names it",
      { severity: "ticket", cause: cause({ kind: "instance", instance: "db/c" }) },
      "degraded",
      ["ticket", "degraded", "Instance db/c is failing.", "No other node is impacted."],
    ],
    [
      "of a zone names that",
      { cause: cause({ kind: "zone", zone: "a" }) },
      "unknown",
      ["page", "unhealthy", "Zone a is silent.", "No other node is impacted."],
    ],
    [
      "without a cause does not guess",
      { kind: "undetermined", cause: null, impacted: [victim], candidates: [{ node: "dns", confidence: 0.4, why: "" }] },
      null,
      ["unsure", "unknown", "No cause identified.", "2 services fail. Candidates: dns."],
    ],
    [
      "counts what failed first among them while it fails",
      { kind: "undetermined", cause: null, impacted: [victim], candidates: [] },
      "healthy",
      ["unsure", "unknown", "No cause identified.", "1 service fails."],
    ],
    [
      "of visibility claims nothing",
      { kind: "visibility", cause: null },
      "unknown",
      ["unsure", "unknown", "db cannot be seen.", "Whether it works is unknown."],
    ],
    [
      "of announced work is quiet",
      { kind: "maintenance", severity: "info" },
      "unhealthy",
      ["quiet", "maintenance", "db is in maintenance.", "No other node is impacted."],
    ],
    [
      "that recovers waits for its victims",
      { status: "recovering", impacted: [victim, { node: "web", since }] },
      "healthy",
      ["ticket", "degraded", "db is recovering.", "1 service waits for a good result."],
    ],
    [
      "that recovers with all its victims waits for none",
      { status: "recovering", impacted: [{ node: "web", since }] },
      "healthy",
      ["ticket", "degraded", "db is recovering.", "Nothing is impacted any more."],
    ],
    [
      "that alerts nobody has no colour",
      { severity: "info" },
      "degraded",
      ["quiet", "degraded-o", "db is degraded.", "No other node is impacted."],
    ],
    [
      "that alerted nobody has none while it recovers",
      { severity: "info", status: "recovering" },
      "healthy",
      ["quiet", "degraded-o", "db is recovering.", "Nothing is impacted any more."],
    ],
    [
      "of a link that is over says which",
      { status: "resolved", cause: cause({ kind: "link", link: { from: "api", to: "db" } }) },
      "healthy",
      ["quiet", "healthy", "api → db has recovered.", "No other node was impacted."],
    ],
    [
      "that is over is quiet",
      { status: "resolved", impacted: [victim] },
      "healthy",
      ["quiet", "healthy", "db has recovered.", "1 service was impacted."],
    ],
  ])("%s", (_, change, status, expected) => expect(say(change, status)).toEqual(expected));

  test("what recovers waits for victims that are bad, stale or unknown, not for those of another", () => {
    const nodes = [
      node("fine"),
      node("old", { stale: true }),
      node("silent", { status: "unknown" }),
      node("bad", { status: "degraded", role: "impacted", incident: 1 }),
      node("own", { status: "degraded", role: "root_cause", incident: 2 }),
      node("another's", { status: "degraded", role: "impacted", incident: 2 }),
      node("none of them", { status: "unhealthy" }),
    ];
    const impacted = nodes.slice(0, -1).map((one) => ({ node: one.id, since }));
    expect(stillWaiting(incident(1, { status: "recovering", impacted }), nodes)).toBe(4);
  });

  test("worst first, then the oldest; announced work last, what is over not at all", () => {
    const list = [
      incident(1, { kind: "maintenance", severity: "info" }),
      incident(2, { severity: "ticket" }),
      incident(3, { opened_at: "2026-10-24T12:05:00.000Z" }),
      incident(4),
      incident(5, { status: "resolved" }),
      incident(6, { status: "recovering" }),
    ];
    expect(openIncidents(list).map((one) => one.id)).toEqual([4, 3, 6, 2, 1]);
  });

  test("of several with one cause the first to read stands for it", () => {
    const list = openIncidents([
      incident(1, { severity: "ticket" }),
      incident(2),
      incident(3, { anchor: "api", cause: cause({ node: "api" }) }),
    ]);
    const found = byCause(list);
    expect([found.size, found.get("db")?.id, found.get("api")?.id]).toEqual([2, 2, 3]);
  });

  test("a victim with a second fault is told apart", () => {
    const second = incident(2, { anchor: "api", cause: cause({ node: "api" }) });
    expect(alsoSentence(second, [node("api", { status: "degraded" })], names, incident(1, { impacted: [victim] }))).toBe(
      "api also has a fault of its own.",
    );
    expect(alsoSentence(second, [node("api", { status: "degraded" })], names, incident(1))).toBe("api is degraded.");
  });

  test("victims stand in the order of their onset, who was unwell before the cause last", () => {
    const one = incident(1, {
      impacted: [
        { node: "late", since: "2026-10-24T12:01:00.000Z" },
        { node: "before", since: "2026-10-24T11:00:00.000Z" },
        { node: "b", since },
        { node: "a", since },
      ],
    });
    expect(onsetOrder(one)).toEqual([
      { node: "a", after: 15_000 },
      { node: "b", after: 15_000 },
      { node: "late", after: 60_000 },
      { node: "before", after: -3_600_000 },
    ]);
  });

  test("evidence reads as sentences, fragments too", () => {
    expect(joinEvidence(["It failed first.", "4 of 4 say down"])).toBe("It failed first. 4 of 4 say down.");
    expect(joinEvidence(["12 of 12 say down", "explains 14 others"])).toBe("12 of 12 say down; explains 14 others.");
  });

  test("counts are set bold", () =>
    expect(emphasise("4 of 4 say down, 1 does not")).toEqual([
      { text: "4 of 4", strong: true },
      { text: " say down, 1 does not", strong: false },
    ]));

  test("who has it, and until when", () => {
    const acked = { by: "on-call", at: since, until: "2026-10-24T12:34:00.000Z", note: null };
    expect(whoHas(incident(1), () => "")).toBe("Nobody has it yet.");
    expect(whoHas(incident(1, { acked }), () => "12:34")).toBe("on-call has it until 12:34.");
    expect(whoHas(incident(1, { acked: { ...acked, until: null } }), () => "")).toBe("on-call has it.");
  });
});

describe("the board without an incident", () => {
  test.each<[string, NodeView[], Partial<Board["freshness"]>, string, string | null, string]>([
    ["is quiet when all report healthy", [node("a"), node("b")], {}, "All 2 report healthy.", null, "healthy"],
    ["names what is unknown", [node("a"), node("b", { status: "unknown" })], {}, "1 of 2 report healthy.", "b is unknown.", "unknown"],
    ["names what is not healthy", [node("a"), node("b", { status: "degraded" })], {}, "1 of 2 report healthy.", "b is not.", "degraded"],
    [
      "shows no check while stale",
      [node("a"), node("b")],
      { stale: true, because: ["overdue"] },
      "2 of 2 report healthy.",
      null,
      "unknown",
    ],
    [
      "waits after a start",
      [node("a", { status: "unknown" })],
      { stale: true, because: ["starting"] },
      "Waiting for the first answers.",
      "None has come since Headwater started.",
      "unknown",
    ],
    ["claims nothing for an empty map", [], {}, "The map is empty.", "Nothing is watched.", "unknown"],
  ])("%s", (_, nodes, freshness, first, second, symbol) => {
    const line = quietHeadline(board(nodes, { freshness: { ...board([]).freshness, ...freshness } }));
    expect([line.first, line.second, line.symbol]).toEqual([first, second, symbol]);
  });
});

describe("the title", () => {
  const open = (change: Partial<Board>): Board => board([node("db", { status: "unhealthy" })], change);
  test.each<[string, Board, boolean, string | null, string]>([
    [
      "counts causes, not victims",
      open({ incidents: [incident(1, { impacted: [victim, victim] })] }),
      true,
      null,
      "(1) ✕ Headwater eu-1: db",
    ],
    ["names the page elsewhere", open({ incidents: [incident(1)] }), true, "Map", "(1) ✕ Map, Headwater eu-1"],
    ["marks a ticket differently", open({ incidents: [incident(1, { severity: "ticket" })] }), true, null, "(1) ▲ Headwater eu-1: db"],
    [
      "leaves out what alerts nobody",
      open({ incidents: [incident(1, { severity: "info" }), incident(2, { kind: "maintenance" })] }),
      true,
      null,
      "Headwater eu-1",
    ],
    ["says that the line is down", open({}), false, null, "⚠ not connected, Headwater eu-1"],
    ["says that we are blind", open({ freshness: { ...board([]).freshness, blind: true } }), true, null, "? blind, Headwater eu-1"],
  ])("%s", (_, one, connected, page, title) => expect(pageTitle(one, names, connected, page)).toBe(title));

  test("what a screen reader hears is the headline", () => {
    const two = open({ incidents: [incident(1, { impacted: [victim] }), incident(2, { severity: "ticket" })] });
    expect(spokenState(two, names)).toBe("db is unhealthy. 1 service is impacted. 1 more incident.");
  });
});

describe("Headwater's own trouble", () => {
  test("is told apart, each in its own words", () => {
    const freshness = {
      ...board([]).freshness,
      stale: true,
      because: ["overdue", "history"] as Board["freshness"]["because"],
      poller_lag_ms: 20_400,
    };
    const problem = { file: "map/a.yaml", line: 41, column: 16, code: "unknown_key", message: "unknown key `intervall`" };
    const map = { revision: 1, loaded_at: since, refused: { at: since, problems: [problem, problem] } };
    const found = notices(board([], { freshness, map }), () => "12:00");
    expect(found.map((one) => [one.key, one.title])).toEqual([
      ["stale", "What you see may be old."],
      ["map", "A newer map was refused."],
      ["lag", "The poller is behind by 20 s."],
    ]);
    expect(found[1]?.text).toContain("map/a.yaml:41:16 unknown key `intervall`, and 1 more.");
  });
  test("is not there when all is well", () => expect(notices(board([node("a")]), () => "")).toEqual([]));
});

describe("the sentence behind a node's state", () => {
  const said = (change: Partial<NodeView>, incidents: Incident[] = [], until: string | null = null): string | null => {
    const sentence = nodeSecond(node("api", { status: "unhealthy", ...change }), incidents, names, until);
    return sentence && sentence.before + sentence.link + sentence.after;
  };
  const hit = { impacted: [victim] };
  const anchored = { anchor: "api", cause: null };
  const mending = { pending: { status: "healthy" as const, count: 1, needed: 2 } };
  test.each<[string, Partial<NodeView>, Incident[], string | null]>([
    ["a cause", { role: "root_cause", incident: 1 }, [incident(1, anchored)], "It is the cause of incident 1."],
    ["a victim", { role: "impacted", incident: 1 }, [incident(1, hit)], "Because of db."],
    ["a victim of what recovers", { role: "impacted" }, [incident(1, { ...hit, status: "recovering" })], "Its cause, db, is recovering."],
    ["a victim without a role any more", {}, [incident(1, { ...hit, status: "recovering" })], "Its cause, db, is recovering."],
    ["a cause that recovers", { status: "degraded" }, [incident(1, { ...anchored, status: "recovering" })], "It recovers from incident 1."],
    ["one that is in no trouble of its own any more", {}, [incident(1, hit)], "Incident 1 is not over yet."],
    [
      "one of several in trouble",
      { incident: 1 },
      [incident(1, { ...anchored, kind: "undetermined" })],
      "No cause identified, incident 1.",
    ],
    [
      "one blamed while its cause's incident runs on",
      { role: "root_cause", incident: 1 },
      [incident(1, hit)],
      "Incident 1 is not over yet.",
    ],
    ["trouble of which no incident tells", {}, [], "A fault of its own."],
    [
      "trouble beside an incident that it is only at risk from",
      { incident: 7 },
      [incident(7, { at_risk: ["api"] })],
      "A fault of its own.",
    ],
    [
      "a part in what goes on beside that",
      { incident: 7 },
      [incident(7, { at_risk: ["api"] }), incident(8, hit)],
      "Incident 8 is not over yet.",
    ],
    ["the same while it mends", mending, [], "It is getting better."],
    ["what turns to no one knows what", { pending: { ...mending.pending, status: "critical" as "unknown" } }, [], "A fault of its own."],
    ["what turns unknown", { pending: { ...mending.pending, status: "unknown" } }, [], "A fault of its own."],
    ["a node that is well", { status: "healthy", role: "at_risk" }, [incident(1, hit)], null],
    ["silence", { status: "unknown", reason: "timeout at 2 s" }, [], "Timeout at 2 s."],
  ])("of %s", (_, change, incidents, words) => expect(said(change, incidents)).toBe(words));

  test("of announced work is when it ends", () => {
    const marks: NodeView["marks"] = ["maintenance"];
    expect(said({ marks }, [], "14:30")).toBe("Announced work until 14:30.");
    expect(said({ marks, role: "root_cause" }, [incident(3, { ...anchored, kind: "maintenance" })])).toBe("Announced work, incident 3.");
  });
});

describe("a node's own word", () => {
  const told = (change: Partial<NodeView>, own_word: NodeView["status"] | null, then: Partial<NodeView> = change): string | null =>
    ownWords({ own_word, node: node("api", then) }, node("api", change), names);
  const held: Partial<NodeView> = { status: "unhealthy", reason: "db: connection refused" };
  const pending = { status: "healthy" as const, count: 1, needed: 2 };
  test.each<[string, string | null, string | null]>([
    [
      "is told where it differs",
      told(held, "healthy"),
      "Its own word is healthy; Headwater holds it to be unhealthy: db: connection refused.",
    ],
    [
      "is told once",
      told({ status: "degraded", reason: "calls itself healthy, 2 of 2 dependents report it down" }, "healthy"),
      "Calls itself healthy, 2 of 2 dependents report it down.",
    ],
    ["is not told as a dispute while it is being confirmed", told({ ...held, pending }, "healthy"), null],
    ["is not told of another moment", told({ status: "healthy" }, "unhealthy", held), null],
    ["is not told where it is the state", told(held, "unhealthy"), null],
  ])("%s", (_, text, words) => expect(text).toBe(words));

  test("of now is told as results that turn", () => {
    expect(turnWords(node("api", { pending: { ...pending, every_ms: 5_000 } }))).toBe(
      "Its results turn healthy: 1 of 2, confirms in about 5 s.",
    );
    expect(turnWords(node("api"))).toBe(null);
  });
});

test.each<[string, [status: "up" | "degraded" | "down" | "unknown", damped?: "up" | "degraded" | "down"][]]>([
  ["no dependent reports on it", []],
  ["3 of 3 that count say degraded", [["degraded"], ["degraded"], ["degraded"]]],
  ["2 of 3 that count say degraded, 1 not confirmed", [["degraded", "up"], ["degraded"], ["up"]]],
  ["1 of 2 that count say down", [["degraded"], ["down"]]],
  ["2 of 3 that count say up", [["up"], ["down"], ["up"]]],
  ["1 of 2 that count say up", [["unknown"], ["up"]]],
  ["nobody can tell", [["unknown"], ["unknown"]]],
])("witnesses are counted by what most of them say: %s", (words, said) => {
  const witnesses = said.map(([status, damped], place) => ({
    from: `n${place}`,
    criticality: "hard" as const,
    status,
    damped: damped ?? status,
    error: null,
    latency_ms: null,
    checked_at: null,
    age_ms: null,
    counts: true,
  }));
  expect(witnessWords({ witnesses: [...witnesses, ...witnesses.map((one) => ({ ...one, status: "up" as const, counts: false }))] })).toBe(
    words,
  );
});

test("a shortened list of witnesses begins with those that few agree with, and ends with those that do not count", () => {
  const witness = (from: string, status: "up" | "degraded" | "down", counts = true) => ({
    from,
    criticality: "hard" as const,
    status,
    damped: status,
    latency_ms: null,
    checked_at: null,
    error: null,
    age_ms: null,
    counts,
  });
  const witnesses = [
    witness("silent", "up", false),
    witness("a", "down"),
    witness("b", "down"),
    witness("slow", "degraded"),
    witness("c", "down"),
    witness("fine", "up"),
    witness("well", "up"),
  ];
  expect(dissentersFirst({ witnesses }).map((one) => one.from)).toEqual(["slow", "fine", "well", "a", "b", "c", "silent"]);
});
