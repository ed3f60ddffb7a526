import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { labels } from "../../server/src/cli/labels.ts";
import { diffMaps } from "../../server/src/config/diff.ts";
import { Labels } from "../../server/src/contract/index.ts";
import { labelsReport } from "../../server/src/labels/report.ts";
import { stateCodec } from "../../server/src/state/serialise.ts";
import { openStore } from "../../server/src/store/index.ts";
import { readLabelHistory } from "../../server/src/store/label-facts.ts";
import { applyDiff } from "../support/apply-diff.ts";
import { DAY, type DriftWorld, failuresOf, live, mapOf } from "../support/drift-world.ts";
import { folder, KEEP, T0 } from "./store-support.ts";

const HOUR = 3_600_000;
const MINUTE = 60_000;

/** The keeper as built, for its thread. */
const { keepLabels } = (await import(
  new URL("../../server/dist/labels/keeper.js", import.meta.url).href
)) as typeof import("../../server/src/labels/keeper.ts");

/** A small shop, polled every two minutes. All its labels are right, by themselves. */
const SHOP = `
defaults: { interval: 2m, timeout: 2s }
teams:
  shop: { contact: "#shop" }
  data: { contact: "#data" }
resources: { orders-db: { team: data }, cache: { team: data }, mail-relay: {}, search-index: {} }
services:
  web:
    team: shop
    url: http://web.internal/h
    dependencies:
      - { on: checkout, criticality: hard, reviewed: 2026-09-01 }
      - { on: search, criticality: soft, reviewed: 2026-09-01 }
  checkout:
    team: shop
    url: http://checkout.internal/h
    dependencies:
      - on: orders-db
        criticality: hard
        owner: data
        reviewed: 2026-09-01
      - { on: cache, criticality: soft, reviewed: 2026-09-01 }
      - { on: mailer, criticality: soft, reviewed: 2026-09-01 }
  search:
    team: shop
    url: http://search.internal/h
    dependencies: [{ on: search-index, criticality: hard, reviewed: 2026-09-01 }, { on: cache, criticality: informational }]
  mailer: { team: shop, url: http://mailer.internal/h, dependencies: [{ on: mail-relay, criticality: hard }, { on: orders-db, criticality: soft }] }
`;

/** Outages of a node, one a day. */
const daily = (node: string, hour: number, days: readonly number[], length = 25 * MINUTE) =>
  days.map((day) => ({ node, from: day * DAY + hour * HOUR, to: day * DAY + hour * HOUR + length }));

/** A week of the shop, in which four labels are wrong. */
const WEEK: DriftWorld = {
  text: SHOP,
  truths: [
    { from: "checkout", to: "cache", criticality: "hard" },
    { from: "checkout", to: "orders-db", criticality: "informational" },
  ],
  reports: [
    { service: "search", leavesOut: ["search-index"] },
    { service: "mailer", adds: { kafka: "hard" } },
  ],
  failures: [
    ...daily("cache", 3, [0, 2, 4]),
    ...daily("orders-db", 9, [1, 3, 5]),
    ...daily("mail-relay", 15, [2, 6]),
    ...failuresOf(["web", "search", "checkout", "mailer"], 0.3, 7 * DAY, 5),
  ],
  noise: 0.003,
  seed: 11,
};

function liveIn(data: string, world: DriftWorld, days: number): number {
  const store = openStore({ path: data, maxSize: 2_000_000_000, retention: KEEP, codec: stateCodec });
  const end = live(store, world, T0, days * DAY);
  store.close();
  return end;
}

async function run(args: string[], cwd = "/"): Promise<{ code: number; stdout: string; stderr: string }> {
  const said = { stdout: [] as string[], stderr: [] as string[] };
  const io = {
    stdout: (text: string) => void said.stdout.push(text),
    stderr: (text: string) => void said.stderr.push(text),
    env: {},
    cwd,
    colour: false,
  };
  const code = await labels(args, io);
  return { code, stdout: said.stdout.join(""), stderr: said.stderr.join("") };
}

