import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { replay } from "../../../server/src/cli/replay.ts";

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), "replay-"));
});
afterAll(() => rmSync(dir, { recursive: true }));

const MAP = {
  defaults: { interval: "10s", timeout: "2s", flip_after: 1 },
  resources: { db: { kind: "database" } },
  services: {
    api: { url: "http://api.test/health", dependencies: [{ on: "db", criticality: "hard" }] },
    jobs: { url: "http://jobs.test/health", dependencies: [{ on: "db", criticality: "hard" }] },
  },
};
const HEADER = JSON.stringify({ headwater: "recording/1", map: MAP, made_by: "a test" });

function poll(t: number, service: string, status: string): string {
  const report = { status: status === "down" ? "unhealthy" : "healthy", components: [{ name: "db", status, age_ms: 400 }] };
  return JSON.stringify({ t, service, outcome: "report", http_status: status === "down" ? 503 : 200, latency_ms: 5, report });
}

const OUTAGE = [0, 10, 20, 30, 40].flatMap((t) => ["api", "jobs"].map((service) => poll(t, service, t === 20 || t === 30 ? "down" : "up")));

async function run(lines: readonly string[], ...args: string[]) {
  const file = path.join(dir, "recording.jsonl");
  writeFileSync(file, `${lines.join("\n")}\n`);
  let stdout = "";
  let stderr = "";
  const io = { stdout: (text: string) => (stdout += text), stderr: (text: string) => (stderr += text), env: {}, cwd: dir, colour: false };
  return { code: await replay(["recording.jsonl", ...args], io), stdout, stderr: stderr.replaceAll(dir, "") };
}

const parsed = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("replay", () => {
  it("prints a line for each time in the order given, after all polls up to and including it", async () => {
    const { code, stdout } = await run([HEADER, ...OUTAGE], "--json", "--at", "30", "--at", "10", "--at", "40");
    expect(code).toBe(0);
    expect(parsed(stdout)).toMatchObject([
      {
        t: 30,
        status: "unhealthy",
        blind: false,
        causes: [{ node: "db", kind: "node" }],
        impacted: ["api", "jobs"],
        at_risk: [],
        unknown: [],
      },
      { t: 10, status: "healthy", causes: [], impacted: [] },
      { t: 40, status: "healthy", causes: [], impacted: [] },
    ]);
  });

  it("tells people the timeline of incidents", async () => {
    const { stdout } = await run([HEADER, ...OUTAGE]);
    expect(stdout).toContain("3 nodes, 10 polls over 40 s");
    expect(stdout).toMatch(/\+20 s {2}#1 opened: db/);
    expect(stdout).toMatch(/\+40 s {2}#1 resolved: cleared/);
  });

  it("names the times of day of a recording that tells when it began", async () => {
    const dated = JSON.stringify({ headwater: "recording/1", from: "2026-03-01T12:00:00.000Z", map: MAP });
    const { stdout } = await run([dated, ...OUTAGE.filter((line) => line.includes('"api"'))]);
    expect(stdout).toContain("3 nodes, 5 polls over 40 s, from 2026-03-01T12:00:00.000Z");
    expect(stdout).toMatch(/\+20 s {2}#1 opened: db/);
    expect(stdout).toMatch(/between 12:00:(09|10) and 12:00:(19|20) UTC/);
  });

  it("says so where there is no such file", async () => {
    let stderr = "";
    const io = { stdout: () => undefined, stderr: (text: string) => (stderr += text), env: {}, cwd: dir, colour: false };
    expect(await replay(["nowhere.jsonl"], io)).toBe(1);
    expect(stderr.replaceAll(dir, "")).toBe("headwater replay: nowhere.jsonl: there is no such file\n");
  });

  it("judges a line without a report by its outcome and status", async () => {
    const bare = (t: number, service: string, http_status: number): string =>
      JSON.stringify({ t, service, outcome: "http_error", http_status });
    const silent = JSON.stringify({ t: 10, service: "jobs", outcome: "connect_timeout" });
    const { stdout } = await run([HEADER, ...OUTAGE.slice(0, 2), bare(10, "api", 503), silent], "--json", "--at", "10");
    expect(parsed(stdout)).toMatchObject([{ causes: [{ node: "api" }], unknown: ["jobs"] }]);
  });

  it("leaves out services that the map does not hold, and keeps control characters from the terminal", async () => {
    const stranger = poll(10, "evil\u001b[31m", "down");
    const { code, stdout, stderr } = await run([HEADER, stranger, "{"], "--at", "10");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toBe("headwater replay: recording.jsonl:3: not JSON\n");
  });

  it.each([
    ["nothing", [], "empty"],
    ["another file", ['{"hello":1}'], "the first line must be"],
    [
      "a broken map",
      [JSON.stringify({ headwater: "recording/1", map: { services: { a: { dependencies: [{ on: "b" }] } } } })],
      "the map is refused",
    ],
    ["an unknown outcome", [HEADER, '{"t":1,"service":"api","outcome":"maybe"}'], ":2: outcome"],
  ])("refuses %s with its place", async (_, lines, message) => {
    const { code, stderr } = await run(lines, "--json");
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });

  it("answers a wrong call with 2", async () => {
    expect((await run([HEADER], "--at", "soon")).code).toBe(2);
    expect((await run([HEADER], "--sideways")).code).toBe(2);
  });
});
