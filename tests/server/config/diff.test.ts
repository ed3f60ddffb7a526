import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { Failures, SYSTEM_PREFIX } from "../../../server/src/analysis/effects.ts";
import { diff } from "../../../server/src/cli/diff.ts";
import { type Change, diffMaps } from "../../../server/src/config/diff.ts";
import { renderMarkdown } from "../../../server/src/config/diff-report.ts";
import { parseConfig } from "../../../server/src/config/parse.ts";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import { runCommand } from "../../support/command.ts";

// Many cases or real files: a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

const CASES = path.join(import.meta.dirname, "../../fixtures/map-cases/diff");

function mapOf(text: string): SystemMap {
  const { map, errors } = parseConfig([{ path: "map/a.yaml", text }], "keep", "2026-11-29");
  if (!map) throw new Error(JSON.stringify(errors));
  return map;
}

const run = (args: string[], cwd: string) => runCommand(diff, args, { cwd });

interface Expected {
  changes: (Record<string, unknown> & { kind: string })[];
  affected: string[];
  teams: string[];
}

/** Lists of alternatives are sets. */
function comparable(change: Record<string, unknown>): string {
  const sorted = Object.entries(change).map(([key, value]) => {
    const side = value as { on?: string[]; need?: number } | null;
    return [key, typeof side === "object" && side?.on ? { on: [...side.on].sort(), need: side.need ?? 1 } : value] as const;
  });
  return JSON.stringify(sorted.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("each case of two maps brings the changes, the affected and the teams that stand beside it", () => {
  test.each(readdirSync(CASES).sort())("%s", async (name) => {
    const expected = JSON.parse(readFileSync(path.join(CASES, name, "expected.json"), "utf8")) as Expected;
    const { code, out } = await run([`${name}/base`, `${name}/head`, "--json"], CASES);
    const got = JSON.parse(out) as Expected;
    expect(code).toBe(0);
    const texts = (list: Expected["changes"]) =>
      list
        .filter(({ kind }) => kind !== "no_effect")
        .map(comparable)
        .sort();
    expect(texts(got.changes)).toEqual(texts(expected.changes));
    for (const wanted of expected.changes.filter(({ kind }) => kind === "no_effect")) expect(got.changes).toContainEqual(wanted);
    expect([...got.affected].sort()).toEqual([...expected.affected].sort());
    expect([...got.teams].sort()).toEqual([...expected.teams].sort());
  });
});

const service = (id: string, rest: string) => `  ${id}: { url: "http://${id}/deep", ${rest} }\n`;
const on = (...edges: string[]) => `dependencies: [${edges.map((edge) => `{ ${edge} }`).join(", ")}]`;

describe("what a single failure does", () => {
  const failures = new Failures(
    mapOf(`resources: { db: {}, cache: {}, east: {}, west: {}, log: {} }
services:
${service("api", on("on: db, criticality: hard", "on: cache, criticality: soft", "on: log, criticality: informational"))}${service("web", on("on: api, criticality: hard"))}${service("mail", on("on: [east, west], criticality: hard"))}${service("both", on("on: [east, west], need: 2, criticality: soft"))}${service("left", on("on: right, criticality: hard", "on: db, criticality: soft"))}${service("right", on("on: left, criticality: hard"))}
systems:
  shop: { members: [{ node: web, criticality: soft }, { node: mail, criticality: hard }] }
`),
  );

  test.each([
    ["db", { db: "unhealthy", api: "unhealthy", web: "unhealthy", left: "degraded", right: "degraded", shop: "degraded" }],
    ["cache", { cache: "unhealthy", api: "degraded", web: "degraded", shop: "degraded" }],
    ["log", { log: "unhealthy" }],
    ["east", { east: "unhealthy", both: "degraded" }],
    ["left", { left: "unhealthy", right: "unhealthy" }],
    ["mail", { mail: "unhealthy", shop: "unhealthy" }],
  ])("%s takes with it what needs it", (failed, effects) => {
    const named = [...failures.of(failed)].map(([key, status]) => [key.replace(SYSTEM_PREFIX, ""), status]);
    expect(Object.fromEntries(named)).toEqual(effects);
  });
});

describe("changes in effect", () => {
  const resources = "teams: { t: {}, u: {} }\nresources: { a: { team: t }, b: {}, c: {} }\nservices:\n";
  const between = (base: string, head: string) => diffMaps(mapOf(resources + base), mapOf(resources + head));
  const noDiff = (before: string, after: string): Change[] => between(before, after).changes;

  test.each<[string, string, string]>([
    [
      "a default that is written out",
      service("s", on("on: a, criticality: soft")),
      service("s", `interval: 10s, ${on("on: a, criticality: soft, component: a")}`),
    ],
    [
      "an owner that the team is anyway",
      service("s", `team: t, ${on("on: a, criticality: soft")}`),
      service("s", `team: t, ${on("on: a, criticality: soft, owner: t")}`),
    ],
    [
      "the order of alternatives",
      service("s", on("on: [a, b], criticality: soft")),
      service("s", on("on: [b, a], need: 1, criticality: soft")),
    ],
    ["a list of one alternative", service("s", on("on: [a], criticality: soft")), service("s", on("on: a, criticality: soft"))],
    ["a default port", `  s: { url: "http://s:80/deep" }\n`, `  s: { url: "http://S/deep" }\n`],
    [
      "the order of instances",
      `  s: { instances: [http://x/deep, http://y/deep] }\n`,
      `  s: { instances: [http://y/deep, http://x/deep] }\n`,
    ],
  ])("%s is none", (_, before, after) => {
    expect(noDiff(before, after)).toEqual([]);
  });

  test("two singles that become alternatives are one change of redundancy", () => {
    const { changes } = between(
      service("s", on("on: a, criticality: hard", "on: b, criticality: hard")),
      service("s", on("on: [a, b], criticality: hard")),
    );
    expect(changes).toEqual([{ kind: "redundancy", from: "s", before: { on: ["a", "b"], need: 2 }, after: { on: ["a", "b"], need: 1 } }]);
  });

  test("alternatives that are wholly new or gone are edges", () => {
    const { changes } = between(
      service("s", on("on: a, criticality: hard")),
      service("s", on("on: a, criticality: hard", "on: [b, c], criticality: soft")),
    );
    expect(changes).toEqual([
      { kind: "edge_added", from: "s", to: "b", after: "soft" },
      { kind: "edge_added", from: "s", to: "c", after: "soft" },
    ]);
  });

  test("a change of team changes the owner of the edges that name none", () => {
    const { changes, teams } = between(
      service("s", `team: t, ${on("on: b, criticality: hard")}`),
      service("s", `team: u, ${on("on: b, criticality: hard")}`),
    );
    expect(changes).toEqual([
      { kind: "owner", from: "s", to: "b", before: "t", after: "u" },
      { kind: "team", node: "s", before: "t", after: "u" },
    ]);
    expect(teams).toEqual(["t", "u"]);
  });

  test("a rename is followed through edges, members and default component names", () => {
    const systems = (id: string) => `systems: { shop: { members: [{ node: ${id}, criticality: hard }] } }\n`;
    const { changes, affected, other } = between(
      service("s", on("on: old, criticality: hard")) + service("old", on("on: a, criticality: soft")) + systems("old"),
      service("s", on("on: new, criticality: hard")) +
        service("new", `renamed_from: old, ${on("on: a, criticality: soft")}`) +
        systems("new"),
    );
    expect(changes.filter(({ kind }) => kind !== "url")).toEqual([{ kind: "node_renamed", from: "old", to: "new" }]);
    expect([affected, other]).toEqual([[], []]);
  });

  test("an old rename whose node is long gone is none", () => {
    expect(between(service("new", "renamed_from: old"), service("new", "renamed_from: old")).changes).toEqual([]);
  });

  test("settings without a kind of their own are told apart, header values and query values never", () => {
    const { changes, other } = between(
      `  s: { url: "http://s/deep?key=old-secret", timeout: 1s, headers: { x: old-secret } }\n`,
      `  s: { url: "http://s/deep?key=new-secret", timeout: 3s, headers: { x: new-secret, y: z } }\n`,
    );
    expect(changes).toMatchObject([{ kind: "url", node: "s" }]);
    expect(other).toEqual([
      { node: "s", what: "timeout", before: "1s", after: "3s" },
      { node: "s", what: "names of headers", before: "x", after: "x, y" },
    ]);
    expect(JSON.stringify([changes, other])).not.toContain("secret");
  });

  test("a map compared with itself has no difference, whatever it is", () => {
    const ids = ["a", "b", "c", "d", "e"];
    const criticality = fc.constantFrom("hard", "soft", "informational");
    const edges = fc.uniqueArray(fc.tuple(fc.constantFrom(...ids), criticality), { selector: ([to]) => to, maxLength: 4 });
    fc.assert(
      fc.property(fc.tuple(edges, edges, edges, edges, edges), (all) => {
        const text = `services:\n${ids.map((id, index) => service(id, on(...(all[index] ?? []).filter(([to]) => to !== id).map(([to, label]) => `on: ${to}, criticality: ${label}`)))).join("")}`;
        const map = mapOf(text);
        expect(diffMaps(map, mapOf(text))).toMatchObject({
          changes: [],
          other: [],
          affected: [],
          teams: [],
          shifts: [],
          reaches: [],
          single_points: { appear: [], vanish: [] },
        });
        for (const id of ids) expect(new Failures(map).of(id).get(id)).toBe("unhealthy");
      }),
      { numRuns: 60 },
    );
  });
});

describe("Markdown", () => {
  test("says first who is affected and whom to ask", () => {
    const base = mapOf(
      `teams: { t: {} }\nresources: { db: {} }\nservices:\n${service("s", `team: t, ${on("on: db, criticality: soft")}`)}`,
    );
    const head = mapOf(
      `teams: { t: {} }\nresources: { db: {} }\nservices:\n${service("s", `team: t, ${on("on: db, criticality: hard")}`)}`,
    );
    expect(renderMarkdown(diffMaps(base, head))).toBe(`## Dependency map: 1 change

**Affected:** \`db\`, \`s\`

**Ask:** \`t\`

**New single points of failure:** \`db\`

### Changes

- \`s\` on \`db\`: soft → **hard**

### What a failure now does

- If \`db\` fails: \`s\` degraded → **unhealthy**
`);
  });

  test("tells how far failures reach, which are single points of failure no longer, and what polling costs", () => {
    const members = "systems: { shop: { members: [{ node: s, criticality: hard }] } }\n";
    const text = (edge: string, interval: string) =>
      `resources: { db: {}, spare: {} }\nservices:\n${service("s", `interval: ${interval}, ${on(edge)}`)}${service("w", on("on: s, criticality: soft"))}${members}`;
    const diff = diffMaps(mapOf(text("on: db, criticality: hard", "10s")), mapOf(text("on: [db, spare], criticality: hard", "30s")));
    expect(diff.reaches).toEqual([{ failed: "db", before: 2, after: 0 }]);
    expect(diff.single_points).toEqual({ appear: [], vanish: ["db"] });
    const markdown = renderMarkdown(diff);
    expect(markdown).toContain("**No longer single points of failure:** `db`\n\n**Cost:** 0.2 → 0.133 calls a second\n");
    expect(markdown).toContain("- If `db` fails (reached 2, now 0 other nodes): `s` unhealthy → **healthy**");
  });

  test("says so when nothing changes, and lets nothing become markup", () => {
    const map = (component: string) =>
      mapOf(`resources: { db: {} }\nservices:\n${service("s", on(`on: db, criticality: soft, component: ${JSON.stringify(component)}`))}`);
    expect(renderMarkdown(diffMaps(map("a"), map("a")))).toContain("Nothing changes in effect.");
    expect(renderMarkdown(diffMaps(map("a"), map("x` <img src=x>\n# y")))).toContain("`x· <img src=x>·# y`");
  });
});

describe("diff of git revisions", () => {
  let repository: string;
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=test", "-c", "user.email=test@example.org", ...args], { cwd: repository, stdio: "pipe" });

  beforeAll(() => {
    repository = mkdtempSync(path.join(tmpdir(), "headwater-diff-"));
    mkdirSync(path.join(repository, "ops/teams"), { recursive: true });
    mkdirSync(path.join(repository, "ops/config"));
    git("init", "--quiet", "--initial-branch=main");
    cpSync(path.join(CASES, "redundancy-need-raised/base"), path.join(repository, "ops/config"), { recursive: true });
    writeFileSync(path.join(repository, "ops/teams/extra.yaml"), "teams: { extra: {} }\n");
    symlinkSync("../../teams/extra.yaml", path.join(repository, "ops/config/map/extra.yaml"));
    git("add", "--all");
    git("commit", "--quiet", "--message=base");
    cpSync(path.join(CASES, "redundancy-need-raised/head"), path.join(repository, "ops/config"), { recursive: true });
  });
  afterAll(() => rmSync(repository, { recursive: true, force: true }));

  test("compares a revision with the working tree, from the root or from a folder below", async () => {
    const below = await run(["HEAD", "--json"], path.join(repository, "ops"));
    const root = await run(["HEAD", "--config", "ops/config", "--json"], repository);
    expect(below.err + root.err).toBe("");
    expect(JSON.parse(below.out).changes).toMatchObject([{ kind: "redundancy", from: "receipts" }]);
    expect(root.out).toBe(below.out);
  });

  test("fails on affected nodes only when asked to", async () => {
    expect((await run(["HEAD"], path.join(repository, "ops"))).code).toBe(0);
    expect((await run(["HEAD", "--fail-on", "affected"], path.join(repository, "ops"))).code).toBe(1);
    expect((await run(["HEAD", "HEAD", "--fail-on", "affected"], path.join(repository, "ops"))).code).toBe(0);
  });

  test("a name that is neither is a wrong call, a broken map a failure with its mistakes", async () => {
    const unknown = await run(["no-such-revision"], repository);
    expect([unknown.code, unknown.out]).toEqual([2, ""]);
    expect(unknown.err).toContain("neither a folder nor a git revision");
    writeFileSync(path.join(repository, "ops/config/map/extra.yaml"), "teems: {}\n");
    const broken = await run(["HEAD"], path.join(repository, "ops"));
    expect([broken.code, broken.out]).toEqual([1, ""]);
    expect(broken.err).toMatch(/^config\/map\/extra\.yaml:1:1: error unknown-key/m);
    const named = await run(["HEAD", "ops/config"], repository);
    expect(named.err).toMatch(/^ops\/config\/map\/extra\.yaml:1:1: error unknown-key/m);
    const nowhere = await run(["HEAD"], repository);
    expect(nowhere).toMatchObject({ code: 2, err: "headwater diff: config is not a folder; --config names another\n" });
  });

  test("a broken map of a revision is named as git takes it, and a folder may be named from the root", async () => {
    writeFileSync(path.join(repository, "ops/config/map/other.yaml"), "teems: {}\n");
    git("add", "ops/config/map/other.yaml");
    git("commit", "--quiet", "--message", "broken");
    const config = path.join(repository, "ops/config");
    for (const folder of ["ops", "ops/teams", "ops/config", "ops/config/map"]) {
      const cwd = path.join(repository, folder);
      const broken = await run(["HEAD", "HEAD~1", "--config", config], cwd);
      expect(broken.code).toBe(1);
      const [, place = ""] = /^(HEAD:\S+?):1:1: error unknown-key/m.exec(broken.err) ?? [];
      expect(execFileSync("git", ["show", place], { cwd, encoding: "utf8" }), folder).toBe("teems: {}\n");
    }
  });
});
