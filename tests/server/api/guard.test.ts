import { afterEach, describe, expect, it } from "vitest";
import { isOurHost, isSameOrigin, mayListen } from "../../../server/src/api/auth.ts";
import { ApiError } from "../../../server/src/api/errors.ts";
import type { Auth } from "../../../server/src/domain/config.ts";
import { createLog } from "../../../server/src/log.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { CONFIG, TestLive } from "../../support/live.ts";

afterEach(closeApps);

const ORIGIN = { origin: "http://localhost:80", host: "localhost:80" };
const TOKENS: Auth = {
  kind: "tokens",
  tokens: [
    { name: "wall", role: "viewer", secret: "view-secret" },
    { name: "oncall", role: "operator", secret: "op-secret" },
  ],
};
const bearer = (secret: string) => ({ authorization: `Bearer ${secret}` });
const tokens = () => new TestLive(undefined, { auth: TOKENS });

describe("where to listen", () => {
  const at = (host: string) => ({ ...CONFIG.listen, host });
  it.each<[string, string, Auth, boolean]>([
    ["loopback without a word", "127.0.0.1", { kind: "unset" }, true],
    ["another loopback address", "127.8.0.1", { kind: "unset" }, true],
    ["IPv6 loopback", "::1", { kind: "unset" }, true],
    ["localhost", "localhost", { kind: "unset" }, true],
    ["everywhere without a word", "0.0.0.0", { kind: "unset" }, false],
    ["IPv6 everywhere without a word", "::", { kind: "unset" }, false],
    ["an address without a word", "10.0.0.7", { kind: "unset" }, false],
    ["a name that only begins like loopback", "127.example", { kind: "unset" }, false],
    ["everywhere with an empty list of tokens", "0.0.0.0", { kind: "tokens", tokens: [] }, false],
    ["everywhere with tokens", "0.0.0.0", TOKENS, true],
    ["everywhere behind a proxy", "0.0.0.0", { kind: "proxy", header: "x-user", from: ["10.0.0.0/8"] }, true],
    ["everywhere with auth: none in so many words", "0.0.0.0", { kind: "none" }, true],
  ])("%s", (_name, host, auth, allowed) => {
    const sentence = mayListen(at(host), auth);
    if (allowed) expect(sentence).toBeNull();
    else expect(sentence).toContain(host);
  });
});

describe("the Host header", () => {
  const listen = { ...CONFIG.listen, hosts: ["board.example", "board.example:8443"] };
  it.each<[string | undefined, boolean]>([
    ["localhost:8080", true],
    ["LOCALHOST", true],
    ["127.0.0.1:9", true],
    ["[::1]:8080", true],
    ["board.example", true],
    ["board.example.:8080", true],
    ["Board.Example:8443", true],
    ["evil.example", false],
    ["board.example.evil.example", false],
    ["localhost.evil.example", false],
    ["127.0.0.1.evil.example", false],
    ["a@localhost", false],
    ["0.0.0.0:8080", false],
    ["", false],
    [undefined, false],
  ])("%s", (header, ours) => {
    expect(isOurHost(header, { ...listen, host: "0.0.0.0" })).toBe(ours);
  });

  it("takes the address that it listens on for its own", () => {
    expect(isOurHost("10.0.0.7:8080", { ...listen, host: "10.0.0.7" })).toBe(true);
    expect(isOurHost("[fd00::7]:8080", { ...listen, host: "fd00::7" })).toBe(true);
  });

  it.each(["/", "/api/v1/board", "/metrics", "/status", "/api/v1/events", "/nowhere"])("is checked before %s: 421", async (url) => {
    const app = await appOn(new TestLive());
    const answer = await app.inject({ url, headers: { host: "evil.example" } });
    expect([answer.statusCode, answer.json().error.code]).toEqual([421, "wrong_host"]);
  });
});

describe("the Origin of a write", () => {
  it.each<[string | undefined, string, boolean]>([
    ["http://localhost:8080", "localhost:8080", true],
    ["https://board.example", "board.example", true],
    ["https://board.example", "board.example:443", true],
    ["http://board.example", "board.example:80", true],
    ["http://localhost:8081", "localhost:8080", false],
    ["https://evil.example", "board.example", false],
    ["null", "board.example", false],
    ["file://", "board.example", false],
    [undefined, "board.example", false],
  ])("%s to %s", (origin, host, same) => {
    expect(isSameOrigin(origin, host)).toBe(same);
  });
});

