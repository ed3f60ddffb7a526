import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync, brotliDecompressSync, gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { appOn, closeApps } from "../support/app.ts";
import { CONFIG, TestLive } from "../support/live.ts";

const HTML = `<!doctype html><base href="/" /><link rel="icon" href="./favicon/ok.svg"><a href="https://x.example/"></a><script type="module" src="./assets/index-a1b2.js"></script>`;
let webRoot = "";

beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), "headwater-web-"));
  await mkdir(join(webRoot, "assets"));
  await mkdir(join(webRoot, "favicon"));
  const script = `export const text = "${"x".repeat(2_000)}";`;
  await writeFile(join(webRoot, "index.html"), HTML);
  await writeFile(join(webRoot, "index.html.gz"), gzipSync(HTML));
  await writeFile(join(webRoot, "favicon", "ok.svg"), "<svg/>");
  await writeFile(join(webRoot, ".env"), "SECRET=1");
  await writeFile(join(webRoot, "assets", "index-a1b2.js"), script);
  await writeFile(join(webRoot, "assets", "index-a1b2.js.br"), brotliCompressSync(script));
  await writeFile(join(webRoot, "assets", "index-a1b2.js.gz"), gzipSync(script));
});
afterEach(closeApps);
afterAll(() => rm(webRoot, { recursive: true }));

