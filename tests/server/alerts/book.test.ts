import { describe, expect, it, test } from "vitest";
import { advanceBook, type Book, EMPTY_BOOK, repetitions, withoutRevived } from "../../../server/src/alerts/book.ts";
import type { Incident } from "../../../server/src/domain/incident.ts";
import { incident, mapOf, NOW, resource, service } from "../../support/live.ts";

const map = mapOf([
  resource("orders-db", { team: "data", links: { runbook: "https://runbooks.example/orders-db" } }),
  resource("cache", {}),
  service("web", []),
]);
const facts = { site: "eu-1", map, now: NOW };
const down = (changes: Partial<Incident> = {}, id = 7, anchor = "orders-db") => incident(id, anchor, changes);
const over = (changes: Partial<Incident> = {}, id = 7, anchor = "orders-db") =>
  down({ status: "resolved", resolvedAt: NOW, end: "cleared", ...changes }, id, anchor);
const sure = (confidence: number, changes = {}) => {
  const { cause } = down();
  return cause && { ...cause, confidence, ...changes };
};
const said = (book: Book, incidents: readonly Incident[], now = NOW) => {
  const step = advanceBook(book, incidents, { ...facts, now });
  return { book: step.book, said: step.alerts.map(({ event, incident: { id } }) => `${event} ${id}`) };
};
const told = advanceBook(EMPTY_BOOK, [down()], facts).book;

test.each<[string, Book, Incident[], string[]]>([
  ["an incident opens", EMPTY_BOOK, [down()], ["opened 7"]],
  ["a ticket opens", EMPTY_BOOK, [down({ severity: "ticket" })], ["opened 7"]],
  ["one without effect opens", EMPTY_BOOK, [down({ severity: "info" })], []],
  ["announced work begins", EMPTY_BOOK, [down({ kind: "maintenance", severity: "info" })], []],
  ["one without effect ends", said(EMPTY_BOOK, [down({ severity: "info" })]).book, [over({ severity: "info" })], []],
  ["nothing happens", told, [down()], []],
  ["we grow surer", told, [down({ cause: sure(0.99) })], []],
  ["more suffer", told, [down({ impacted: [{ node: "web", since: NOW }] })], []],
  ["somebody acknowledges", told, [down({ acked: { by: "ann", at: NOW, until: null, note: null } })], []],
  ["it can no longer be seen", told, [down({ unverifiedSince: NOW })], []],
  ["it recovers", told, [down({ status: "recovering", recoveringAt: NOW })], []],
  ["it comes back while recovering", said(told, [down({ status: "recovering", recoveringAt: NOW })]).book, [down()], []],
  ["it gets milder", told, [down({ severity: "ticket" })], ["updated 7"]],
  ["it loses its effect: no all-clear", told, [down({ severity: "info" })], ["updated 7"]],
  [
    "it turns out to be a link",
    told,
    [down({ cause: sure(0.9, { kind: "link", link: { from: "web", to: "orders-db" } }) })],
    ["updated 7"],
  ],
  ["it is cleared", told, [over()], ["resolved 7"]],
  ["its node left the map", told, [over({ end: "removed_from_map" })], ["resolved 7"]],
  ["work on it is announced", told, [down({ kind: "maintenance", severity: "info" })], ["resolved 7"]],
  [
    "the announced work is over and it is not",
    said(EMPTY_BOOK, [down({ kind: "maintenance", severity: "info" })]).book,
    [down()],
    ["opened 7"],
  ],
  [
    "the cause moves: the new one first",
    told,
    [over({ end: "absorbed", absorbedBy: 8 }), down({}, 8, "cache")],
    ["opened 8", "resolved 7"],
  ],
  ["two at once", EMPTY_BOOK, [down(), down({}, 8, "cache")], ["opened 7", "opened 8"]],
  ["we start while one is open", EMPTY_BOOK, [down()], ["opened 7"]],
  ["we start after one has ended", EMPTY_BOOK, [over()], ["resolved 7"]],
  ["one came and went between two looks", told, [down(), over({}, 8, "cache")], []],
])("%s", (_what, book, incidents, expected) => {
  expect(said(book, incidents).said).toEqual(expected);
});