describe("who may do what", () => {
  it.each([
    ["without a token", {}, 401, 401],
    ["with a wrong token", bearer("nope"), 401, 401],
    ["with a viewer's token", bearer("view-secret"), 200, 403],
    ["with an operator's token", bearer("op-secret"), 200, 201],
  ])("%s", async (_name, headers, read, write) => {
    const app = await appOn(tokens());
    for (const url of ["/api/v1/board", "/metrics", "/health/deep", "/api/v1/version", "/api/openapi.json"])
      expect([url, (await app.inject({ url, headers })).statusCode]).toEqual([url, read]);
    const note = await app.inject({ method: "POST", url: "/api/v1/incidents/7/notes", headers, payload: { text: "on it" } });
    expect(note.statusCode).toBe(write);
    if (write === 201) expect(note.json().events).toMatchObject([{ kind: "note", text: "on it", by: "oncall" }]);
  });

  it("asks nothing for the public status, and says how to log in for the rest", async () => {
    const app = await appOn(tokens());
    expect((await app.inject("/status")).statusCode).toBe(503);
    expect((await app.inject("/api/v1/board")).headers["www-authenticate"]).toBe("Bearer");
    expect((await app.inject("/api/v1/session")).json()).toEqual({ auth: "tokens", user: null });
  });

  it("makes everyone an operator who names himself where there is no login", async () => {
    const app = await appOn(new TestLive());
    expect((await app.inject("/api/v1/session")).json()).toEqual({ auth: "none", user: { name: null, role: "operator" } });
    const write = (payload: object) => app.inject({ method: "POST", url: "/api/v1/incidents/7/notes", headers: ORIGIN, payload });
    await write({ text: "one", name: "Mia" });
    const answer = await write({ text: "two" });
    expect(answer.json().events.map(({ by }: { by: string }) => by)).toEqual(["anonymous", "Mia"]);
  });

  it("lets nobody in where a reload has left an open address without a word on auth", async () => {
    const live = new TestLive(undefined, { listen: { ...CONFIG.listen, host: "0.0.0.0" } });
    expect((await (await appOn(live)).inject("/api/v1/board")).statusCode).toBe(401);
    Object.assign(live.config, { auth: { kind: "none" } });
    expect((await (await appOn(live)).inject("/api/v1/board")).statusCode).toBe(200);
  });

  it.each([
    ["from nowhere", {}, 403],
    ["from another page", { origin: "https://evil.example" }, 403],
    ["from our own page, as a form", { ...ORIGIN, "content-type": "application/x-www-form-urlencoded" }, 415],
    ["from our own page, as text", { ...ORIGIN, "content-type": "text/plain" }, 415],
    ["from our own page, as JSON", { ...ORIGIN, "content-type": "application/json" }, 201],
  ])("takes a write %s: %s", async (_name, headers, status) => {
    const live = new TestLive();
    const app = await appOn(live);
    const answer = await app.inject({
      method: "POST",
      url: "/api/v1/incidents/7/notes",
      headers: { host: "localhost:80", "content-type": "application/json", ...headers },
      payload: JSON.stringify({ text: "hello" }),
    });
    expect(answer.statusCode).toBe(status);
    expect(live.past.events).toHaveLength(status === 201 ? 1 : 0);
  });
});

