import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { rollUp } from "../../../server/src/analysis/rollup.ts";
import { PUBLIC_STYLE } from "../../../server/src/api/public-page.ts";
import { PublicStatus } from "../../../server/src/contract/index.ts";
import { appOn, closeApps } from "../../support/app.ts";
import { NOW, shop, stateOf, TestLive } from "../../support/live.ts";

afterEach(closeApps);

const facts = shop();
const well = { ...facts, state: stateOf(facts.map), rollup: rollUp(facts.map, stateOf(facts.map)), incidents: [] };
const only = (status: "healthy" | "degraded" | "unhealthy" | "unknown") => ({ ...facts, state: stateOf(facts.map, { web: status }) });

describe("the public status", () => {
  it.each([
    ["healthy", "up", 200],
    ["degraded", "degraded", 200],
    ["unhealthy", "down", 503],
    ["unknown", "unknown", 503],
  ] as const)("says a %s system in plain words: %s, %i", async (status, word, code) => {
    const { rollup: _rollup, ...rest } = only(status);
    const app = await appOn(new TestLive(rest));
    const answer = await app.inject("/status");
    expect(answer.statusCode).toBe(code);
    expect(PublicStatus.strict().parse(answer.json())).toEqual({
      status: word,
      as_of: "2026-10-24T09:15:00.000Z",
      systems: [{ id: "storefront", name: "Storefront", status: word }],
    });
  });

  it.each([
    ["stale", (live: TestLive) => Object.assign(live, { signalNow: { ...live.signalNow, stale: true, because: ["overdue"] } })],
    ["blind", (live: TestLive) => live.publish({ state: { ...live.current.state, blind: { since: NOW } } })],
    ["without a public system", (live: TestLive) => live.publish({ map: { ...live.current.map, systems: new Map() } })],
  ])("vouches for nothing while %s", async (_name, change) => {
    const live = new TestLive(well);
    change(live);
    const answer = await (await appOn(live)).inject("/status");
    expect([answer.statusCode, answer.json().status]).toEqual([503, "unknown"]);
  });
});

describe("the page of it", () => {
  it("says the same to people, without a script, and without a login", async () => {
    const live = new TestLive(well, { auth: { kind: "tokens", tokens: [{ name: "a", role: "viewer", secret: "s" }] } });
    const answer = await (await appOn(live)).inject("/status.html");
    expect([answer.statusCode, answer.headers["content-type"], answer.headers["cache-control"]]).toEqual([
      200,
      "text/html; charset=utf-8",
      "no-cache",
    ]);
    expect(answer.body).toContain("<h1>Everything is up</h1>");
    expect(answer.body).toMatch(/<li class="up"><svg .*<span>Storefront<\/span><span>up<\/span><\/li>/);
    expect(answer.body).toContain("2026-10-24 09:15:00 UTC");
    expect(answer.body).not.toMatch(/<script|style=|\bon\w+=|back-office|Back office|eu-1|orders-db/);
  });

  it.each([
    ["degraded", "Something is degraded"],
    ["unhealthy", "Something is down"],
    ["unknown", "We cannot tell right now"],
  ] as const)("has a headline for %s, and is a page all the same", async (status, headline) => {
    const { rollup: _rollup, ...rest } = only(status);
    const answer = await (await appOn(new TestLive(rest))).inject("/status.html");
    expect([answer.statusCode, answer.body.includes(`<h1>${headline}</h1>`)]).toEqual([200, true]);
  });

  it("has the colours of the board, in both themes", () => {
    const tokens = readFileSync(new URL("../../../web/src/styles/tokens.css", import.meta.url), "utf8");
    const own = [...PUBLIC_STYLE.matchAll(/^\s+(--[\w-]+): (.*);$/gm)];
    expect(own.length).toBeGreaterThan(7);
    for (const [, name, value] of own) expect(tokens).toContain(`${name}: ${value};`);
  });

  it("shows the name of a system as text, whatever it holds", async () => {
    const [system] = well.map.systems.values();
    if (!system) throw new Error("no system");
    const name = "<script>alert(1)</script>\"'&\u202e\u0000";
    const map = { ...well.map, systems: new Map([["x", { ...system, id: "x", name }]]) };
    const app = await appOn(new TestLive({ ...well, map, rollup: rollUp(map, well.state) }));
    for (const url of ["/status.html", "/status.svg?system=x"]) {
      const { body } = await app.inject(url);
      expect(body.replaceAll("\n", "")).not.toMatch(/<script|\p{Cf}|\p{Cc}/u);
      expect(body).toContain("&#60;script&#62;alert(1)&#60;/script&#62;&#34;&#39;&#38;");
    }
  });
});

describe("the badge of it", () => {
  it.each([
    ["/status.svg", "status"],
    ["/status.svg?system=storefront", "Storefront"],
  ])("%s is small, says its word to all, and may be kept for half a minute and shown elsewhere", async (url, label) => {
    const app = await appOn(new TestLive(well));
    const { statusCode, headers, body } = await app.inject(url);
    expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([200, "image/svg+xml", "public, max-age=30"]);
    expect(headers["cross-origin-resource-policy"]).toBe("cross-origin");
    expect(body.length).toBeLessThan(1_000);
    expect(body).toContain(`role="img" aria-label="${label}: up"`);
    expect(body).toContain(`<title>${label}: up</title>`);
    expect((await app.inject({ url, headers: { "if-none-match": headers.etag as string } })).statusCode).toBe(304);
  });

  it.each(["/favicon.ico", "/ops/favicon.ico"])("has a picture for the tab of a browser, which asks for it at %s", async (url) => {
    const { listen } = new TestLive(well).config;
    const app = await appOn(new TestLive(well, { listen: { ...listen, basePath: "/ops/" } }));
    const { statusCode, headers, body } = await app.inject(url);
    expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([200, "image/svg+xml", "no-cache"]);
    expect(body).toMatch(/^<svg .*<\/svg>$/);
    expect((await app.inject({ url, headers: { "if-none-match": headers.etag as string } })).statusCode).toBe(304);
  });

  it("turns with the system, and to unknown when Headwater cannot be trusted", async () => {
    const { rollup: _rollup, ...rest } = only("unhealthy");
    expect((await (await appOn(new TestLive(rest))).inject("/status.svg")).body).toContain("status: down");
    const stale = new TestLive(well);
    stale.signalNow = { ...stale.signalNow, stale: true, because: ["no_answers"] };
    expect((await (await appOn(stale)).inject("/status.svg")).body).toContain("status: unknown");
  });

  it.each(["back-office", "nothing", "__proto__"])("tells nothing of a system that is not public: %s", async (id) => {
    expect((await (await appOn(new TestLive(well))).inject(`/status.svg?system=${id}`)).statusCode).toBe(404);
  });
});
