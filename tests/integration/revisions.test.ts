import { afterEach, beforeEach, expect, test } from "vitest";
import { Labels, RevisionList } from "../../server/src/contract/index.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

let folder: ReturnType<typeof scratchFolder>;
let service: TestService;
let running: Running;

const FIRST = "1".repeat(40);
const SECOND = "2".repeat(40);

const mapOf = (criticality: string) => `teams: { shop: {}, data: {} }
resources: { orders-db: { kind: database, team: data } }
services:
  shop:
    team: shop
    url: '${service.url}'
    interval: 1s
    timeout: 400ms
    dependencies:
      - on: orders-db
        component: db
        criticality: ${criticality}
        reviewed: 2024-01-01
`;

beforeEach(async () => {
  folder = scratchFolder();
  service = await startService();
  folder.write(".git/HEAD", "ref: refs/heads/main\n");
  folder.write(".git/refs/heads/main", `${FIRST}\n`);
  folder.write("config/map/shop.yaml", mapOf("hard"));
  running = await startServe(folder);
});

afterEach(async () => {
  await running.end("SIGKILL");
  await service.close();
  folder.remove();
});

const list = async (): Promise<RevisionList> => RevisionList.strict().parse(await (await running.get("/api/v1/revisions")).json());

test("each accepted map is kept with its commit and what it changed, a refused one with its mistakes, and a restart keeps none twice", async () => {
  const first = await eventually("the first revision, compared with none", list, ({ revisions }) => revisions[0]?.diff !== undefined);
  const [only, ...none] = first.revisions;
  expect(none).toEqual([]);
  expect(only).toMatchObject({ revision: 1, commit: FIRST, summary: "first map: 2 nodes, 0 systems", diff: null });

  folder.write(".git/refs/heads/main", `${SECOND}\n`);
  folder.write("config/map/shop.yaml", mapOf("soft"));
  const second = await eventually(
    "the second revision with what it changed",
    list,
    ({ revisions }) => revisions[0]?.revision === 2 && revisions[0].diff !== undefined,
  );
  expect(second.revisions[0]).toMatchObject({
    commit: SECOND,
    diff: {
      changes: ["shop on orders-db: hard → soft"],
      changes_total: 1,
      affected: ["orders-db", "shop"],
      affected_total: 2,
      teams: ["shop"],
    },
  });
  expect(second.refused).toBeNull();

  folder.write("config/map/shop.yaml", mapOf("sofft"));
  const refused = await eventually("the refusal", list, (seen) => seen.refused !== null);
  expect(refused.refused?.problems[0]).toMatchObject({ file: "map/shop.yaml", line: 12 });
  expect(refused.revisions.map(({ revision }) => revision)).toEqual([2, 1]);

  folder.write("config/map/shop.yaml", mapOf("soft"));
  await eventually("the map that runs is on disk again", list, (seen) => seen.refused === null);
  expect(await running.end()).toBe(0);
  running = await startServe(folder);
  expect((await list()).revisions.map(({ revision, commit }) => [revision, commit])).toEqual([
    [2, SECOND],
    [1, FIRST],
  ]);
});

test("labels are told by a running server with the map that it runs on", async () => {
  const answer = await eventually(
    "a judgement",
    async () => running.get("/api/v1/labels"),
    ({ status }) => status === 200,
  );
  const labels = Labels.strict().parse(await answer.json());
  expect(labels.map_revision).toBe(1);
  expect(labels.edges).toMatchObject([
    { from: "shop", to: "orders-db", criticality: "hard", owner: "shop", reviewed: "2024-01-01", review_old: true, line: 10 },
  ]);
  expect(labels.findings).toMatchObject([{ kind: "review_old", team: "shop", line: 10 }]);
  expect(labels.findings[0]?.patch?.diff).toContain("-        reviewed: 2024-01-01\n");
});
