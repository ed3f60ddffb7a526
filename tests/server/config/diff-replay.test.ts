import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diff } from "../../../server/src/cli/diff.ts";

let cwd: string;
beforeAll(() => {
  cwd = mkdtempSync(path.join(tmpdir(), "headwater-diff-"));
  const map = (criticality: string, search = "search", more = "") => `
defaults: { interval: 10s, timeout: 2s, flip_after: 1 }
services:
  web: { url: "http://web.test/health", dependencies: [ { on: ${search}, component: search, criticality: ${criticality} } ] }
  ${search}: { url: "http://search.test/health"${more} }
systems: { shop: { members: [ { node: web, criticality: hard } ] } }
`;
  const write = (folder: string, text: string) => {
    mkdirSync(path.join(cwd, folder, "map"), { recursive: true });
    writeFileSync(path.join(cwd, folder, "map/map.yaml"), text);
  };
  write("soft", map("soft"));
  write("hard", map("hard"));
  write("renamed", map("hard", "find", ", renamed_from: search"));
  writeFileSync(path.join(cwd, "quiet.jsonl"), recording({}));
  writeFileSync(path.join(cwd, "outage.jsonl"), recording({ from: "2026-10-24T09:00:00.000Z" }, 30, 90));
  writeFileSync(path.join(cwd, "timeless.jsonl"), recording({}, 30, 90));
  writeFileSync(path.join(cwd, "none.jsonl"), "{}\n");
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

/** Three minutes in which search is down from one second to another; what web says of itself follows no label. */
function recording(header: object, downFrom = Number.POSITIVE_INFINITY, downTo = 0): string {
  const services = {
    web: { url: "http://web.test/health", dependencies: [{ on: "search", criticality: "soft" }] },
    search: { url: "http://search.test/health" },
  };
  const map = { defaults: { interval: "10s", timeout: "2s", flip_after: 1 }, services };
  const lines: object[] = [{ headwater: "recording/1", ...header, map }];
  for (let t = 0; t < 180; t += 10) {
    const down = t >= downFrom && t < downTo;
    lines.push({
      t,
      service: "search",
      outcome: "report",
      http_status: down ? 503 : 200,
      report: { status: down ? "unhealthy" : "healthy", components: [] },
    });
    const components = [{ name: "search", status: down ? "down" : "up" }];
    lines.push({ t, service: "web", outcome: "report", http_status: 200, report: { status: "healthy", components } });
  }
  return `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
}

async function run(...args: string[]) {
  let [out, err] = ["", ""];
  const stdout = (text: string) => {
    out += text;
  };
  const stderr = (text: string) => {
    err += text;
  };
  const code = await diff(args, { stdout, stderr, env: {}, cwd, colour: false });
  return { code, out, err, past: out.slice(out.indexOf("### Past verdicts")) };
}

describe("past verdicts under a changed map", () => {
  it("are told incident by incident and moment by moment, for a review", async () => {
    const { code, past } = await run("soft", "hard", "--replay", "outage.jsonl");
    expect(code).toBe(0);
    expect(past).toBe(`### Past verdicts

Judged 18 moments of 2 m 50 s from 2026-10-24 09:00:00 UTC by both maps: 6 would read otherwise; 1 incident on either side.

- \`search\` (2026-10-24 09:00:30 to 2026-10-24 09:01:30): ticket → **page**

#### When

- 2026-10-24 09:00:30 to 2026-10-24 09:01:30: the whole degraded → **unhealthy**; system \`shop\` degraded → **unhealthy**
`);
  });

  it("are data for machines, in the seconds of the recording", async () => {
    const { out } = await run("soft", "hard", "--replay", "outage.jsonl", "--json");
    const { replay, changes } = JSON.parse(out);
    expect(changes).toHaveLength(1);
    expect(replay).toMatchObject({
      began: "2026-10-24T09:00:00.000Z",
      from: 0,
      to: 170,
      moments: 18,
      differing: 6,
      opened: { before: 1, after: 1 },
    });
    expect(replay.incidents).toEqual([
      {
        before: { node: "search", kind: "cause", severity: "ticket", opened_at: 30, resolved_at: 90, impacted: ["web"] },
        after: { node: "search", kind: "cause", severity: "page", opened_at: 30, resolved_at: 90, impacted: ["web"] },
      },
    ]);
    const broken = { status: "unhealthy", causes: ["search"], systems: { shop: "unhealthy" } };
    const before = { status: "degraded", causes: ["search"], systems: { shop: "degraded" } };
    expect(replay.verdicts).toEqual([
      { from: 30, to: 40, before: { ...before, impacted: [] }, after: { ...broken, impacted: [] } },
      { from: 40, to: 90, before: { ...before, impacted: ["web"] }, after: { ...broken, impacted: ["web"] } },
    ]);
  });

  it("count from the first poll where the recording does not tell when it began", async () => {
    expect((await run("soft", "hard", "--replay", "timeless.jsonl")).past).toContain("- `search` (+30 s to +90 s): ticket → **page**");
  });

  it.each(["quiet.jsonl", "outage.jsonl"])("all stay the same where the map does: %s", async (file) => {
    expect((await run("hard", "hard", "--replay", file)).past).toMatch(
      /^### Past verdicts\n\nJudged 18 moments .*: every verdict stays the same\.\n$/,
    );
  });

  it("follow a renamed node: the name alone changes none", async () => {
    expect((await run("hard", "renamed", "--replay", "outage.jsonl")).past).toContain("every verdict stays the same");
    const { replay } = JSON.parse((await run("soft", "renamed", "--replay", "outage.jsonl", "--json")).out);
    expect(replay.incidents).toMatchObject([{ before: { node: "find", severity: "ticket" }, after: { node: "find", severity: "page" } }]);
  });

  it.each([
    ["none.jsonl", 'none.jsonl:1: the first line must be { "headwater"'],
    ["missing.jsonl", "missing.jsonl: there is no such file"],
  ])("need a recording: %s", async (file, sentence) => {
    const { code, err } = await run("soft", "hard", "--replay", file);
    expect(code).toBe(1);
    expect(err).toContain(sentence);
  });
});
