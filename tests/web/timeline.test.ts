import { describe, expect, test } from "vitest";
import { eventLine } from "../../web/src/model/eventWords.ts";
import { replayRange } from "../../web/src/model/replay.ts";
import { asSentence } from "../../web/src/model/sentence.ts";
import { type Event, foldBursts, inNames, isBurst } from "../../web/src/model/timeline.ts";

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
  const called: Record<string, string> = {
    db: "Orders database",
    web: "Web shop",
    "pay.v2": "Payments",
    search: "Search",
    reports: "Reporting",
    error: "Errors",
  };
  const named = inNames((id) => called[id] ?? id);
  test.each([
    ["web suffers from it", "Web shop suffers from it"],
    ["2 of 2 report db down, first web.", "2 of 2 report Orders database down, first Web shop."],
    ["waiting for pay.v2, web", "waiting for Payments, Web shop"],
    ["2 dependents report it up: search, web", "2 dependents report it up: Search, Web shop"],
    ["search's own report says healthy", "Search's own report says healthy"],
    ["db-replica and webs are others", "db-replica and webs are others"],
    ["instance web/a of web", "instance web/a of Web shop"],
    ["1 dependent reports it down (error)", "1 dependent reports it down (error)"],
  ])("%s", (text, words) => {
    expect(named(text)).toBe(words);
  });

  test("stand in an event's line, but for what people wrote", () => {
    const names = (id: string): string => called[id] ?? id;
    const say = (kind: string, node: string | null, text: string, by: string | null = null): string =>
      eventLine({ ...event(kind, 0, node), text, by }, names);
    expect(say("opened", "web", "web cannot use search (likely, 0.89)")).toBe("opened: Web shop cannot use Search (likely, 0.89)");
    expect(say("impact", "pay.v2", "pay.v2 suffers from it")).toBe("Payments became impacted");
    expect(say("recovering", "web", "web can use search again; waiting for pay.v2")).toBe(
      "Web shop can use Search again; waiting for Payments",
    );
    expect(say("severity", "web", "info → page")).toBe("severity: from no alert to a page");
    expect(say("severity", "web", "the announced work on web is over and the trouble is not")).toBe(
      "severity: the announced work on Web shop is over and the trouble is not",
    );
    expect(say("note", null, "web is slow", "robin")).toBe("robin: web is slow");
    expect(say("change", "web", "version 12", "robin")).toBe("change on Web shop: version 12 by robin");
    expect(say("ack", null, "failing over", "robin")).toBe("acknowledged by robin: failing over");
  });

  test("begin with a capital, but for those that begin with a node", () => {
    const said = asSentence([{ id: "db" }, { id: "web" }], (id) => (id === "db" ? "db-1" : id));
    expect([said("it failed first"), said("db was failing"), said("web: no answer"), said("")]).toEqual([
      "It failed first",
      "db-1 was failing",
      "web: no answer",
      "",
    ]);
  });
});