describe("labels after a week in which four were wrong", () => {
  const dir = mkdtempSync(path.join(tmpdir(), "headwater-labels-"));
  let now = 0;
  beforeAll(() => {
    now = liveIn(dir, WEEK, 7);
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it("are found, each with its evidence, and no other one", () => {
    const { labels: found, counts } = labelsReport({ data: dir, files: null, now });
    expect(Labels.parse(found)).toEqual(found);
    const told = found.findings.map(({ id, team, level }) => `${id} ${team} ${level}`);
    expect(told.sort()).toEqual([
      "hard_unharmed:checkout>orders-db data likely",
      "not_declared:mailer>kafka shop confirmed",
      "not_reported:search>search-index shop confirmed",
      "soft_hurts:checkout>cache shop likely",
    ]);
    expect(found.findings.find(({ kind }) => kind === "soft_hurts")?.evidence).toMatchObject({ outages: 3, agreeing: 3 });
    expect(found.findings_total).toBe(4);
    expect(found.edges).toHaveLength(9);
    expect(found.edges.find(({ from, to }) => from === "checkout" && to === "orders-db")).toMatchObject({
      owner: "data",
      reviewed: "2026-09-01",
      findings: 1,
    });
    expect(found.teams.map(({ team, findings }) => [team, findings])).toEqual([
      ["shop", 3],
      ["data", 1],
    ]);
    expect(counts).toContainEqual({ team: "data", kind: "hard_unharmed", count: 1 });
  });

  it("come with patches that apply to the file as it is and change just that label", () => {
    const { labels: found } = labelsReport({ data: dir, files: null, now });
    const changes = found.findings.map(({ kind, patch }) => {
      const after = mapOf(applyDiff(SHOP, patch?.diff ?? ""));
      return [kind, ...diffMaps(mapOf(SHOP), after).changes.map((change) => change.kind)];
    });
    expect(changes.sort()).toEqual([
      ["hard_unharmed", "criticality"],
      ["not_declared", "node_added", "edge_added"],
      ["not_reported", "edge_removed"],
      ["soft_hurts", "criticality"],
    ]);
  });

  it("are told by the command, by team, and for machines", async () => {
    const text = await run(["--data", dir]);
    expect(text.code).toBe(1);
    expect(text.stdout).toContain("shop (#shop): 3 in doubt");
    expect(text.stdout).toMatch(
      /map\/map\.yaml:\d+: checkout declares orders-db hard, yet called itself no worse than degraded in 3 of 3 outages of it/,
    );
    expect(text.stdout).toContain("+        criticality: soft");
    const json = await run(["--data", dir, "--team", "data", "--json"]);
    expect(JSON.parse(json.stdout).findings.map(({ id }: { id: string }) => id)).toEqual(["hard_unharmed:checkout>orders-db"]);
    const nobody = await run(["--data", dir, "--team", "nobody"]);
    expect([nobody.code, nobody.stdout, nobody.stderr]).toEqual([1, "", 'headwater labels: no label is of a team "nobody"\n']);
  });

  it("are judged by a map on disk where one is named", async () => {
    const config = folder();
    mkdirSync(path.join(config, "map"));
    writeFileSync(
      path.join(config, "map/map.yaml"),
      SHOP.replace("- { on: cache, criticality: soft,", "- { on: cache, criticality: hard,"),
    );
    const { stdout } = await run(["--data", dir, "--config", config]);
    expect(stdout).not.toContain("declares cache");
    writeFileSync(path.join(config, "map/map.yaml"), "services: [");
    expect(await run(["--data", dir, "--config", config])).toMatchObject({ code: 1, stdout: "" });
    expect((await run(["--data", dir, "--config", "/nowhere"])).stderr).toContain("is not a folder");
  });

  it("are judged on a thread for the API, again only when something changed, and at a bounded rate", async () => {
    let revision = 1;
    let clock = now;
    const warned: string[] = [];
    const keeper = keepLabels({
      data: dir,
      revision: () => revision,
      now: () => clock,
      log: { warn: (_fields, text) => void warned.push(text) },
    });
    try {
      const first = await keeper.latest();
      if ("message" in first) throw new Error(first.message);
      expect(Labels.parse(JSON.parse(new TextDecoder().decode(first.json))).findings_total).toBe(4);
      expect(keeper.counts()?.reduce((sum, { count }) => sum + count, 0)).toBe(4);
      expect(await keeper.latest()).toBe(first);
      revision = 2;
      expect(await keeper.latest()).toBe(first);
      clock += 60_000;
      expect(await keeper.latest()).not.toBe(first);
      expect(warned).toEqual([]);
    } finally {
      await keeper.stop();
    }
  });
});

it("a week of right labels, with incidents and noise, has no finding", () => {
  const data = folder();
  const failures = failuresOf([...mapOf(SHOP).nodes.keys()], 0.5, 7 * DAY, 3);
  const now = liveIn(data, { text: SHOP, failures, noise: 0.005, seed: 4 }, 7);
  expect(failures.length).toBeGreaterThan(15);
  expect(labelsReport({ data, files: null, now }).labels.findings).toEqual([]);
});

it("what a service said of itself follows it to its new name", () => {
  const data = folder();
  const store = openStore({ path: data, maxSize: 2_000_000_000, retention: KEEP, codec: stateCodec });
  store.writer.restore(T0);
  const row = { subject: "word" as const, id: "checkout", at: T0, from: null, to: "unhealthy", reason: null, incident: null };
  store.writer.commit({ at: T0, transitions: [row], incidents: [], events: [] });
  store.writer.renameNode("checkout", "purchase");
  store.writer.flush(T0 + MINUTE);
  store.close();
  const { facts } = readLabelHistory(data, DAY, stateCodec, () => []);
  expect([...facts.words]).toEqual([["purchase", [{ at: T0, word: "unhealthy" }]]]);
});

it("without a history there is nothing to judge by", async () => {
  const data = folder();
  expect(await run(["--data", data])).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/There is no history .* Start `headwater serve` first, or name the folder of another with --data\.\n$/),
  });
  const keeper = keepLabels({ data, revision: () => 1, now: () => T0, log: { warn: () => undefined } });
  expect(await keeper.latest()).toEqual({ message: expect.stringContaining("There is no history") });
  await keeper.stop();
  expect((await run(["--url", "http://127.0.0.1:1/", "--timeout", "2s"])).stderr).toContain("no answer from http://127.0.0.1:1");
  expect((await run(["--url", "ftp://127.0.0.1/"])).code).toBe(2);
  expect((await run(["--url", "http://127.0.0.1/", "--data", "x"])).code).toBe(2);
});