describe("an alert", () => {
  it("has five labels, and its true onset", () => {
    const [alert] = advanceBook(EMPTY_BOOK, [down()], facts).alerts;
    expect(alert?.labels).toEqual({ alertname: "HeadwaterIncident", site: "eu-1", node: "orders-db", kind: "cause", team: "data" });
    expect([alert?.startsAt, alert?.endsAt]).toEqual([NOW - 60_000, null]);
    expect(alert?.annotations).toMatchObject({
      summary: "orders-db is unhealthy",
      description: "2 of 2 dependents report it down",
      incident: "7",
      severity: "page",
      confidence: "confirmed, 0.93",
      runbook_url: "https://runbooks.example/orders-db",
    });
  });

  it("has no team where there is none", () => {
    expect(Object.keys(advanceBook(EMPTY_BOOK, [down({}, 8, "cache")], facts).alerts[0]?.labels ?? {})).toEqual([
      "alertname",
      "site",
      "node",
      "kind",
    ]);
  });

  it("moves to new labels with its team, the new one first, under the old labels for the end", () => {
    const moved = mapOf([resource("orders-db", { team: "storage" })]);
    const { alerts, book } = advanceBook(told, [down()], { ...facts, map: moved });
    expect(alerts.map(({ event, labels }) => [event, labels.team])).toEqual([
      ["updated", "storage"],
      ["resolved", "data"],
    ]);
    expect(book.firing.get(7)?.labels.team).toBe("storage");
  });

  it("keeps its labels for its end when its node has left the map", () => {
    const { alerts } = advanceBook(told, [over({ end: "removed_from_map" })], { ...facts, map: mapOf([]) });
    expect(alerts[0]?.labels).toMatchObject({ node: "orders-db", team: "data" });
  });

  it("names each thing that happens alike each time, and no two alike", () => {
    const ids = [
      advanceBook(EMPTY_BOOK, [down()], facts),
      advanceBook(EMPTY_BOOK, [down()], { ...facts, now: NOW + 5_000 }),
      advanceBook(told, [down({ severity: "ticket" })], facts),
      advanceBook(told, [over()], facts),
      advanceBook(EMPTY_BOOK, [over()], facts),
    ].map(({ alerts }) => alerts[0]?.id);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[3]).toBe(ids[4]);
    expect(new Set(ids).size).toBe(3);
  });

  it("holds hostile names and texts as plain lines of bounded length, and few of many victims", () => {
    const why = [`a\u001b[31m\u202eb\r\nc\u0000${"x".repeat(5_000)}`];
    const impacted = Array.from({ length: 500 }, (_, i) => ({ node: `n${i}`, since: NOW }));
    const { annotations } = advanceBook(EMPTY_BOOK, [down({ cause: sure(0.9, { why }), impacted })], facts).alerts[0] ?? {
      annotations: {},
    };
    const texts: string[] = Object.values(annotations);
    expect(texts.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(2_000);
    expect(annotations).toMatchObject({
      impacted: expect.stringMatching(/^n0, .* and 480 more$/),
      summary: "orders-db is unhealthy; 500 suffer from it",
    });
  });

  it("ends after it began, also when the clock was set back", () => {
    const { alerts } = advanceBook(told, [over({ resolvedAt: NOW - 900_000 })], facts);
    expect(alerts[0]?.endsAt).toBeGreaterThan(alerts[0]?.startsAt ?? 0);
  });
});

describe("repetitions", () => {
  it("tell what fires, and for a quarter of an hour what has ended", () => {
    const ended = advanceBook(told, [over(), down({}, 8, "cache")], facts).book;
    const repeated = (book: Book) =>
      repetitions(book).map(({ incident: { id }, endsAt }) => `${id} ${endsAt === null ? "fires" : "ended"}`);
    expect(repeated(ended)).toEqual(["8 fires", "7 ended"]);
    const later = advanceBook(ended, [over(), down({}, 8, "cache")], { ...facts, now: NOW + 900_000 }).book;
    expect(repeated(later)).toEqual(["8 fires"]);
  });

  it("leave out an end whose labels fire anew", () => {
    const { book, alerts } = advanceBook(told, [over(), down({}, 9)], facts);
    expect(repetitions(book).map(({ incident: { id } }) => id)).toEqual([9]);
    expect(withoutRevived(alerts, book.firing.values()).map(({ incident: { id } }) => id)).toEqual([9]);
  });

  it("are bounded", () => {
    const many = Array.from({ length: 3_000 }, (_, i) => over({}, i, `n${i}`));
    expect(advanceBook(EMPTY_BOOK, many, facts).book.ended).toHaveLength(1_000);
  });
});
