import { afterEach, describe, expect, it, test } from "vitest";
import { status } from "../../server/src/cli/status.ts";
import { statusScreen } from "../../server/src/cli/status-screen.ts";
import type { Board } from "../../server/src/contract/index.ts";
import { makeWorld, type Scene } from "../support/board-data.ts";
import { eventually, runCli, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

/** `headwater status` against real servers: what it prints, how it exits, and what it never prints. */

const NOW = Date.UTC(2026, 9, 24, 9, 15);
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function call(args: string[], env: Record<string, string> = {}): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const io = { stdout: (text: string) => void out.push(text), stderr: (text: string) => void err.push(text), env, cwd: "/", colour: false };
  return { code: await status(args, io), out: out.join(""), err: err.join("") };
}

async function serving(answer: { status?: number; body?: string }): Promise<TestService & { root: string }> {
  const service = await startService({
    dial: (_req, res) => void res.writeHead(answer.status ?? 200, { "content-type": "application/json" }).end(answer.body ?? ""),
  });
  closing.push(() => service.close());
  return Object.assign(service, { root: service.url.replace("/health/deep", "/") });
}

const boardOf = (scene: Scene, size = 40): Board => makeWorld(scene, size, NOW).board;
const serve = (board: unknown) => serving({ body: JSON.stringify(board) });

