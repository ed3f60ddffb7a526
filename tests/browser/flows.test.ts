import { readFileSync } from "node:fs";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type BoardServer, startBoardServer } from "../support/board-server.ts";
import { launchBrowser, openPage } from "../support/browser.ts";

/** What people do on the pages beside the board, by keyboard alone. */

let browser: Browser;
let server: BoardServer;
let page: Page;
let context: BrowserContext;
let errors: string[];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startBoardServer({ scene: "incident", size: 36 });
  ({ page, context, errors } = await openPage(browser, {}));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
});
afterEach(async () => {
  expect(errors).toEqual([]);
  await context.close();
  await server.close();
});

async function open(path: string): Promise<void> {
  await page.goto(server.url + path);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => !/Loading|Drawing\./.test(document.body.textContent ?? ""));
  await page.waitForFunction(() => performance.getEntriesByType("resource").some((entry) => entry.name.endsWith("/session")));
}

/** Tabs until the element that holds the focus answers to the words. */
async function tabTo(words: RegExp): Promise<void> {
  for (let presses = 0; presses < 200; presses++) {
    await page.keyboard.press("Tab");
    const named = await page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
    );
    if (words.test(named)) return;
  }
  throw new Error(`nothing that answers to ${words} is reached by Tab`);
}

test("work is announced from a node's page, shown on its row and its board, and ended", async () => {
  await open("nodes/tax");
  await page.keyboard.press("w");
  await page.getByRole("dialog", { name: "Announce work" }).waitFor();
  expect(await page.getByRole("list", { name: "Worked on" }).textContent()).toContain("tax");
  await page.getByLabel("What is done").focus();
  await page.keyboard.type("new rates");
  await page.getByLabel("Your name").focus();
  await page.keyboard.type("robin");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(server.writes.at(-1)).toMatchObject({ path: "maintenance", body: { nodes: ["tax"], reason: "new rates", name: "robin" } });
  await page.getByRole("heading", { name: "Announced work" }).waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await page.locator('[data-node="tax"]', { hasText: /work until \d\d:\d\d: new rates/ }).waitFor();
  await page
    .locator('[data-notice="work"]')
    .getByText(/Work until .* on tax\./)
    .waitFor();
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.getByRole("heading", { name: "Announced work" }).waitFor();
  await tabTo(/^end now$/);
  await page.keyboard.press("Enter");
  await page.getByText("None is under way or to come.").waitFor();
  expect(server.writes.at(-1)).toEqual({ path: "maintenance/1", body: null });
});

test("a change is marked on the row that has the focus, and listed", async () => {
  await open("");
  await page.locator('[data-node="search"] a').first().focus();
  await page.keyboard.press("m");
  await page.getByRole("dialog", { name: "Mark a change" }).waitFor();
  expect(await page.getByLabel("Where").inputValue()).toBe("search");
  await page.getByLabel("What changed").focus();
  await page.keyboard.type("version 12");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(server.writes).toEqual([{ path: "changes", body: { text: "version 12", node: "search" } }]);
  await page.keyboard.press("g");
  await page.keyboard.press("c");
  await page.getByRole("row", { name: /search version 12/ }).waitFor();
});

