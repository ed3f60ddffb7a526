import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type BoardServer, startBoardServer } from "../support/board-server.ts";
import { launchBrowser, openPage } from "../support/browser.ts";

const PAGES = [
  "",
  "?view=tiles",
  "?tv",
  "nodes/orders",
  "nodes/orders-db",
  "incidents",
  "incidents/42",
  "map",
  "map?list=1",
  "map?view=focus&focus=orders",
  "map?incident=42",
  "labels",
  "labels?show=all",
  "?at=2026-11-29T12:00:00.000Z",
  "history",
  "config",
  "login",
] as const;

let browser: Browser;
let server: BoardServer;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startBoardServer({ scene: "incident", size: 36 });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

/** Waits until the page shows what it will show: no "Loading" is left. */
async function settle(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => !/Loading|Drawing\./.test(document.body.textContent ?? ""));
  await page.waitForLoadState("load");
  // The board paints its answer first; its rows follow in a task of their own.
  await page.evaluate(() => new Promise((painted) => requestIdleCallback(painted)));
}

async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof import("axe-core") };
    const { violations: found } = await checker.run(document, { resultTypes: ["violations"] });
    return found.map(
      (one) =>
        `${one.id}: ${one.nodes
          .map((node) => `${node.target.join(" ")} ${node.failureSummary ?? ""}`)
          .slice(0, 3)
          .join(" | ")}`,
    );
  });
}

describe.each([false, true])("in the dark theme: %s", (dark) => {
  test.each(PAGES)("axe finds nothing on /%s", async (path) => {
    const { page, context, errors } = await openPage(browser, { dark });
    await page.goto(server.url + path);
    await settle(page);
    expect(await violations(page)).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });
});

test.each([390, 1440, 2560])("no page scrolls sideways at %i px", async (width) => {
  const { page, context } = await openPage(browser, { width, height: 900 });
  for (const path of PAGES) {
    await page.goto(server.url + path);
    await settle(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), path).toBeLessThanOrEqual(0);
  }
  await context.close();
});

test.each([390, 1440])("names and reasons of any length stay inside the page at %i px", async (width) => {
  const long = await startBoardServer({ scene: "incident", size: 36 });
  for (const node of long.world.board.nodes) {
    node.name = `${node.id}-${"averylongnamewithoutanybreak".repeat(4)}`;
    if (node.reason) node.reason = "x".repeat(300);
  }
  const { page, context } = await openPage(browser, { width, height: 900 });
  for (const path of ["", "?view=tiles", "?tv", "nodes/orders", "incidents/42", "incidents", "map?list=1", "map"]) {
    await page.goto(long.url + path);
    await settle(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), path).toBeLessThanOrEqual(0);
  }
  await context.close();
  await long.close();
});

test("axe finds nothing on a phone, and nothing in the dialogs", async () => {
  const { page, context } = await openPage(browser, { width: 390, height: 844 });
  await page.goto(server.url);
  await settle(page);
  expect(await violations(page)).toEqual([]);
  await page.getByRole("button", { name: "Acknowledge" }).click();
  await page.getByRole("dialog").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  expect(await violations(page)).toEqual([]);
  for (const [key, name] of [
    ["m", "Mark a change"],
    ["w", "Announce work"],
  ] as const) {
    await page.keyboard.press("Escape");
    await page.keyboard.press(key);
    await page.getByRole("dialog", { name }).waitFor();
    expect(await violations(page)).toEqual([]);
  }
  await context.close();
});

test("every row tells its state by shape and by word, not by colour alone", async () => {
  const { page, context } = await openPage(browser, {});
  await page.goto(server.url);
  await settle(page);
  await page.locator("[data-node]").first().waitFor();
  const rows = await page.locator("[data-node]").evaluateAll((all) =>
    all.map((row) => ({
      face: row.getAttribute("data-face"),
      symbol: row.querySelector("[data-symbol]")?.getAttribute("data-symbol"),
      text: row.textContent,
    })),
  );
  expect(rows).toHaveLength(36);
  for (const row of rows) expect(row.text).toMatch(/healthy|degraded|unhealthy|unknown/);
  const symbols = new Map(rows.map((row) => [`${row.face}`, row.symbol]));
  expect(Object.fromEntries(symbols)).toMatchObject({ healthy: "healthy", unknown: "unknown", impacted: expect.stringMatching(/-o$/) });
  await context.close();
});

test("a word fades each time that it changes, and not at first", async () => {
  const { page, context } = await openPage(browser, {});
  await page.goto(server.url);
  await settle(page);
  const fading = (): Promise<number> =>
    page.evaluate(() => document.getAnimations().filter((one) => one instanceof CSSAnimation && /fade/i.test(one.animationName)).length);
  expect(await fading()).toBe(0);
  for (const status of ["degraded", "unhealthy", "healthy"] as const) {
    server.publish({ nodes: [{ id: "tax", status }] });
    await page.locator('[data-node="tax"]').getByText(status).waitFor();
    await page.waitForFunction(() => document.getAnimations().length > 0);
    expect(await fading()).toBe(1);
    await page.waitForFunction(() => document.getAnimations().length === 0);
  }
  await context.close();
});

test("nothing fades or moves with reduced motion", async () => {
  const { page, context } = await openPage(browser, { reducedMotion: true });
  await page.goto(server.url);
  await settle(page);
  server.publish({ nodes: [{ id: "tax", status: "degraded" }] });
  await page.locator('[data-node="tax"]').getByText("degraded").waitFor();
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  server.publish({ nodes: [{ id: "tax", status: "healthy" }] });
  await context.close();
});

test("a screen reader is told of a change, once, in a polite region that was there before", async () => {
  const quiet = await startBoardServer({ scene: "quiet", size: 36 });
  const { page, context } = await openPage(browser, {});
  await page.goto(quiet.url);
  await settle(page);
  const region = page.locator('[role="status"][aria-live="polite"]');
  expect(await region.textContent()).toBe("");
  quiet.setScene("incident");
  await page.waitForFunction(() =>
    document
      .querySelector('[role="status"][aria-live="polite"]')
      ?.textContent?.startsWith("orders-db is unhealthy. 12 services are impacted."),
  );
  await context.close();
  await quiet.close();
});