describe("a session", () => {
  const login = (app: Awaited<ReturnType<typeof appOn>>, token: string, headers: Record<string, string> = ORIGIN) =>
    app.inject({ method: "POST", url: "/api/v1/session", headers, payload: { token } });

  it("turns a token into a cookie that scripts and other sites never see, until logout", async () => {
    const app = await appOn(tokens());
    const answer = await login(app, "view-secret");
    expect(answer.json()).toEqual({ auth: "tokens", user: { name: "wall", role: "viewer" } });
    const [cookie] = answer.cookies;
    expect(cookie).toMatchObject({ name: "headwater_session", httpOnly: true, sameSite: "Strict", path: "/" });
    expect(cookie?.secure).toBeUndefined();
    expect(cookie?.value).not.toContain("view-secret");
    const cookies = { headwater_session: cookie?.value ?? "" };
    expect((await app.inject({ url: "/api/v1/board", cookies })).statusCode).toBe(200);
    expect((await app.inject({ url: "/api/v1/session", cookies })).json().user).toEqual({ name: "wall", role: "viewer" });
    const out = await app.inject({ method: "DELETE", url: "/api/v1/session", cookies, headers: ORIGIN });
    expect([out.statusCode, out.cookies[0]?.value]).toEqual([200, ""]);
    expect((await app.inject({ url: "/api/v1/board", cookies })).statusCode).toBe(401);
  });

  it("survives a restart, and ends when the secret changes or a week has gone", async () => {
    const cookies = { headwater_session: (await login(await appOn(tokens()), "op-secret")).cookies[0]?.value ?? "" };
    const board = async (live: TestLive) => (await (await appOn(live)).inject({ url: "/api/v1/board", cookies })).statusCode;
    expect(await board(tokens())).toBe(200);
    const other: Auth = { kind: "tokens", tokens: [{ name: "oncall", role: "operator", secret: "new-secret" }] };
    expect(await board(new TestLive(undefined, { auth: other }))).toBe(401);
    const later = tokens();
    later.clock += 7 * 86_400_000;
    expect(await board(later)).toBe(401);
  });

  it("ends when a reload changes the secret, and not when it changes anything else", async () => {
    const live = tokens();
    const app = await appOn(live);
    const cookies = { headwater_session: (await login(app, "op-secret")).cookies[0]?.value ?? "" };
    const board = async () => (await app.inject({ url: "/api/v1/board", cookies })).statusCode;
    Object.assign(live.config, { site: "eu-2", auth: structuredClone(TOKENS) });
    expect(await board()).toBe(200);
    Object.assign(live.config, { auth: { kind: "tokens", tokens: [{ name: "oncall", role: "operator", secret: "new-secret" }] } });
    expect(await board()).toBe(401);
    expect((await app.inject({ url: "/api/v1/board", headers: bearer("new-secret") })).statusCode).toBe(200);
  });

  it("is Secure where the page came over TLS", async () => {
    const app = await appOn(new TestLive(undefined, { auth: TOKENS, listen: { ...CONFIG.listen, hosts: ["board.example"] } }));
    const answer = await login(app, "view-secret", { origin: "https://board.example", host: "board.example" });
    expect(answer.cookies[0]?.secure).toBe(true);
  });

  it.each([
    ["another name", (value: string) => value.replace(/^[^.]+/, Buffer.from("oncall").toString("base64url"))],
    ["a later end", (value: string) => value.replace(/\.\d+\./, ".9999999999999.")],
    ["no signature", (value: string) => value.replace(/[^.]+$/, "")],
    ["nonsense", () => "x".repeat(5_000)],
  ])("is worth nothing with %s", async (_name, forge) => {
    const app = await appOn(tokens());
    const value = (await login(app, "view-secret")).cookies[0]?.value ?? "";
    expect((await app.inject({ url: "/api/v1/board", cookies: { headwater_session: forge(value) } })).statusCode).toBe(401);
  });

  it("is refused for a wrong token, and after five tries in a minute for any", async () => {
    const app = await appOn(tokens());
    const codes: number[] = [];
    for (let i = 0; i < 7; i++) codes.push((await login(app, i === 6 ? "op-secret" : "guess")).statusCode);
    expect(codes).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await login(app, "op-secret")).headers["retry-after"]).toMatch(/^\d+$/);
    expect((await app.inject({ url: "/api/v1/board", headers: bearer("op-secret") })).statusCode).toBe(200);
  });

  it("is not needed where nobody logs in", async () => {
    expect((await login(await appOn(new TestLive()), "x")).statusCode).toBe(400);
  });
});

