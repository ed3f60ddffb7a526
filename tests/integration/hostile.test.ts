import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { exportHistory } from "../../server/src/cli/export.ts";
import { status } from "../../server/src/cli/status.ts";
import type { NodeDetail } from "../../server/src/contract/index.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { ATTACKS, SECRETS } from "../support/hostile.ts";
import { startService, type TestService } from "../support/service.ts";

/**
 * The whole product among services and clients that attack it. One Headwater polls every attack of the list beside an
 * honest service; then clients attack it. It must say what is right of each, tell on nobody, and never miss a poll.
 */

const folder = scratchFolder();
const services = new Map<string, TestService>();
let honest: TestService;
let running: Running;

beforeAll(async () => {
  honest = await startService();
  for (const [name, dial] of ATTACKS) services.set(name, await startService({ dial }));
  const lines = [...services].map(([name, { url }]) => `  ${name}: { url: '${url}', interval: 5s, timeout: 2s }`);
  folder.write(
    "config/map/fleet.yaml",
    `defaults: { flip_after: 2 }\nservices:\n  honest: { url: '${honest.url}', interval: 1s, timeout: 500ms }\n${lines.join("\n")}\n`,
  );
  running = await startServe(folder);
  await eventually(
    "every attack polled twice",
    async () => [...services.values()].filter(({ calls }) => calls.length < 2).length,
    (left) => left === 0,
    60_000,
  );
}, 120_000);

afterAll(async () => {
  await running?.end("SIGKILL");
  for (const service of [honest, ...services.values()]) await service?.close();
  folder.remove();
}, 30_000);

const detail = async (name: string) => (await (await running.get(`/api/v1/nodes/${name}`)).json()) as NodeDetail;
/** Every text in a JSON value, keys too. */
function texts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...texts(inner)]);
}
/** Why it is not to be trusted, but for the one reason that holds here: most of what it polls brings no report. */
const doubts = async () => (await running.staleness()).because.filter((code) => code !== "few_reporting");
const OBEYED = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

describe("a service that attacks", () => {
  it.each(ATTACKS.map(([name, , outcomes]) => [name, outcomes] as const))(
    "%s gets the outcome that is right, in words of ours",
    async (name, outcomes) => {
      const seen = await eventually(
        "an outcome",
        () => detail(name),
        (node) => node.instances[0]?.outcome != null,
      );
      expect(outcomes).toContain(seen.instances[0]?.outcome);
      // The answer's own text keeps its lines, for people to read.
      const { last_answer, ...rest } = seen;
      const said = [...texts(rest), (last_answer?.text ?? "").replace(/[\n\t]/g, " ")];
      const bad = said.filter((text) => OBEYED.test(text) || text.length > 70_000);
      expect(bad).toEqual([]);
    },
  );
});

describe("after the attacks", () => {
  const pages = [
    "/api/v1/board",
    "/api/v1/incidents",
    "/api/v1/map",
    "/api/v1/labels",
    "/api/v1/revisions",
    "/metrics",
    "/status",
    "/health/deep",
  ];

  it("an honest service was polled on time all along, and is healthy", async () => {
    expect((await running.board()).nodes.find(({ id }) => id === "honest")?.status).toBe("healthy");
    const gaps = honest.calls.slice(1).map((at, i) => at - (honest.calls[i] ?? 0));
    expect(gaps.length).toBeGreaterThan(5);
    expect(gaps.filter((gap) => gap > 2_500)).toEqual([]);
  });

  it("nothing that a reader would obey is in any answer", async () => {
    for (const page of pages) {
      const answer = await running.get(page);
      expect([page, answer.headers.get("x-content-type-options")]).toEqual([page, "nosniff"]);
      const text = await answer.text();
      if (page === "/metrics") expect(text.replaceAll("\n", "")).not.toMatch(OBEYED);
      else expect([page, texts(JSON.parse(text)).filter((one) => OBEYED.test(one))]).toEqual([page, []]);
    }
  });

  it("no secret of an error is in any answer, in the log or in a file", async () => {
    const answers = await Promise.all(pages.map(async (page) => (await running.get(page)).text()));
    const nodes = await Promise.all(["evil-secrets", "evil-names"].map(async (name) => JSON.stringify(await detail(name))));
    const files = readdirSync(folder.data).map((name) => readFileSync(join(folder.data, name), "latin1"));
    for (const secret of SECRETS)
      for (const text of [...answers, ...nodes, ...files, running.output()]) expect(text.includes(secret)).toBe(false);
  });

  it("the log has one JSON object a line, and no line of theirs", () => {
    const lines = running
      .output()
      .split("\n")
      .filter((line) => line !== "" && !/^(Headwater is at|The history of this map) /.test(line));
    expect(lines.length).toBeGreaterThan(3);
    for (const line of lines) expect(JSON.parse(line)).toMatchObject({ time: expect.any(String), msg: expect.any(String) });
    expect(lines.join("")).not.toMatch(/\p{Cc}/u);
  });

  it("tables, recordings and the terminal hold plain text", async () => {
    for (const args of [["--csv", "polls"], ["--csv", "changes"], ["--csv", "incidents"], []]) {
      const out: string[] = [];
      const io = {
        stdout: (text: string) => void out.push(text),
        stderr: (text: string) => void out.push(text),
        env: {},
        cwd: folder.path,
        colour: false,
      };
      expect(await exportHistory([...args, "--data", folder.data], io)).toBe(0);
      const text = out.join("");
      expect(text.length).toBeGreaterThan(20);
      expect(text.replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
      expect(SECRETS.filter((secret) => text.includes(secret))).toEqual([]);
    }
    const screen: string[] = [];
    await status([running.address], { stdout: (text) => void screen.push(text), stderr: () => {}, env: {}, cwd: "/", colour: false });
    expect(screen.join("").replaceAll("\n", "")).not.toMatch(OBEYED);
  });

  it("memory has not grown with what they sent", async () => {
    const resident = /^process_resident_memory_bytes (\S+)$/m.exec(await (await running.get("/metrics")).text())?.[1];
    expect(Number(resident)).toBeLessThan(400e6);
  });
});

/** Bytes to the server, and all that came back until it closed or for so long. */
async function exchange(bytes: string | Buffer, waitMs = 3_000): Promise<string> {
  const { hostname, port } = new URL(running.address);
  const socket = connect(Number(port), hostname);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(chunk)).on("error", () => {});
  socket.write(bytes);
  const late = setTimeout(() => socket.destroy(), waitMs);
  await once(socket, "close");
  clearTimeout(late);
  return Buffer.concat(chunks).toString();
}

