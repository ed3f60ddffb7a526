import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { boardPages } from "../support/board-pages.ts";
import { startBoardServer } from "../support/board-server.ts";
import { WEB_ROOT } from "../support/built-page.ts";

const { serve, open } = boardPages();

const row = (page: Page, id: string) => page.locator(`[data-node="${id}"]`);

describe("the board", () => {
  test("says the cause, why and who has it above the fold, on a desk and on a phone, with 60 impacted of 500", async () => {
    const server = await serve({ scene: "incident", size: 500 });
    for (const [width, height] of [
      [1440, 900],
      [390, 844],
    ] as const) {
      const { page, errors } = await open(server.url, { width, height });
      await page.getByRole("heading", { level: 1, name: /orders-db is unhealthy\./ }).waitFor();
      for (const words of ["Confirmed.", "4 of 4", "connection refused", "Nobody has it yet."]) {
        const box = await page.getByText(words, { exact: true }).first().boundingBox();
        expect((box?.y ?? height) + (box?.height ?? 0), `${words} at ${width}`).toBeLessThan(height);
      }
      expect(await page.title()).toBe("(2) ✕ Headwater eu-1: orders-db");
      expect(errors).toEqual([]);
    }
  });

  test("shows a change without a reload, in words, title and favicon", async () => {
    const server = await serve({ scene: "quiet", size: 36 });
    const { page, errors } = await open(server.url);
    await page.getByRole("heading", { name: "All 36 report healthy." }).waitFor();
    await page.evaluate(() => Object.assign(window, { same: true }));
    const since = new Date().toISOString();
    const cause = {
      node: "search",
      kind: "node",
      confidence: 0.95,
      level: "confirmed",
      first_seen: since,
      why: ["It failed first."],
      against: [],
    } as const;
    server.publish({
      nodes: [{ id: "search", status: "unhealthy", role: "root_cause", incident: 50, reason: "index corrupt", since }],
      incidents: [
        {
          id: 50,
          kind: "cause",
          status: "open",
          severity: "page",
          anchor: "search",
          opened_at: since,
          resolved_at: null,
          end: null,
          cause: { ...cause, why: [...cause.why], against: [] },
          candidates: [],
          impacted: [],
          at_risk: [],
          systems: [],
          acked: null,
          map_revision: 7,
        },
      ],
    });
    await page.getByRole("heading", { name: /search is unhealthy\./ }).waitFor();
    await row(page, "search").getByText("unhealthy").waitFor();
    expect(await page.title()).toBe("(1) ✕ Headwater eu-1: search");
    expect(await page.locator("#favicon").getAttribute("href")).toBe("./favicon/unhealthy.svg");
    expect(await page.evaluate(() => "same" in window)).toBe(true);
    expect(errors).toEqual([]);
  });

  test("tells the noughts between counts of the filter, none after the last of them, and none while all is well", async () => {
    const server = await serve({ scene: "unsure", size: 36 });
    const { page } = await open(server.url);
    const told = (): Promise<string[]> => page.locator("search").getByRole("button", { name: /\d$/ }).allTextContents();
    await page.getByRole("heading", { name: "No cause identified. 3 services fail. Candidates: sessions, payments." }).waitFor();
    // The rows and what filters them are painted after the answer.
    const own = page.locator("search").getByRole("button", { name: "Own fault 3" });
    await own.waitFor();
    expect(await told()).toEqual(["All 36", "Healthy 33", "Causes 0", "Impacted 0", "Unknown 0", "At risk 0", "Own fault 3"]);
    server.setScene("quiet");
    await page.getByRole("heading", { name: /report healthy/ }).waitFor();
    await own.waitFor({ state: "hidden" });
    expect(await told()).toEqual(["All 36", "Healthy 36"]);
  });

  test("leads to the team's runbooks where the node that failed has none of its own", async () => {
    const server = await serve({ scene: "incident", size: 15 });
    const of = (links: Record<string, string>) => (fresh: Page) =>
      fresh.route("**/api/v1/nodes/orders-db", async (route) => {
        const answer = await route.fetch();
        await route.fulfill({ json: { ...(await answer.json()), links } });
      });
    const team = { runbooks: "https://runbooks.example/team" };
    for (const [links, href] of [
      [{ ...team, runbook: "https://runbooks.example/own" }, "https://runbooks.example/own"],
      [team, team.runbooks],
    ] as const) {
      const { page } = await open(server.url, {}, of(links));
      expect(await page.getByRole("link", { name: "Runbook ↗" }).getAttribute("href")).toBe(href);
    }
  });

  test("says in a headline what does not exist", async () => {
    const server = await serve({ scene: "quiet", size: 15 });
    for (const [path, what] of [
      ["nodes/none", "node"],
      ["incidents/999", "incident"],
      ["none", "page"],
    ]) {
      const { page } = await open(server.url + path);
      await page.getByRole("heading", { level: 1, name: `There is no such ${what}.` }).waitFor();
    }
  });

  test("loses its colour and says so when the server dies, counts on, and recovers without a reload", async () => {
    const server = await startBoardServer({ scene: "quiet", size: 36 });
    const port = Number(new URL(server.url).port);
    const { page } = await open(server.url);
    await page.getByText(/^live, /).waitFor();
    await page.evaluate(() => Object.assign(window, { same: true }));
    await server.close();
    const banner = page.getByRole("region", { name: "Connection" });
    await banner.getByText(/Not connected for/).waitFor({ timeout: 26_000 });
    expect(await page.title()).toMatch(/^⚠ not connected/);
    expect(await page.locator("main").evaluate((main) => getComputedStyle(main).filter)).toBe("saturate(0)");
    const age = row(page, "search").locator("span").last();
    const before = await age.textContent();
    await page.waitForFunction((text) => document.querySelector('[data-node="search"]')?.lastElementChild?.textContent !== text, before);
    const again = await serve({ scene: "incident", size: 36, port });
    expect(again.url).toBe(server.url);
    await banner.waitFor({ state: "detached", timeout: 30_000 });
    await page.getByRole("heading", { name: /orders-db is unhealthy\./ }).waitFor();
    await page.getByText(/^live, .*was offline \d+ s/).waitFor();
    expect(await page.evaluate(() => "same" in window)).toBe(true);
  });

  test("is up to date at once when the computer wakes up, before the line is known to be dead", async () => {
    const server = await serve({ scene: "quiet", size: 36 });
    const { page } = await open(server.url, {}, (page) => page.clock.install());
    await page.getByText(/^live, /).waitFor();
    await page.evaluate(() => Object.assign(window, { same: true }));
    server.mute("open");
    server.setScene("incident");
    // Less than the 25 s after which silence by itself is noticed.
    await page.clock.fastForward(20_000);
    expect(await page.getByRole("heading", { name: /orders-db is unhealthy\./ }).count()).toBe(0);
    await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await page.getByRole("heading", { name: /orders-db is unhealthy\./ }).waitFor({ timeout: 4_000 });
    await page.getByText(/^live, /).waitFor();
    expect(await page.evaluate(() => "same" in window)).toBe(true);
  });

  test("tells of another build once it is served, and is of that build after a click", async () => {
    const server = await startBoardServer({ scene: "quiet", size: 36 });
    const port = Number(new URL(server.url).port);
    const { page } = await open(server.url);
    const notice = page.locator('[data-notice="build"]');
    await page.getByText(/^live, /).waitFor();
    await server.close();
    const same = await startBoardServer({ scene: "quiet", size: 36, port });
    await page.getByText(/^live, .*was offline \d+ s/).waitFor({ timeout: 30_000 });
    expect(await notice.count()).toBe(0);
    await same.close();
    await serve({ scene: "quiet", size: 36, port, commit: "0e4f5a6" });
    await notice.getByText("A newer Headwater is served.").waitFor({ timeout: 30_000 });
    await notice.getByRole("button", { name: "reload" }).click();
    await page.getByText(/^live, /).waitFor();
    expect(await notice.count()).toBe(0);
  });

  test("says that Headwater is blind, and claims nothing", async () => {
    const server = await serve({ scene: "blind", size: 36 });
    const { page } = await open(server.url);
    await page.getByRole("heading", { name: /Headwater cannot see\./ }).waitFor();
    expect(await page.locator('[data-face="healthy"]').count()).toBe(0);
    expect(await page.title()).toMatch(/^\? blind/);
  });

  test("shows a refused map and our own lateness apart from the system's faults", async () => {
    const refused = await open((await serve({ scene: "refused", size: 36 })).url);
    await refused.page.locator('[data-notice="map"]').getByText("map/services.yaml:41:16", { exact: false }).waitFor();
    const late = await open((await serve({ scene: "lag", size: 36 })).url);
    await late.page.locator('[data-notice="lag"]').getByText("The poller is behind by 20 s.").waitFor();
    expect(await late.page.locator('[data-face="cause"], [data-face="own"]').count()).toBe(0);
  });

  test("warns of an answer that is overdue before it is stale, and goes on to say how old it is", async () => {
    const server = await serve({ scene: "quiet", size: 36, seenEvery: 1e9 });
    const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
    for (const node of server.world.board.nodes)
      node.last_checked = ago(node.id === "search" ? 15_000 : node.id === "tax" ? 40_000 : 1_000);
    const { page } = await open(server.url);
    const late = (id: string) => row(page, id).locator("[data-late]");
    await late("tax").waitFor();
    expect([await late("search").count(), await late("orders").count()]).toEqual([0, 0]);
    expect(await late("tax").evaluate((one) => getComputedStyle(one).textDecorationStyle)).toBe("dotted");
    // Two intervals of 10 s, and the second in which ages are told.
    await late("search").waitFor({ timeout: 10_000 });
    expect(await late("search").textContent()).toMatch(/^2\d s$/);
    server.publish({ nodes: [{ id: "tax", last_checked: new Date().toISOString() }] });
    await late("tax").waitFor({ state: "detached" });
  });

  test("shows of the past what held then: the day before, its latencies, no age of today", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(server.url);
    const strips = page.waitForRequest((request) => /strips\?at=/.test(request.url()));
    const at = "2026-11-20T12:00:00.000Z";
    await page.goto(`${server.url}?at=${at}`);
    expect(new URL((await strips).url()).searchParams.get("at")).toBe(at);
    await page.getByText("24 h before").first().waitFor();
    await row(page, "search")
      .getByRole("img", { name: /^last 24 hours: / })
      .waitFor();
    await expect.poll(() => row(page, "search").textContent()).toMatch(/\d ms/);
    expect(await row(page, "search").locator(".num").last().textContent()).toBe("–");
    expect(await page.getByText("now", { exact: true }).count()).toBe(0);
    await page.getByRole("link", { name: "Back to now" }).click();
    await page.getByText("24 h ago").first().waitFor();
  });

  test("replays an incident on the map, event by event, in names", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    server.publish({ nodes: [{ id: "orders-db", name: "Orders database" }] });
    const { page } = await open(`${server.url}map?incident=42&list=1`);
    await page.getByRole("row", { name: /notifications.*impacted/ }).waitFor();
    await page.getByRole("button", { name: "Event before" }).click();
    await page.getByRole("button", { name: "Event before" }).click();
    await page.getByRole("row", { name: /notifications.*healthy/ }).waitFor();
    expect(await page.getByRole("row", { name: /checkout.*impacted/ }).count()).toBe(1);
    await page.getByText("web-shop became impacted", { exact: true }).waitFor();
    await page.goto(`${server.url}map?incident=42&list=1&at=${Date.parse(server.world.board.incidents[0]?.opened_at ?? "")}`);
    await page.getByText("opened: Orders database (confirmed, 0.94)").waitFor();
    await page.getByRole("button", { name: "back to now" }).click();
    await page.getByRole("row", { name: /notifications.*impacted/ }).waitFor();
  });

  test("a resolved incident shows what was heard of its cause at its worst, and that it was confirmed in between", async () => {
    const server = await serve({ scene: "quiet", size: 36 });
    const over = server.world.past.find(({ cause }) => cause?.node === "orders-db");
    if (!over?.cause) throw new Error("no such incident");
    over.cause.stood = { status: "unhealthy", reason: "4 of 4 dependents report it down: pool exhausted: 6 of 6" };
    const told = { at: over.opened_at, kind: "level", node: "orders-db", text: "the cause is now confirmed (0.94)", by: null };
    server.world.events.set(over.id, [told]);
    const { page, errors } = await open(`${server.url}incidents/${over.id}`);
    await page.getByText("the cause is now confirmed (0.94)", { exact: true }).waitFor();
    expect(await page.locator("q").allTextContents()).toEqual(["pool exhausted: 6 of 6"]);
    expect(await page.getByText("heard", { exact: true }).count()).toBe(1);
    expect(errors).toEqual([]);
  });

  test("says that an address asks for no moment and for no incident that there could be", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page, errors } = await open(`${server.url}?at=yesterday`);
    await page.getByText("The address asks for a moment that cannot be read").waitFor();
    await row(page, "orders-db").waitFor();
    await page.goto(`${server.url}incidents/abc`);
    await page.getByRole("heading", { name: "There is no such incident." }).waitFor();
    await page.goto(`${server.url}map?at=${new Date(Date.now() - 60_000).toISOString()}`);
    await page.getByRole("heading", { level: 1, name: /^As it was at/ }).waitFor();
    const later = new Date(Date.now() + 3 * 365 * 86_400_000);
    for (const path of ["", "map"]) {
      await page.goto(`${server.url}${path}?at=${later.toISOString()}`);
      await page.getByText(new RegExp(`The address asks for .* ${later.getUTCFullYear()} .*, which is yet to come\\.`)).waitFor();
      await page.getByRole("heading", { level: 1, name: /^orders-db is unhealthy/ }).waitFor();
    }
    expect(errors).toEqual([]);
    await page.goto(`${server.url}map?incident=999`);
    await page.getByText("There is no incident 999 to replay.").waitFor();
    await page
      .locator("#map-picture")
      .getByRole("link", { name: /^orders-db / })
      .waitFor();
  });

  test("asks for a token where one is needed, and comes back to where it was", async () => {
    const server = await serve({ scene: "incident", size: 36, token: "sesame" });
    const { page } = await open(`${server.url}nodes/orders`);
    await page.getByRole("heading", { name: "Log in" }).waitFor();
    await page.getByLabel("Token").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("this token is not known").waitFor();
    await page.getByLabel("Token").fill("sesame");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.waitForURL(`${server.url}nodes/orders`);
    await page.getByRole("heading", { name: /orders is unhealthy\./ }).waitFor();
    await page.getByText(/^live, /).waitFor();
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("sesame");
  });

  test("says that the session has ended, keeps what it shows, and goes on after another login", async () => {
    const server = await serve({ scene: "incident", size: 36, token: "sesame" });
    const { page } = await open(server.url);
    const login = async (): Promise<void> => {
      await page.getByLabel("Token").fill("sesame");
      await page.getByRole("button", { name: "Log in" }).click();
      await page.getByText(/^live, /).waitFor();
    };
    await login();
    await row(page, "orders-db").waitFor();
    await page.context().clearCookies();
    server.cut();
    const banner = page.getByRole("region", { name: "Connection" });
    await banner.getByText("Your session has ended.").waitFor();
    expect(await banner.getByText(/Not connected/).count()).toBe(0);
    expect(await row(page, "orders-db").count()).toBe(1);
    expect(page.url()).toBe(server.url);
    await banner.getByRole("link", { name: "Sign in again" }).click();
    await login();
    await banner.waitFor({ state: "detached" });
    expect(page.url()).toBe(server.url);
  });

  test("offers a viewer nothing that would be refused", async () => {
    const server = await serve({ scene: "incident", size: 36, role: "viewer" });
    const { page } = await open(server.url);
    await page.getByRole("button", { name: /^Copy/ }).waitFor();
    await page.waitForFunction(() => performance.getEntriesByType("resource").some((entry) => entry.name.endsWith("/session")));
    expect(await page.getByRole("button", { name: "Acknowledge" }).count()).toBe(0);
    await page.keyboard.press("a");
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  test("works behind a base path, on deep links too", async () => {
    const server = await serve({ scene: "incident", size: 36, basePath: "/ops/health/" });
    const { page, errors } = await open(`${server.url}nodes/orders`);
    await page.getByRole("heading", { name: /orders is unhealthy\./ }).waitFor();
    await page.getByRole("link", { name: "Incidents", exact: true }).click();
    await page.waitForURL(`${server.url}incidents`);
    expect(errors).toEqual([]);
  });
});

test("the first load brings at most 110 kB of gzipped script", () => {
  const html = readFileSync(join(WEB_ROOT, "index.html"), "utf8");
  const first = [...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.js)"/g)].map((match) => match[1] ?? "");
  expect(first.length).toBeGreaterThan(0);
  const bytes = first.reduce((sum, file) => sum + gzipSync(readFileSync(join(WEB_ROOT, file)), { level: 9 }).length, 0);
  expect(bytes).toBeLessThanOrEqual(110_000);
});

test("every script and style lies beside its packed copies, and the page holds nothing inline", () => {
  const assets = readdirSync(join(WEB_ROOT, "assets"));
  const plain = assets.filter((name) => /\.(?:js|css)$/.test(name));
  for (const name of plain) expect(assets).toEqual(expect.arrayContaining([`${name}.br`, `${name}.gz`]));
  expect(readFileSync(join(WEB_ROOT, "index.html"), "utf8")).not.toMatch(/<script>|<style|style=|\son\w+=/);
});
