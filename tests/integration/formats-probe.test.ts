import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probe } from "../../server/src/cli/probe.ts";

const folder = mkdtempSync(join(tmpdir(), "headwater-probe-"));
const NOW = new Date().toISOString();
const REPORT = {
  status: "degraded",
  components: [
    { name: "ledger-db", status: "up", criticality: "hard", latency_ms: 4.2, last_checked: NOW, age_ms: 900 },
    { name: "mailer", status: "down", criticality: "soft", error: "smtp://app:hunter2@mail.example refused" },
  ],
};

const server = http.createServer((request, response) => {
  if (request.url?.startsWith("/slow")) {
    setTimeout(() => response.end('{"status":"ok"}'), 400);
    return;
  }
  if (request.url?.startsWith("/moved")) {
    response.writeHead(302, { location: "https://sso.example/login?next=%2Fhealth&state=hunter2" }).end();
    return;
  }
  if (request.url?.startsWith("/page")) {
    response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Sign in</title>");
    return;
  }
  if (request.url?.startsWith("/large")) {
    response.end("x".repeat(300_000));
    return;
  }
  response.setHeader("content-type", "application/json");
  if (request.url?.startsWith("/many")) {
    const components = Array.from({ length: 100 }, (_unused, index) => [`c${index}`, { status: index === 90 ? "DOWN" : "UP" }]);
    response.end(JSON.stringify({ status: "UP", components: Object.fromEntries(components) }));
    return;
  }
  if (request.url?.startsWith("/echo"))
    response.end(JSON.stringify({ status: "ok", checks: { [String(request.headers["x-team"])]: "ok" } }));
  else if (request.url?.startsWith("/lie")) response.end(JSON.stringify({ status: "DOWN", checks: [{ name: "a", status: "DOWN" }] }));
  else response.end(JSON.stringify(REPORT));
});
let origin = "";
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(folder, { recursive: true });
});

async function run(args: string[], colour = false): Promise<{ exit: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const io = { stdout: (text: string) => void out.push(text), stderr: (text: string) => void err.push(text), env: {}, cwd: folder, colour };
  return { exit: await probe(args, io), out: out.join(""), err: err.join("") };
}