/** 0 where the connection ended without an answer. */
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
const JSON_POST = "POST /api/v1/map/check HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n";
const post = (body: string) => exchange(`${JSON_POST}Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`);

describe("a client that attacks", () => {
  it.each([
    "/../../../../etc/passwd",
    "/..%2f..%2f..%2f..%2fetc%2fpasswd",
    "/%2e%2e/%2e%2e/package.json",
    "/assets/../../cli.js",
    "/assets/..%2f..%2fcli.js",
    "/assets/..%5c..%5ccli.js",
    "/assets/%252e%252e%252fcli.js",
    "/assets//etc/passwd",
    "/assets/index.html%00.js",
    "/.git/config",
    "/.env",
    "/config/headwater.yaml",
    "/data/headwater.db",
    "/api/v1/nodes/..%2f..%2fmetrics",
    "/api/v1/nodes/%00",
    "/api/v1/nodes/constructor",
    "/api/v1/nodes/toString",
    "/api/v1/../../livez/../etc/passwd",
    "//evil.example/%2f..",
    "/\\evil.example",
    `/api/v1/nodes/${"a".repeat(5_000)}`,
  ])("finds nothing at %s", async (path) => {
    const answer = await exchange(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const [head = "", body = ""] = answer.split("\r\n\r\n");
    expect(answer).not.toMatch(/root:x:0|"dependencies"|SQLite format|createRequire|repositoryformatversion/);
    expect(head).not.toMatch(/^location: (?:\/\/|http)/im);
    const isPage = statusOf(answer) === 200 && body.includes("<!doctype html>");
    expect(isPage || statusOf(answer) >= 400).toBe(true);
    if (path.startsWith("/api/")) expect(isPage).toBe(false);
  });

  it.each([
    [
      "a header for each of two thousand names",
      `GET /livez HTTP/1.1\r\nHost: localhost\r\n${Array.from({ length: 2_000 }, (_, i) => `x-${i}: ${i}\r\n`).join("")}\r\n`,
      [431],
    ],
    [
      "both a length and chunks",
      "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n",
      [400],
    ],
    ["two lengths", "POST /api/v1/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 5\r\n\r\nabcde", [400]],
    ["chunks of a bad size", `${JSON_POST}Transfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n`, [400]],
    ["a header split in two lines", "GET /livez HTTP/1.1\r\nHost: localhost\r\nX: a\r\n b: c\r\nConnection: close\r\n\r\n", [200, 400]],
    ["a header with a space before the colon", "GET /livez HTTP/1.1\r\nHost : localhost\r\n\r\n", [400]],
    ["HTTP/2 without asking", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]],
    ["CONNECT to a metadata address", "CONNECT 169.254.169.254:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", [400, 404, 405, 0]],
    [
      "an address of another in the target",
      "GET http://169.254.169.254/latest/meta-data HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      [404, 200],
    ],
  ])("is refused %s", async (_what, bytes, statuses) => {
    const answer = await exchange(bytes);
    expect(statuses).toContain(statusOf(answer));
    expect(answer.match(/HTTP\/1\.1 \d/g)?.length ?? 0).toBeLessThanOrEqual(1);
  });

  it.each([
    ["prototype keys", '{"__proto__":{"role":"operator"},"file":"map/a.yaml","text":""}', [400, 200]],
    ["a constructor's prototype", '{"constructor":{"prototype":{"x":1}},"file":"map/a.yaml","text":""}', [400]],
    ["ten thousand levels", `${"[".repeat(10_000)}${"]".repeat(10_000)}`, [400]],
    ["a megabyte", JSON.stringify({ file: "map/a.yaml", text: "x".repeat(1 << 20) }), [400, 413]],
    ["half a body's JSON", '{"file":', [400]],
    ["a path out of the folder", JSON.stringify({ file: "../../etc/passwd", text: "a: 1" }), [200, 400]],
    [
      "aliases that grow without end",
      JSON.stringify({
        file: "map/a.yaml",
        text: `a0: &a0 [x,x,x,x,x,x,x,x,x]\n${Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(",")}]`).join("\n")}`,
      }),
      [200, 400],
    ],
  ])("gets %s judged, and nothing else happens", async (_what, body, statuses) => {
    const began = performance.now();
    const answer = await post(body);
    expect(statuses).toContain(statusOf(answer));
    expect(answer).not.toContain("root:x:0");
    expect(performance.now() - began).toBeLessThan(3_000);
    expect((await running.get("/api/v1/board")).status).toBe(200);
  });
});

test("it is still one process, well, and ends in order", async () => {
  expect(existsSync(join(folder.data, "headwater.db"))).toBe(true);
  await eventually(
    "reads are let through again",
    async () => (await running.get("/api/v1/board")).status,
    (code) => code === 200,
  );
  expect(await doubts()).toEqual([]);
  expect(await running.end()).toBe(0);
});
