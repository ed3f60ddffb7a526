import { afterEach, describe, expect, it } from "vitest";
import { stepsTo } from "../../../server/src/api/incidents.ts";
import { IncidentDetail, IncidentList } from "../../../server/src/contract/index.ts";
import { wayAlong } from "../../../server/src/domain/incident.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { edge, incident, mapOf, NOW, service, TestLive } from "../../support/live.ts";

afterEach(closeApps);

const ORIGIN = { origin: "http://localhost", host: "localhost" };
const resolved = { status: "resolved", resolvedAt: NOW - 10_000, end: "cleared" } as const;

describe("the list of incidents", () => {
  it.each([
    ["all", "", [7, 5, 3]],
    ["those not resolved", "?open=true", [7]],
    ["those resolved", "?open=false", [5, 3]],
    ["a page", "?limit=2", [7, 5]],
    ["those below a cursor", "?cursor=5", [3]],
  ])("gives %s, newest first", async (_name, query, ids) => {
    const live = new TestLive();
    live.past.incidents.push(incident(3, "web", resolved), incident(5, "search", resolved));
    const list = IncidentList.strict().parse((await (await appOn(live)).inject(`/api/v1/incidents${query}`)).json());
    expect(list.incidents.map(({ id }) => id)).toEqual(ids);
    expect(list.next).toBe(query === "?limit=2" ? "5" : null);
  });

  it("reads a long page some at a time, and tells where the next one begins", async () => {
    const live = new TestLive();
    live.past.incidents.length = 0;
    for (let id = 1; id <= 130; id++) live.past.incidents.push(incident(id, "web", resolved));
    const app = await appOn(live);
    const list = IncidentList.strict().parse((await app.inject("/api/v1/incidents?limit=120")).json());
    expect(list.incidents.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, n) => 130 - n));
    const rest = IncidentList.strict().parse((await app.inject(`/api/v1/incidents?limit=120&cursor=${list.next}`)).json());
    expect([rest.incidents.map(({ id }) => id), rest.next]).toEqual([Array.from({ length: 10 }, (_, n) => 10 - n), null]);
  });

  it("asks history for what belongs to a team, node or system and range", async () => {
    const live = new TestLive();
    const asked: unknown[] = [];
    const history = live.history();
    live.history = () => ({
      ...history,
      incidents: (query) => {
        asked.push(query);
        return { incidents: [], next: null };
      },
    });
    await (await appOn(live)).inject(
      "/api/v1/incidents?team=pay&node=web&system=storefront&from=2026-10-24T09:00:00Z&to=2026-10-24T09:10:00Z",
    );
    expect(asked).toEqual([
      {
        limit: 50,
        nodes: ["checkout", "web"],
        node: "web",
        system: "storefront",
        from: NOW - 900_000,
        to: NOW - 300_000,
      },
    ]);
  });
});

describe("one incident in full", () => {
  it("has its timeline and the way from each victim to the cause", async () => {
    const live = new TestLive();
    live.past.events.push({ incident: 7, at: NOW - 60_000, kind: "opened", node: "orders-db", text: "orders-db is unhealthy", by: null });
    const detail = IncidentDetail.strict().parse((await (await appOn(live)).inject("/api/v1/incidents/7")).json());
    expect(detail.events).toEqual([
      { at: "2026-10-24T09:14:00.000Z", kind: "opened", node: "orders-db", text: "orders-db is unhealthy", by: null },
    ]);
    expect(detail.paths).toEqual({ checkout: ["checkout", "orders-db"], web: ["web", "checkout", "orders-db"] });
  });

  it("finds the ways of a past incident along the map", async () => {
    const live = new TestLive();
    const past = incident(3, "orders-db", { ...resolved, impacted: [{ node: "web", since: NOW - 50_000 }] });
    live.past.incidents.push({ ...past, cause: past.cause && { ...past.cause, node: "checkout" } });
    expect((await (await appOn(live)).inject("/api/v1/incidents/3")).json().paths).toEqual({ web: ["web", "checkout"] });
  });

  it("is 404 where there is none", async () => {
    expect((await (await appOn(new TestLive())).inject("/api/v1/incidents/99")).statusCode).toBe(404);
  });
});

describe("the way within an incident", () => {
  const map = mapOf([
    service("a", [edge("a", "b"), edge("a", "x")]),
    service("b", [edge("b", "c"), edge("b", "a")]),
    service("c", [edge("c", "b")]),
    service("x", [edge("x", "c")]),
  ]);
  it.each([
    ["the shortest", "a", "c", ["a", "b", "c", "x"], ["a", "b", "c"]],
    ["only through what is involved", "a", "c", ["a", "c", "x"], ["a", "x", "c"]],
    ["none", "c", "x", ["c", "x"], []],
    ["none out of a cycle that leads elsewhere", "b", "none", ["a", "b", "c"], []],
  ])("%s", (_name, from, to, involved, path) => {
    expect(wayAlong(stepsTo(to, map, new Set(involved)), from, to)).toEqual({ ids: path, cut: 0 });
  });
});

describe("acting on an incident", () => {
  const post = async (live: TestLive, url: string, payload: object) =>
    (await appOn(live)).inject({ method: "POST", url: `/api/v1/incidents/${url}`, headers: ORIGIN, payload });

  it("acknowledges with name, note and an end, and takes that back", async () => {
    const live = new TestLive();
    const acked = await post(live, "7/ack", { name: "Mia", note: "failing over", expires_in: "30m" });
    expect(acked.json().acked).toEqual({
      by: "Mia",
      at: "2026-10-24T09:15:00.000Z",
      until: "2026-10-24T09:45:00.000Z",
      note: "failing over",
    });
    const cleared = await post(live, "7/ack", { clear: true });
    expect(cleared.json().acked).toBeNull();
  });

  it("keeps a note as data, without control characters and bidi overrides", async () => {
    const live = new TestLive();
    const answer = await post(live, "7/notes", { text: "<img src=x>\u202e\u0007\nsecond line", name: "M\u0000ia\u202e" });
    expect(answer.statusCode).toBe(201);
    expect(answer.json().events).toMatchObject([{ text: "<img src=x>\nsecond line", by: "Mia" }]);
  });

  it.each([
    ["a note on nothing", "99/notes", { text: "x" }, 404],
    ["an empty note", "7/notes", { text: "" }, 400],
    ["a note of blanks", "7/notes", { text: " \u0000 " }, 400],
    ["a note that is too long", "7/notes", { text: "x".repeat(4_001) }, 400],
    ["an unknown field", "7/notes", { text: "x", severity: "info" }, 400],
    ["an acknowledgement of nothing", "99/ack", {}, 404],
    ["an end that is no duration", "7/ack", { expires_in: "soon" }, 400],
    ["an end too far away", "7/ack", { expires_in: "9999d" }, 400],
    ["an acknowledgement of what is over", "3/ack", {}, 400],
  ])("refuses %s", async (_name, url, payload, status) => {
    const live = new TestLive();
    live.past.incidents.push(incident(3, "web", resolved));
    const answer = await post(live, url, payload);
    expect([answer.statusCode, typeof answer.json().error.message]).toEqual([status, "string"]);
    expect(live.past.events).toEqual([]);
  });
});