describe("a trusted proxy", () => {
  const live = (from: string[]) => new TestLive(undefined, { auth: { kind: "proxy", header: "X-Forwarded-User", from } });
  it.each([
    ["the header from a listed range", ["10.0.0.0/8"], "10.1.2.3", { "x-forwarded-user": "mia" }, 200],
    ["the header from a listed address", ["192.0.2.1"], "192.0.2.1", { "x-forwarded-user": "mia" }, 200],
    ["the header over a mapped address", ["10.0.0.0/8"], "::ffff:10.1.2.3", { "x-forwarded-user": "mia" }, 200],
    ["the header over IPv6", ["fd00::/8"], "fd00::1", { "x-forwarded-user": "mia" }, 200],
    ["the header from elsewhere", ["10.0.0.0/8"], "192.0.2.1", { "x-forwarded-user": "mia" }, 401],
    ["no header", ["10.0.0.0/8"], "10.1.2.3", {}, 401],
    ["an empty header", ["10.0.0.0/8"], "10.1.2.3", { "x-forwarded-user": " " }, 401],
  ])("%s", async (_name, from, remoteAddress, headers, status) => {
    const app = await appOn(live(from));
    expect((await app.inject({ url: "/api/v1/board", remoteAddress, headers })).statusCode).toBe(status);
  });

  it("names the writer, and still wants our own page", async () => {
    const app = await appOn(live(["10.0.0.0/8"]));
    const write = (headers: object) =>
      app.inject({
        method: "POST",
        url: "/api/v1/incidents/7/notes",
        remoteAddress: "10.0.0.1",
        headers: { "x-forwarded-user": "mia", ...headers },
        payload: { text: "hi" },
      });
    expect((await write({})).statusCode).toBe(403);
    expect((await write(ORIGIN)).json().events).toMatchObject([{ by: "mia" }]);
  });
});

describe("limits per address", () => {
  it("lets 400 reads through at once, and refuses the next with Retry-After", async () => {
    const app = await appOn(new TestLive());
    const answers = await Promise.all(Array.from({ length: 401 }, () => app.inject("/api/v1/version")));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(400);
    const refused = answers.find(({ statusCode }) => statusCode === 429);
    expect(refused?.json().error.code).toBe("rate_limited");
    expect(refused?.headers["retry-after"]).toBe("1");
    expect((await app.inject({ url: "/api/v1/version", remoteAddress: "192.0.2.9" })).statusCode).toBe(200);
  });

  it.each(["/%zz", "/api/v1/%E0%A4%A", `/api/v1/nodes/${"x".repeat(1_001)}`])("count and mark %s, which no route can take", async (url) => {
    const app = await appOn(new TestLive());
    const answers = await Promise.all(Array.from({ length: 401 }, () => app.inject(url)));
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(1);
    expect(answers[0]?.headers).toMatchObject({ "cache-control": "no-store", "content-security-policy": expect.any(String) });
    expect((await app.inject({ url, headers: { host: "elsewhere.example" } })).statusCode).toBe(421);
  });

  it("lets 30 writes through in a minute, over all routes together", async () => {
    const app = await appOn(new TestLive());
    const write = (url: string, payload: object) => app.inject({ method: "POST", url, headers: ORIGIN, payload });
    const codes: number[] = [];
    for (let i = 0; i < 16; i++) {
      codes.push((await write("/api/v1/incidents/7/notes", { text: "x" })).statusCode);
      codes.push((await write("/api/v1/incidents/7/ack", {})).statusCode);
    }
    expect(codes.slice(0, 30).every((code) => code < 300)).toBe(true);
    expect(codes.slice(30)).toEqual([429, 429]);
  });
});