describe("headwater probe", () => {
  test("prints for a machine what was understood", async () => {
    const { exit, out } = await run([`${origin}/health`, "--json"]);
    expect(exit).toBe(0);
    const seen = JSON.parse(out);
    expect(seen).toMatchObject({
      outcome: "report",
      http_status: 200,
      format: "headwater",
      report: {
        status: "degraded",
        components: [
          { name: "ledger-db", status: "up", criticality: "hard", latency_ms: 4.2, last_checked: NOW, age_ms: 900 },
          { name: "mailer", status: "down", criticality: "soft", error: "smtp://***@mail.example refused" },
        ],
      },
    });
    expect(seen.latency_ms).toBeGreaterThan(0);
    expect(seen.warnings.map(({ code }: { code: string }) => code)).toEqual(["no_ages", "secrets_in_text"]);
    expect(out).not.toContain("hunter2");
  });

  test("prints for a person, in colour where the terminal has some", async () => {
    const plain = await run([`${origin}/health?token=abc`]);
    expect(plain.out).toContain("?token=***");
    expect(plain.out).toContain("read as headwater");
    expect(plain.out).toContain("✗ down     mailer");
    expect(plain.out).toContain("no_ages: some components do not say when they were checked: mailer");
    expect(plain.out).toContain("secrets_in_text: the answer holds credentials, tokens or query values (mailer)");
    expect(plain.out).not.toContain("\u001b[");
    expect((await run([`${origin}/health`], true)).out).toContain("\u001b[33mdegraded\u001b[0m");
  });

  test("puts what fails first, and cuts a long list of what is up", async () => {
    const { out } = await run([`${origin}/many`]);
    const listed = out.split("\n").filter((line) => /^ {2}[✓✗…]/.test(line));
    expect([listed.length, listed[0]?.trim(), listed.at(-1)?.trim()]).toEqual([31, "✗ down     c90", "… and 70 more that are up"]);
  });

  test.each([
    ["/moved", "redirect (302) to https://sso.example/login, not followed", "probe the address it leads to"],
    ["/page", "an HTML page, not a health report", "sign-in or an index page looks like this"],
    ["/large", "answer larger than 262144 bytes", "`max_body` in the map"],
  ])("%s says what came instead of a report, and what to try", async (path, error, hint) => {
    const { exit, out } = await run([origin + path]);
    expect([exit, out.split("\n")[2]]).toEqual([1, error]);
    expect(out.split("\n")[3]).toContain(hint);
    expect(out).not.toContain("hunter2");
  });

  test("a port that speaks no TLS is told from a bad certificate", async () => {
    const { out } = await run([`${origin.replace("http:", "https:")}/health`]);
    expect(out).toContain("does this port speak TLS?");
  });

  test("sends headers", async () => {
    const { out } = await run([`${origin}/echo`, "--header", "X-Team: payments", "--json"]);
    expect(JSON.parse(out).report.components).toEqual([{ name: "payments", status: "up" }]);
  });

  test("tells the author what would be better", async () => {
    const { out } = await run([`${origin}/lie`, "--json"]);
    expect(JSON.parse(out).warnings.map(({ code }: { code: string }) => code)).toEqual([
      "status_code_disagrees",
      "no_ages",
      "no_criticality",
    ]);
  });

  test("exits 1 without a report: too late, refused", async () => {
    const slow = await run([`${origin}/slow`, "--timeout", "100ms", "--json"]);
    expect(slow.exit).toBe(1);
    expect(JSON.parse(slow.out)).toMatchObject({
      outcome: "timeout",
      http_status: null,
      format: null,
      report: null,
      warnings: [{ code: "slower_than_timeout" }],
    });
    const closed = http.createServer();
    await new Promise<void>((resolve) => closed.listen(0, "127.0.0.1", resolve));
    const { port } = closed.address() as AddressInfo;
    await new Promise((resolve) => closed.close(resolve));
    const refused = await run([`http://127.0.0.1:${port}/`, "--json"]);
    expect(refused.exit).toBe(1);
    expect(JSON.parse(refused.out)).toMatchObject({ outcome: "refused", error: "connection refused", report: null });
    expect((await run([`http://127.0.0.1:${port}/`])).out).toContain("unknown, there is no report");
  });

  test("reads a saved answer", async () => {
    writeFileSync(join(folder, "body.txt"), "[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n");
    const { exit, out } = await run(["--file", "body.txt", "--status", "500", "--content-type", "text/plain", "--json"]);
    expect(exit).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      http_status: 500,
      format: "k8s-healthz",
      report: { status: "unhealthy", components: [{ name: "ping" }, { name: "etcd", status: "down" }] },
    });
    const pinned = await run(["--file", "body.txt", "--dialect", "hootsuite", "--json"]);
    expect(pinned.exit).toBe(1);
    expect(JSON.parse(pinned.out)).toMatchObject({ outcome: "not_a_report", error: "not an answer of the dialect hootsuite" });
  });

  test("shows a person how an answer begins that nobody understood", async () => {
    writeFileSync(join(folder, "page.html"), "<html>\n\n<title>Sign in\u001b[2J</title>\u202e?token=abc\n");
    const { exit, out } = await run(["--file", "page.html"]);
    expect(exit).toBe(1);
    expect(out).toBe(
      "page.html\nnot_a_report · HTTP 200\nan HTML page, not a health report\n\nstatus      unknown, there is no report\n\n" +
        "the answer begins\n  <html>\n  <title>Sign in</title>?token=***\n",
    );
  });

  test.each([
    [[], "one URL is needed"],
    [["ftp://x"], "must begin with http"],
    [["payments:8080/health"], "such as http://payments:8080/health"],
    [["http://127.0.0.1:99999/"], "the URL cannot be read"],
    [["http://x", "--dialect", "spring"], "did you mean spring-actuator?"],
    [["http://x", "--dialect", "generick"], "did you mean generic?"],
    [["http://x", "http://y"], "one URL is needed"],
    [["http://x", "--dialect", "klingon"], 'no dialect "klingon"'],
    [["http://x", "--timeout", "soon"], "--timeout soon"],
    [["http://x", "--timeout", "30d"], "--timeout 30d is no length of time such as 500ms or 2s, of at most an hour"],
    [["http://x", "--header", "no colon"], "a header is written NAME: VALUE"],
    [["http://x", "--status", "200"], "belong to --file"],
    [["--file", "b", "--status", "abc"], "--status abc"],
    [["--file", "missing.json"], "missing.json: there is no such file"],
    [["http://x", "--frobnicate"], "frobnicate"],
  ])("refuses %j", async (args, message) => {
    const { exit, out, err } = await run(args);
    expect(exit).toBe(2);
    expect(out).toBe("");
    expect(err).toContain(message);
  });

  test("helps", async () => {
    const { exit, out } = await run(["--help"]);
    expect(exit).toBe(0);
    expect(out).toContain("headwater probe URL");
  });
});