test.each<[Scene, number, RegExp[]]>([
  ["quiet", 0, [/ is healthy /, /no open incident: all \d+ report healthy/]],
  [
    "incident",
    1,
    [/#\d+ page, confirmed 0\.\d\d, since \d\d:\d\d:\d\d \(.*\), team /, /explains {2}\d+: /, /why {7}\S/, /systems {3}\S+ unhealthy/],
  ],
  ["acked", 1, [/taken by {2}\S/]],
  ["ticket", 1, [/#\d+ ticket/]],
  ["unsure", 1, [/no cause identified/, /maybe {5}\S/]],
  ["maintenance", 1, [/and without alert: maintenance /]],
  ["blind", 1, [/not to be trusted: .*blind/]],
  ["recovering", 1, [/ is recovering/]],
  ["refused", 1, [/the newest map is refused since \d\d:\d\d:\d\d: \S+:\d+: /]],
])("of a board that is %s it exits %i", async (scene, code, expected) => {
  const server = await serve(boardOf(scene));
  const { code: exit, out, err } = await call([server.root]);
  for (const words of expected) expect(out).toMatch(words);
  expect([exit, err]).toEqual([code, ""]);
});

describe("the screen", () => {
  it("is one, of a thousand nodes in trouble", () => {
    const board = boardOf("incident", 1_000);
    const nodes = board.nodes.map((node) => ({
      ...node,
      status: "unknown" as const,
      role: null,
      incident: null,
      reason: "timeout at 2 s",
    }));
    const [incident] = board.incidents;
    if (!incident) throw new Error("the scene has no incident");
    const incidents = Array.from({ length: 40 }, (_, id) => ({
      ...incident,
      id,
      impacted: nodes.map(({ id: node }) => ({ node, since: incident.opened_at })),
    }));
    const lines = statusScreen({ ...board, nodes, incidents }, false).split("\n");
    expect(lines.length).toBeLessThan(90);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(160);
    expect(lines.join("\n")).toMatch(/and 35 more incidents/);
    expect(lines.join("\n")).toMatch(/and 992 more nodes/);
  });

  it("puts causes before all else, the worst first", () => {
    const board = boardOf("incident");
    const [incident] = board.incidents;
    if (!incident) throw new Error("the scene has no incident");
    const ticket = { ...incident, id: 900, severity: "ticket" as const };
    const screen = statusScreen({ ...board, incidents: [ticket, { ...incident, id: 901 }] }, false);
    expect(screen.indexOf("#901 page")).toBeLessThan(screen.indexOf("#900 ticket"));
    expect(screen.indexOf("#900 ticket")).toBeLessThan(screen.indexOf("systems\n"));
  });

  it("has colour on a terminal only", () => {
    expect(statusScreen(boardOf("incident"), true)).toContain("\u001b[31m");
    expect(statusScreen(boardOf("incident"), false)).not.toContain("\u001b");
  });
});

test("hostile names and texts are shown without what a terminal would obey, also with --json", async () => {
  const evil = "\u001b[2J\u001b]0;owned\u0007\u009b31m\u202ednuob\u2066\r\nroot# rm \u2028\u0000";
  const board = JSON.parse(JSON.stringify(boardOf("incident")), (key, value) =>
    typeof value === "string" && ["name", "site", "reason", "message", "anchor", "node", "team", "file", "note", "by"].includes(key)
      ? `${value}${evil}`
      : value,
  ) as Board;
  for (const incident of board.incidents) if (incident.cause) incident.cause.why.push(evil);
  const server = await serve(board);
  const screen = await call([server.root]);
  expect(screen.out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(screen.out).not.toMatch(/^root#/m);
  const json = await call([server.root, "--json"]);
  expect(json.out.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect((JSON.parse(json.out) as Board).site).toBe(board.site);
});

test.each([
  ["needs a login", { status: 401 }, /HEADWATER_TOKEN/],
  ["is told another name", { status: 421 }, /listen\.hosts/],
  ["fails", { status: 500, body: "secret stack" }, /status 500/],
  ["is no Headwater", { body: "<html>hello</html>" }, /no board/],
  ["answers other JSON", { body: '{"status":"healthy"}' }, /no board/],
  ["redirects", { status: 302 }, /status 302/],
])("of a server that %s it says so in one line and exits 1", async (_what, answer, words) => {
  const server = await serving(answer);
  const { code, out, err } = await call([server.root]);
  expect([code, out]).toEqual([1, ""]);
  expect(err).toMatch(words);
  expect(err.trim().split("\n")).toHaveLength(1);
  expect(err).not.toContain("secret stack");
});

test("one that hangs or is gone ends in time", async () => {
  const server = await serving({});
  server.dial = "hang";
  expect(await call([server.root, "--timeout", "300ms"])).toMatchObject({ code: 1, err: expect.stringContaining("wedged") });
  server.dial = "drip";
  expect(await call([server.root, "--timeout", "300ms"])).toMatchObject({ code: 1, err: expect.stringContaining("no answer") });
  await server.close();
  expect(await call([server.root])).toMatchObject({ code: 1, err: expect.stringContaining("ECONNREFUSED") });
});

test("the token goes to the server and nowhere else", async () => {
  const server = await serve(boardOf("quiet"));
  const { out, err } = await call([server.root], { HEADWATER_TOKEN: "s3cret" });
  expect(server.lastHeaders.authorization).toBe("Bearer s3cret");
  server.dial = "unauthorized";
  const refused = await call([server.root], { HEADWATER_TOKEN: "s3cret" });
  expect(out + err + refused.out + refused.err).not.toContain("s3cret");
});

test.each([
  [["http://a", "http://b"]],
  [["ftp://a"]],
  [["--nonsense"]],
  [["--timeout", "soon"]],
  [["--timeout", "0s"]],
  [["--timeout", "30d"]],
])("%j is a wrong call", async (args) => {
  expect((await call(args)).code).toBe(2);
});

test("an address without its scheme is told with it", async () => {
  expect((await call(["127.0.0.1:8080"])).err).toContain("the URL must begin with http:// or https://, such as http://127.0.0.1:8080\n");
});

test("the built command tells the whole product's state", async () => {
  const folder = scratchFolder();
  closing.push(() => folder.remove());
  const service = await startService();
  closing.push(() => service.close());
  folder.write(
    "config/map/shop.yaml",
    `services: { shop: { url: '${service.url}', interval: 1s, timeout: 400ms, flip_after: 2 } }\nsystems: { store: { members: [ { node: shop, criticality: hard } ] } }\n`,
  );
  const running = await startServe(folder);
  closing.push(() => running.end("SIGKILL"));
  await eventually("healthy", running.board, (board) => board.status === "healthy");
  const well = await runCli(["status", running.address]);
  expect([well.code, well.stderr], well.stdout).toEqual([0, ""]);
  expect(well.stdout).toContain("no open incident: all 1 report healthy");
  service.dial = "unhealthy";
  await eventually("unhealthy", running.board, (board) => board.incidents.length > 0);
  const bad = await runCli(["status", running.address]);
  expect(bad.code).toBe(1);
  expect(bad.stdout).toMatch(/shop is (suspected to be )?the cause/);
  const json = await runCli(["status", "--json", `${running.address}/`]);
  expect((JSON.parse(json.stdout) as Board).incidents[0]?.anchor).toBe("shop");
});
