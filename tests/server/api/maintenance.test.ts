import { afterEach, describe, expect, it } from "vitest";
import { IncidentDetail, MaintenanceList, MaintenanceView } from "../../../server/src/contract/index.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { NOW, shop, TestLive } from "../../support/live.ts";

afterEach(closeApps);

const ORIGIN = { origin: "http://localhost", host: "localhost" };
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
const work = { nodes: ["orders-db"], to: at(60), reason: "new disks", name: "robin" };

async function announce(live: TestLive, payload: object) {
  return (await appOn(live)).inject({ method: "POST", url: "/api/v1/maintenance", payload, headers: ORIGIN });
}

describe("announcing work", () => {
  it("begins now where no beginning is given, and is listed with who announced it", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const made = await app.inject({ method: "POST", url: "/api/v1/maintenance", payload: work, headers: ORIGIN });
    expect(made.statusCode).toBe(201);
    expect(MaintenanceView.strict().parse(made.json())).toEqual({
      id: 1,
      nodes: ["orders-db"],
      from: at(0),
      to: at(60),
      reason: "new disks",
      by: "robin",
      announced_at: at(0),
      ended_by: null,
    });
    const list = MaintenanceList.strict().parse((await app.inject("/api/v1/maintenance")).json());
    expect(list.maintenance.map(({ id, reason }) => [id, reason])).toEqual([[1, "new disks"]]);
    expect(MaintenanceList.parse((await app.inject("/api/v1/maintenance?node=web")).json()).maintenance).toEqual([]);
  });

  it.each([
    ["a node that is not there", { ...work, nodes: ["order-db"] }, "no node has the id order-db"],
    ["no node", { ...work, nodes: [] }, "nodes"],
    ["an end before the beginning", { ...work, from: at(90) }, "body.to: must lie after"],
    ["an end that is over", { ...work, from: at(-50), to: at(-10) }, "and after now"],
    ["a beginning long ago", { ...work, from: at(-61) }, "body.from: lies more than an hour back"],
    ["a beginning in two years", { ...work, from: at(2 * 525_600), to: at(2 * 525_601) }, "more than a year ahead"],
    ["more than a month", { ...work, to: at(31 * 1_440) }, "at most 30 days"],
    ["a reason of blanks", { ...work, reason: " \u202e " }, "body.reason: holds nothing to read"],
    ["a key that is not known", { ...work, until: at(60) }, "until"],
  ])("refuses %s", async (_name, payload, words) => {
    const live = new TestLive();
    const answer = await announce(live, payload);
    expect([answer.statusCode, answer.json().error.code]).toEqual([400, "bad_request"]);
    expect(answer.json().error.message).toContain(words);
    expect(live.past.works).toEqual([]);
  });

  it("is refused to viewers and to foreign pages", async () => {
    const secret = "a-viewer-token-of-some-length";
    const live = new TestLive(shop(), { auth: { kind: "tokens", tokens: [{ name: "wall", role: "viewer", secret }] } });
    const app = await appOn(live);
    const post = (headers: Record<string, string>) => app.inject({ method: "POST", url: "/api/v1/maintenance", payload: work, headers });
    expect((await post({ ...ORIGIN, authorization: `Bearer ${secret}` })).statusCode).toBe(403);
    expect((await announce(new TestLive(), work)).statusCode).toBe(201);
    const foreign = await (await appOn(new TestLive())).inject({
      method: "POST",
      url: "/api/v1/maintenance",
      payload: work,
      headers: { ...ORIGIN, origin: "http://elsewhere.example" },
    });
    expect(foreign.statusCode).toBe(403);
  });
});

describe("ending work", () => {
  it("ends it now and says who did, once", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    live.announceWork({ nodes: ["web"], from: NOW - 60_000, to: NOW + 60_000, reason: "resize" }, { name: "robin" });
    const end = () => app.inject({ method: "DELETE", url: "/api/v1/maintenance/1", headers: ORIGIN });
    expect(MaintenanceView.parse((await end()).json())).toMatchObject({ id: 1, to: at(0), ended_by: "anonymous" });
    expect((await end()).statusCode).toBe(404);
  });

  it("leaves what the map declares to the map", async () => {
    const facts = shop();
    const declared = { nodes: ["web"], from: NOW - 1, to: NOW + 60_000, reason: "nightly" };
    const live = new TestLive({ ...facts, map: { ...(facts.map ?? new TestLive().current.map), maintenance: [declared] } });
    const app = await appOn(live);
    const list = MaintenanceList.parse((await app.inject("/api/v1/maintenance")).json());
    expect(list.maintenance).toMatchObject([{ id: null, reason: "nightly", by: null, announced_at: null }]);
    expect((await app.inject({ method: "DELETE", url: "/api/v1/maintenance/0", headers: ORIGIN })).statusCode).toBe(404);
  });
});

it("stands in the timelines of the incidents that it touches, as marked changes do", async () => {
  const live = new TestLive();
  const robin = { name: "robin" };
  live.announceWork({ nodes: ["orders-db"], from: NOW - 240_000, to: NOW + 60_000, reason: "new disks" }, robin);
  live.announceWork({ nodes: ["search"], from: NOW - 240_000, to: NOW + 60_000, reason: "elsewhere" }, robin);
  live.markChange({ at: NOW - 600_000, node: "orders-db", text: "pg-15-large", link: "https://ci.example/9" }, robin);
  live.markChange({ at: NOW - 500_000, node: null, text: "new gateway", link: null }, robin);
  live.markChange({ at: NOW - 500_000, node: "search", text: "v9", link: null }, robin);
  live.past.events.push({ incident: 7, at: NOW - 300_000, kind: "opened", node: "orders-db", text: "orders-db is unhealthy", by: null });
  const detail = IncidentDetail.strict().parse((await (await appOn(live)).inject("/api/v1/incidents/7")).json());
  expect(detail.events.map(({ kind, node, text, by, link }) => [kind, node, text, by, link])).toEqual([
    ["maintenance", "orders-db", "announced work begins: new disks", "robin", undefined],
    ["opened", "orders-db", "orders-db is unhealthy", null, undefined],
    ["change", null, "new gateway", "robin", undefined],
    ["change", "orders-db", "pg-15-large", "robin", "https://ci.example/9"],
  ]);
});