test("a patch for a label is opened and copied", async () => {
  await open("labels");
  await tabTo(/^Patch for map\/shopfront/);
  await page.keyboard.press("Enter");
  await tabTo(/^Copy the patch$/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Copied" }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("+      - { on: sessions, criticality: soft");
});

test("an incident is replayed on the map with the arrow keys, and looked at on the board of that moment", async () => {
  await open("map?incident=42&list=1");
  await page.getByRole("row", { name: /notifications.*impacted/ }).waitFor();
  await page.getByRole("slider", { name: "Moment shown" }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("row", { name: /notifications.*healthy/ }).waitFor();
  await page.keyboard.press("ArrowRight");
  await page.getByRole("row", { name: /notifications.*impacted/ }).waitFor();
  await page.keyboard.press("ArrowLeft");
  await page.getByRole("row", { name: /notifications.*healthy/ }).waitFor();
  await tabTo(/^the board then$/);
  await page.keyboard.press("Enter");
  await page.getByText(/^As it was on/).waitFor();
  // It is looked at: nothing is done to what was.
  await page.getByRole("button", { name: /^Copy/ }).waitFor();
  expect(await page.getByRole("button", { name: /^(Acknowledge|Note)/ }).count()).toBe(0);
  expect(await page.locator('[data-node="notifications"]').textContent()).toContain("healthy");
  const still = await page.locator('[data-node="orders-db"]').textContent();
  await page.waitForTimeout(1_500);
  expect(await page.locator('[data-node="orders-db"]').textContent()).toBe(still);
});

test("o opens the row that has the focus; the folded victims unfold and stay so through updates", async () => {
  await open("");
  await tabTo(/^9 more$/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "fewer" }).waitFor();
  server.publish({ nodes: [{ id: "tax", status: "degraded" }] });
  await page.locator('[data-node="tax"]').getByText("degraded").waitFor();
  expect(await page.getByRole("button", { name: "fewer" }).count()).toBe(1);
  await page.locator('[data-node="search"] a').first().focus();
  await page.keyboard.press("o");
  await page.getByRole("heading", { name: /search is healthy\./ }).waitFor();
});

test("o opens the node of the picture that has the focus", async () => {
  await open("map");
  const cause = page.locator("#map-picture").getByRole("link", { name: /^orders-db / });
  await cause.focus();
  await page.keyboard.press("o");
  await page.getByRole("heading", { name: /orders-db is unhealthy\./ }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/nodes/orders-db");
});

test("the picture is saved as a file that looks the same by itself", async () => {
  await open("map");
  const name = page.locator("#map-picture text", { hasText: "orders-db" });
  const widthOf = (): Promise<number> => name.evaluate((text) => Math.round((text as SVGTextElement).getComputedTextLength()));
  const looks = (): Promise<string[]> =>
    name.evaluate((text) => [getComputedStyle(text).fill, getComputedStyle(text).fontSize, getComputedStyle(text).fontWeight]);
  const [width, seen] = [await widthOf(), await looks()];
  const paper = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await tabTo(/^Export SVG$/);
  const [saved] = await Promise.all([page.waitForEvent("download"), page.keyboard.press("Enter")]);
  const path = await saved.path();
  const text = readFileSync(path, "utf8");
  await page.goto("about:blank");
  await page.setContent(text);
  expect([await widthOf(), await looks()]).toEqual([width, seen]);
  expect(await page.locator("#map-picture > rect").first().getAttribute("fill")).toBe(paper);
});

test.each(["history", "labels?show=all", "labels", "config"])("j and k go through the rows of /%s, and o opens one", async (path) => {
  await open(path);
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  const here = (): Promise<string | null> => page.evaluate(() => document.activeElement?.getAttribute("href") ?? null);
  const second = await here();
  await page.keyboard.press("k");
  const first = await here();
  expect(first).not.toBe(null);
  await page.keyboard.press("o");
  await page.waitForURL((url) => `${url.pathname}${url.search}` === first);
  expect(second).not.toBe(null);
});

test("impact is read by team or by system", async () => {
  await open("incidents/42");
  await page.getByRole("rowheader", { name: /order-desk/ }).waitFor();
  await tabTo(/^by system$/);
  await page.keyboard.press("Enter");
  await page.getByRole("rowheader", { name: /Storefront/ }).waitFor();
  expect(await page.getByRole("rowheader", { name: /order-desk/ }).count()).toBe(0);
});

test("the story of an incident stays short with 60 victims: they are one line, which unfolds and stays so", async () => {
  const large = await startBoardServer({ scene: "incident", size: 200 });
  await page.goto(`${large.url}incidents/42`);
  const story = page.getByRole("region", { name: "Timeline" }).locator("ol").first().locator("> li");
  await story.filter({ hasText: /60 nodes became impacted within/ }).waitFor();
  expect(await story.count()).toBe(3);
  await page.waitForFunction(() => !/Loading/.test(document.body.textContent ?? ""));
  await tabTo(/^60 nodes became impacted/);
  await page.keyboard.press("Enter");
  const victims = story.getByRole("link", { name: "notifications" });
  await victims.waitFor();
  large.publish({ nodes: [{ id: "tax", status: "degraded" }], incidents: large.world.board.incidents.slice(0, 1) });
  await page.waitForTimeout(500);
  expect(await victims.isVisible()).toBe(true);
  await large.close();
});

test("a map text is checked without being applied", async () => {
  await open("config");
  await page.getByLabel("Its text").focus();
  await page.keyboard.type("services: { a: { intervall: 5s } }");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByText("1 mistake: it would be refused.").waitFor();
  await page.getByText("did you mean `interval`?", { exact: false }).waitFor();
});