const BROWSER = { accept: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8" };
const at = (basePath: string) => new TestLive(undefined, { listen: { ...CONFIG.listen, basePath } });

describe("the page", () => {
  it.each(["/", "/incidents", "/incidents/42", "/nodes/checkout", "/nodes/a%20b?at=1", "/map", "/labels", "/history", "/config", "/login"])(
    "is at %s, asked for anew each time",
    async (url) => {
      const app = await appOn(new TestLive(), { webRoot });
      const answer = await app.inject(url);
      expect([answer.statusCode, answer.headers["content-type"], answer.headers["cache-control"]]).toEqual([
        200,
        "text/html; charset=utf-8",
        "no-cache",
      ]);
      expect(answer.body).toBe(HTML.replaceAll('="./', '="/'));
      const again = await app.inject({ url, headers: { "if-none-match": String(answer.headers.etag) } });
      expect([again.statusCode, again.body]).toEqual([304, ""]);
    },
  );

  it("is open without a login, since it holds nothing but the way to one", async () => {
    const live = new TestLive(undefined, { auth: { kind: "tokens", tokens: [{ name: "a", role: "viewer", secret: "s" }] } });
    const app = await appOn(live, { webRoot });
    expect((await app.inject("/login")).statusCode).toBe(200);
    expect((await app.inject("/assets/index-a1b2.js")).statusCode).toBe(200);
  });

  it("sends hashed files as they were compressed, to be kept for ever", async () => {
    const app = await appOn(new TestLive(), { webRoot });
    const get = (encoding: string) => app.inject({ url: "/assets/index-a1b2.js", headers: { "accept-encoding": encoding } });
    const [br, gz, plain] = [await get("gzip, br"), await get("gzip"), await get("identity")];
    expect([br.headers["content-encoding"], gz.headers["content-encoding"], plain.headers["content-encoding"]]).toEqual([
      "br",
      "gzip",
      undefined,
    ]);
    expect(brotliDecompressSync(br.rawPayload).toString()).toBe(plain.body);
    for (const answer of [br, gz, plain]) {
      expect(answer.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
      expect(answer.headers["content-type"]).toMatch(/javascript/);
      expect(answer.headers.vary).toMatch(/accept-encoding/i);
    }
    const icon = await app.inject("/favicon/ok.svg");
    expect([icon.statusCode, icon.headers["cache-control"], icon.headers["content-type"]]).toEqual([200, "no-cache", "image/svg+xml"]);
  });

  it.each([
    "/api/v1/nothing",
    "/api/nothing",
    "/api",
    "/nowhere",
    "/nodes",
    "/nodes/a/b",
    "/assets/none.js",
    "/.env",
    "/..%2f.env",
    "/assets/..%2f..%2fetc%2fpasswd",
    "/assets/%2e%2e/.env",
  ])("is not at %s: JSON 404", async (url) => {
    const answer = await (await appOn(new TestLive(), { webRoot })).inject(url);
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([404, "application/json; charset=utf-8"]);
  });

  it.each([
    ["of no route", "/nowhere"],
    ["of half a route", "/nodes"],
    ["of more than a route", "/nodes/a/b"],
    ["that cannot be read", "/nodes/%E0%A4%A"],
    ["of a lone percent sign", "/%"],
    ["of a name that is too long", `/nodes/${"x".repeat(1_001)}`],
    ["that begins as an interface does", "/apiary"],
    ["that begins so in capitals", "//%41PIary"],
    ["with an interface in its query", "/wp-login.php?x=/api/"],
  ])("is what a person finds at an address %s, with 404", async (_what, url) => {
    for (const basePath of ["/", "/tools/"]) {
      const app = await appOn(at(basePath), { webRoot });
      const address = basePath.slice(0, -1) + url;
      const answer = await app.inject({ url: address, headers: BROWSER });
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([404, "text/html; charset=utf-8"]);
      expect(answer.body).toContain(`src="${basePath}assets/index-a1b2.js"`);
      expect(answer.headers["cache-control"]).toBe("no-store");
      expect(answer.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
      expect((await app.inject({ url: address, headers: { ...BROWSER, host: "elsewhere.example" } })).statusCode).toBe(421);
    }
  });

  it.each([
    ["/api/v1/nothing", 404],
    ["/api/v1/%E0%A4%A", 400],
    ["/api", 404],
    ["/health", 404],
    ["/health/none", 404],
    ["/metrics/none", 404],
    ["/assets/none.js", 404],
    ["/status.jpg", 404],
    ["/staleness/%", 400],
    ["/%61pi/v1/nix", 404],
    ["/%61pi/v1/%", 400],
    ["//api/v1/nix", 404],
    ["/api%2Fv1/nix", 404],
    ["/API/v1/nix", 404],
  ])("is for no person either at %s, which is for machines: %i", async (url, status) => {
    for (const basePath of ["/", "/tools/"]) {
      const app = await appOn(at(basePath), { webRoot });
      const answer = await app.inject({ url: basePath.slice(0, -1) + url, headers: BROWSER });
      expect([answer.statusCode, answer.headers["content-type"]]).toEqual([status, "application/json; charset=utf-8"]);
    }
  });

  it.each([
    ["POST", BROWSER, "/nowhere", 404],
    ["HEAD", BROWSER, "/nowhere", 404],
    ["GET", { accept: "*/*" }, "/nodes/%E0%A4%A", 400],
    ["GET", { accept: "application/json, text/html" }, "/nowhere", 404],
  ] as const)("is no answer to %s with %j at %s: JSON %i", async (method, headers, url, status) => {
    const answer = await (await appOn(new TestLive(), { webRoot })).inject({ method, url, headers });
    expect([answer.statusCode, answer.headers["content-type"]]).toEqual([status, "application/json; charset=utf-8"]);
  });

  it("answers HEAD where browsers and monitors ask for pages", async () => {
    const app = await appOn(new TestLive(), { webRoot });
    const heads = await Promise.all(["/", "/assets/index-a1b2.js"].map((url) => app.inject({ method: "HEAD", url })));
    expect(heads.map(({ statusCode, body }) => [statusCode, body])).toEqual([
      [200, ""],
      [200, ""],
    ]);
  });

  it("is 404 with a reason where it was not built", async () => {
    for (const root of [null, join(webRoot, "assets")]) {
      const answer = await (await appOn(new TestLive(), { webRoot: root })).inject("/");
      expect([answer.statusCode, answer.json().error.message]).toEqual([404, expect.stringContaining("not built")]);
    }
  });
});

describe("a base path", () => {
  it.each(["/headwater/", "/headwater", "/tools/headwater/"])("%s moves page and API, and the page's own addresses", async (basePath) => {
    const base = basePath.replace(/\/$/, "");
    const app = await appOn(at(basePath), { webRoot });
    const page = await app.inject(`${base}/nodes/checkout`);
    expect(page.body).toContain(`<base href="${base}/" />`);
    expect(page.body).toContain(`src="${base}/assets/index-a1b2.js"`);
    expect(page.body).toContain('href="https://x.example/"');
    expect((await app.inject(`${base}/assets/index-a1b2.js`)).statusCode).toBe(200);
    expect((await app.inject(`${base}/api/v1/board`)).statusCode).toBe(200);
    expect((await app.inject(`${base}/api/v1/nothing`)).statusCode).toBe(404);
    expect((await app.inject("/api/v1/board")).statusCode).toBe(404);
    expect((await app.inject("/")).headers.location).toBe(`${base}/`);
    expect((await app.inject(base)).statusCode).toBe(200);
    expect((await app.inject({ method: "HEAD", url: `${base}/api/v1/board` })).headers.allow).toBe("GET");
  });

  it("keeps the probes where they are looked for, too", async () => {
    const app = await appOn(at("/headwater/"));
    for (const url of ["/livez", "/readyz", "/startupz", "/staleness", "/headwater/livez", "/headwater/staleness"])
      expect([url, (await app.inject(url)).statusCode]).toEqual([url, 200]);
  });

  it("limits the session to itself", async () => {
    const live = new TestLive(undefined, {
      listen: { ...CONFIG.listen, basePath: "/headwater/" },
      auth: { kind: "tokens", tokens: [{ name: "a", role: "viewer", secret: "s" }] },
    });
    const answer = await (await appOn(live)).inject({
      method: "POST",
      url: "/headwater/api/v1/session",
      headers: { origin: "http://localhost", host: "localhost" },
      payload: { token: "s" },
    });
    expect(answer.cookies[0]?.path).toBe("/headwater");
  });
});
