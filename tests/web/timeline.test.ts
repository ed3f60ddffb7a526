import { describe, expect, test } from "vitest";
import { eventLine } from "../../web/src/model/eventWords.ts";
import { asSentence, type Event, foldBursts, inNames, isBurst, replayRange } from "../../web/src/model/timeline.ts";
import { incident } from "./make.ts";

const START = Date.parse("2026-10-24T12:00:00.000Z");
const at = (second: number): string => new Date(START + second * 1_000).toISOString();
const event = (kind: string, second: number, node: string | null = null): Event => ({ at: at(second), kind, node, text: "", by: null });
const impacts = (...seconds: number[]): Event[] => seconds.map((second) => event("impact", second, `n${second}`));
const told = (events: Event[]): (string | number)[] => foldBursts(events).map((line) => (isBurst(line) ? line.events.length : line.kind));

describe("victims that come together", () => {
  test.each<[string, Event[], (string | number)[]]>([
    ["three are a line each", impacts(1, 2, 3), ["impact", "impact", "impact"]],
    ["four are one line", [event("opened", 0), ...impacts(1, 2, 3, 4)], [4, "opened"]],
    ["a note between parts them", [...impacts(1, 2, 3, 4), event("note", 5), ...impacts(6, 7)], ["impact", "impact", "note", 4]],
    ["a pause of over a minute parts them", impacts(1, 2, 3, 4, 65, 66), ["impact", "impact", 4]],
    ["a slow spread is one burst", impacts(0, 50, 100, 150, 200), [5]],
    ["nothing is nothing", [], []],
  ])("%s", (_, events, lines) => {
    expect(told(events)).toEqual(lines);
    expect(told(events.toReversed())).toEqual(lines);
  });

  test("keep their own moments, from the first to the last", () => {
    const [burst] = foldBursts(impacts(...Array.from({ length: 60 }, (_, index) => index)));
    expect(burst).toMatchObject({ from: at(0), to: at(59) });
    expect(burst && isBurst(burst) && burst.events).toHaveLength(60);
  });
});

test.each<[string, string | null, number, number, number]>([
  ["until now while it lasts", null, 90, -30, 90],
  ["and half a minute after its end", at(60), 600, -30, 90],
  ["but not what is yet to come", at(60), 65, -30, 65],
])("a replay shows the half minute before an incident, %s", (_, resolved_at, now, from, to) => {
  expect(replayRange({ opened_at: at(0), resolved_at }, START + now * 1_000)).toEqual({
    from: START + from * 1_000,
    to: START + to * 1_000,
  });
});

describe("names in the server's sentences", () => {
  const one = incident(1, { anchor: "db", impacted: [{ node: "web", since: at(1) }], at_risk: ["pay.v2"] });
  const named = inNames(one, (id) => ({ db: "Orders database", web: "Web shop", "pay.v2": "Payments", search: "Search" })[id] ?? id);
  test.each([
    ["web suffers from it", "Web shop suffers from it"],
    ["2 of 2 report db down, first web.", "2 of 2 report Orders database down, first Web shop."],
    ["waiting for pay.v2, web", "waiting for Payments, Web shop"],
    ["db-replica and webs are others", "db-replica and webs are others"],
    ["search is not part of it", "search is not part of it"],
    ["instance web/a of web", "instance web/a of Web shop"],
  ])("%s", (text, words) => {
    expect(named(text)).toBe(words);
  });

  test("are given to those that had a part in what is over, which its events name", () => {
    const events = [
      { ...event("opened", 0, "web"), text: "web cannot use search (likely, 0.89)" },
      { ...event("impact", 1, "pay.v2"), text: "pay.v2 suffers from it" },
      { ...event("recovering", 9, "web"), text: "web can use search again; waiting for pay.v2" },
    ];
    const names = (id: string): string => ({ web: "Web shop", search: "Search", "pay.v2": "Payments" })[id] ?? id;
    const over = { ...incident(1, { anchor: "web", status: "resolved" as const }), events };
    expect(events.map((one) => eventLine(one, names, inNames(over, names)))).toEqual([
      "opened: Web shop cannot use Search (likely, 0.89)",
      "Payments became impacted",
      "Web shop can use Search again; waiting for Payments",
    ]);
    const said = { at: at(3), kind: "note", node: null, text: "web is slow", by: "robin" };
    const marked = { at: at(4), kind: "change", node: "web", text: "version 12", by: "robin" };
    const taken = { ...said, kind: "ack", text: "failing over" };
    const told = [said, marked, taken].map((one) => eventLine(one, names, inNames(over, names)));
    expect(told).toEqual(["robin: web is slow", "change on Web shop: version 12 by robin", "acknowledged by robin: failing over"]);
  });

  test("begin with a capital, but for those that begin with a node", () => {
    const said = asSentence(one, (id) => (id === "db" ? "db-1" : id));
    expect([said("it failed first"), said("db was failing"), said("web: no answer"), said("")]).toEqual([
      "It failed first",
      "db-1 was failing",
      "web: no answer",
      "",
    ]);
  });
});
