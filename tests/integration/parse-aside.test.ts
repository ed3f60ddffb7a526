import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { getPriority, tmpdir } from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { environmentReferences } from "../../server/src/config/environment.ts";
import { parseConfig } from "../../server/src/config/parse.ts";
import { largeMap } from "../support/large-map.ts";

/** As built, for its thread. */
const { parseAside } = (await import(
  new URL("../../server/dist/config/parse-aside.js", import.meta.url).href
)) as typeof import("../../server/src/config/parse-aside.ts");

const TODAY = "2026-10-24";
const PLAIN = largeMap({ services: 600, files: 6 });
/** With what a thread could lose on the way: references, records with unusual keys, alternatives, a file of the aggregator. */
const EXTRA = {
  path: "map/extra.yaml",
  text: `teams: { extra: { runbooks: https://runbooks.internal/extra } }
services:
  extra:
    team: extra
    url: "http://extra.internal/\${SECRET_PATH}/health"
    headers: { authorization: "Bearer \${file:token}" }
    tags: { constructor: "no function" }
    dependencies:
      - { on: [svc-1, svc-2], need: 1, criticality: hard }
maintenance: [{ nodes: [extra], from: "2026-10-24T22:00", to: "2026-10-24T23:00", zone: UTC, reason: night }]
`,
};
const SETTINGS = { path: "headwater.yaml", text: "site: test\nanalysis: { review_after: 30d }\n" };
const env = { SECRET_PATH: "hidden" };

it("a large configuration is read on a thread just as it is here", async () => {
  const dir = mkdtempSync(path.join(tmpdir(), "headwater-aside-"));
  try {
    writeFileSync(path.join(dir, "token"), "s3cret\n");
    const files = [...PLAIN, EXTRA, SETTINGS];
    const here = parseConfig(files, environmentReferences(env, dir), TODAY);
    const aside = await parseAside({ files, env, dir, today: TODAY }, null);
    expect(here.map?.nodes.size).toBeGreaterThan(600);
    expect(aside).toEqual(here);
    const tags = aside.map?.nodes.get("extra")?.tags ?? {};
    expect([tags.constructor, "toString" in tags]).toEqual(["no function", false]);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

it("nodes that did not change stay the same values, and those that did are new", async () => {
  const { map: before } = parseConfig(PLAIN, "keep", TODAY);
  const files = PLAIN.map((file) =>
    file.path === PLAIN[3]?.path ? { ...file, text: file.text.replace("criticality: hard", "criticality: soft") } : file,
  );
  const { map: after } = await parseAside({ files, env: {}, dir: "/", today: TODAY }, before);
  const changed = [...(after?.nodes ?? [])].filter(([id, node]) => before?.nodes.get(id) !== node).map(([id]) => id);
  expect(changed).toHaveLength(1);
  expect(before?.nodes.get(changed[0] ?? "")?.place.file).toBe(PLAIN[3]?.path);
});

it("mistakes come over with their places", async () => {
  const files = [
    ...PLAIN,
    {
      path: "map/wrong.yaml",
      text: "services: { wrong: { url: http://wrong.internal/h, dependencies: [{ on: svc-0, critcality: hard }] } }\n",
    },
  ];
  const aside = await parseAside({ files, env: {}, dir: "/", today: TODAY }, null);
  expect(aside).toEqual(parseConfig(files, "keep", TODAY));
  expect(aside.errors[0]).toMatchObject({ file: "map/wrong.yaml", line: 1 });
});

it("the thread steps back, so that polls go before it", async () => {
  const seen = new Set<number>();
  const look = setInterval(() => {
    for (const id of readdirSync("/proc/self/task")) {
      try {
        const stat = readFileSync(`/proc/self/task/${id}/stat`, "utf8");
        seen.add(Number(stat.split(") ").at(-1)?.split(" ")[16]));
      } catch {
        // It ended between the two looks.
      }
    }
  }, 5);
  const own = getPriority();
  await parseAside({ files: largeMap({ services: 2_000, files: 20 }), env: {}, dir: "/", today: TODAY }, null);
  clearInterval(look);
  expect(seen).toEqual(new Set([own, own + 5]));
  expect(getPriority()).toBe(own);
});