describe("every answer", () => {
  it.each(["/", "/api/v1/board", "/livez", "/nowhere", "/metrics"])("of %s carries a strict policy", async (url) => {
    const { headers } = await (await appOn(new TestLive())).inject(url);
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/unsafe|https?:|upgrade-insecure/);
    expect(headers["referrer-policy"]).toBe("no-referrer");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["x-frame-options"]).toBe("DENY");
    expect(headers).not.toHaveProperty("strict-transport-security");
    expect(headers).not.toHaveProperty("access-control-allow-origin");
  });

  it.each([
    ["GET", "/api/v1/nothing", 404, "not_found"],
    ["GET", "/api/v1/nodes/none", 404, "not_found"],
    ["GET", "/api/v1/nodes/__proto__", 404, "not_found"],
    ["GET", "/api/", 404, "not_found"],
    ["GET", "/wp-login.php", 404, "not_found"],
    ["GET", "/api/v1/incidents/x", 400, "bad_request"],
    ["GET", "/api/v1/incidents?limit=501", 400, "bad_request"],
    ["GET", "/api/v1/incidents?cursor=-1", 400, "bad_request"],
    ["GET", "/api/v1/%E0%A4%A", 400, "bad_request"],
    ["PUT", "/api/v1/board", 405, "method_not_allowed"],
    ["HEAD", "/api/v1/board", 405, null],
    ["GET", "/api/v1/incidents/7/notes", 405, "method_not_allowed"],
  ] as const)("to %s %s is JSON: %i", async (method, url, status, code) => {
    const answer = await (await appOn(new TestLive())).inject({ method, url });
    expect(answer.statusCode).toBe(status);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    if (code !== null) expect(answer.json()).toEqual({ error: { code, message: expect.any(String) } });
  });

  it("names the place of a mistake in a body, and refuses what is too large or not JSON", async () => {
    const app = await appOn(new TestLive());
    const post = (payload: string) =>
      app.inject({
        method: "POST",
        url: "/api/v1/incidents/7/notes",
        headers: { ...ORIGIN, "content-type": "application/json" },
        payload,
      });
    const wrong = await post(JSON.stringify({ text: "", colour: "red" }));
    expect(wrong.statusCode).toBe(400);
    expect(wrong.json().error.message).toMatch(/body\.text/);
    expect(wrong.json().error.message).toMatch(/colour/);
    expect((await post("{")).json().error.code).toBe("bad_request");
    expect((await post(JSON.stringify({ text: "x".repeat(70_000) }))).json().error.code).toBe("too_large");
  });

  it("tells nothing of an unexpected error, and says so where history fails", async () => {
    const live = new TestLive();
    const app = await appOn(live);
    const failing = (error: Error) => {
      live.history = () => {
        throw error;
      };
    };
    failing(new Error("secret path /home/x"));
    expect([(await app.inject("/api/v1/revisions")).statusCode, (await app.inject("/api/v1/revisions")).body]).toEqual([
      500,
      '{"error":{"code":"internal","message":"something went wrong here"}}',
    ]);
    failing(Object.assign(new Error("database is locked"), { code: "SQLITE_BUSY" }));
    const busy = await app.inject("/api/v1/revisions");
    expect([busy.statusCode, busy.json().error.code]).toEqual([503, "history_unavailable"]);
  });

  it("logs what failed, and not what it refuses itself", async () => {
    const live = new TestLive();
    const lines: string[] = [];
    const app = await appOn(live, { logger: createLog({ level: "info", format: "json" }, false, (line) => void lines.push(line)) });
    live.history = () => {
      throw new ApiError("unavailable", "too many viewers");
    };
    expect((await app.inject("/api/v1/revisions")).statusCode).toBe(503);
    expect(lines).toEqual([]);
    live.history = () => {
      throw new Error("broken");
    };
    expect((await app.inject("/api/v1/revisions")).statusCode).toBe(500);
    expect(lines).toEqual([expect.stringContaining("broken")]);
  });

  it("hides no route from the guard: all under /api/ ask for a role but the session", async () => {
    const app = await appOn(tokens());
    const paths = Object.entries(
      (await app.inject({ url: "/api/openapi.json", headers: bearer("view-secret") })).json().paths as Record<string, object>,
    );
    expect(paths.length).toBeGreaterThan(20);
    for (const [path, methods] of paths)
      for (const method of Object.keys(methods)) {
        const open = !path.startsWith("/api/")
          ? /^\/(?:livez|readyz|startupz|staleness|status(?:\.html|\.svg)?)$/.test(path)
          : path === "/api/v1/session";
        const answer = await app.inject({ method: method.toUpperCase() as "GET", url: path.replaceAll(/\{\w+\}/g, "7") });
        expect([method, path, answer.statusCode === 401]).toEqual([method, path, !open]);
      }
  });
});
