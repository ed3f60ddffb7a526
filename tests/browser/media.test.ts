import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BoardServer, startBoardServer } from "../support/board-server.ts";
import { launchBrowser, openPage } from "../support/browser.ts";
import { lowestContrast } from "../support/contrast.ts";

let browser: Browser;
let server: BoardServer;

beforeAll(async () => {
  browser = await launchBrowser();
  server = await startBoardServer({ scene: "acked", size: 36 });
});
afterAll(async () => {
  await browser.close();
  await server.close();
});

test("an incident prints what happened and why, on white, without what one can only press", async () => {
  const { page, context, errors } = await openPage(browser, { width: 900, height: 1200, dark: true });
  await page.goto(`${server.url}incidents/42`);
  await page.getByRole("rowheader", { name: "web-shop" }).waitFor();
  await page.emulateMedia({ media: "print" });
  const seen = (words: string): Promise<boolean> => page.getByText(words).first().isVisible();
  for (const words of [
    "orders-db is unhealthy.",
    "dependents report it down",
    "primary on-call",
    "failing over to the replica",
    "Timeline",
    "connection refused",
  ])
    expect(await seen(words), words).toBe(true);
  expect(await page.locator("button:visible, nav:visible, input:visible, kbd:visible").count()).toBe(0);
  expect(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).toBe("rgb(255, 255, 255)");
  const pdf = await page.pdf({ format: "A4" });
  expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
  expect(errors).toEqual([]);
  await context.close();
});

test("forced colours leave every state its shape and its word, and mark what is chosen", async () => {
  const { page, context } = await openPage(browser, { forcedColors: true });
  await page.goto(server.url);
  await page.locator('[data-node="ledger-db"]').waitFor();
  expect(await page.evaluate(() => matchMedia("(forced-colors: active)").matches)).toBe(true);
  const marks = await page.locator("[data-node]").evaluateAll((rows) =>
    rows.map((row) => {
      const svg = row.querySelector("svg");
      const ground = getComputedStyle(document.documentElement).backgroundColor;
      return {
        drawn: svg !== null && getComputedStyle(svg).color !== ground && svg.getBoundingClientRect().width > 0,
        text: row.textContent ?? "",
      };
    }),
  );
  expect(marks.every((mark) => mark.drawn && /healthy|degraded|unhealthy|unknown/.test(mark.text))).toBe(true);
  const chosen = page.getByRole("button", { name: /^All/ });
  expect(await chosen.evaluate((one) => getComputedStyle(one).outlineStyle)).toBe("solid");
  await context.close();
});

test.each([false, true])("more contrast is given where it is asked for, in the dark theme: %s", async (dark) => {
  const contrastOf = async (contrast: boolean): Promise<number> => {
    const { page, context } = await openPage(browser, { contrast, dark });
    await page.goto(server.url);
    const row = page.locator('[data-node="search"] .num').last();
    await row.waitFor();
    const ratio = await lowestContrast(row);
    await context.close();
    return ratio;
  };
  expect(await contrastOf(false)).toBeGreaterThanOrEqual(4.5);
  expect(await contrastOf(true)).toBeGreaterThanOrEqual(7);
});

test.each([false, true])("words in pictures are read as well as others, in the dark theme: %s", async (dark) => {
  const { page, context } = await openPage(browser, { dark });
  for (const [path, words] of [
    ["nodes/orders", ".recharts-cartesian-axis-tick-value"],
    ["incidents/42", "svg[role=img] text"],
    ["map", "#map-picture text"],
  ] as const) {
    await page.goto(server.url + path);
    await page.locator(words).first().waitFor();
    expect(await lowestContrast(page.locator(`${words}, main svg text`), "fill"), path).toBeGreaterThanOrEqual(4.5);
  }
  await context.close();
});

test("a board prints its nodes without what one can only press, and no sentence of it is torn", async () => {
  const { page, context } = await openPage(browser, { width: 900, height: 1200 });
  await page.goto(server.url);
  await page.locator('[data-node="ledger-db"]').waitFor();
  await page.emulateMedia({ media: "print" });
  expect(await page.locator("button:visible, nav:visible, input:visible, select:visible").count()).toBe(0);
  expect(await page.getByText("returns +23 s").isVisible()).toBe(true);
  expect(await page.getByText("by +2 m 02 s").first().isVisible()).toBe(false);
  await context.close();
});

test("on a phone no name of the wall is cut, and what a node's page says of it has the width of the page", async () => {
  const { page, context } = await openPage(browser, { width: 390, height: 844 });
  await page.goto(`${server.url}?tv`);
  const name = page.getByRole("listitem").filter({ hasText: "mobile-api" }).locator("span").first();
  await name.waitFor();
  const [line, letters] = await name.evaluate((one) => [
    Number.parseFloat(getComputedStyle(one).lineHeight),
    Number.parseFloat(getComputedStyle(one).fontSize),
  ]);
  expect(line).toBeGreaterThan(letters ?? Number.NaN);
  await page.goto(`${server.url}nodes/web-shop`);
  const way = page.getByText("web-shop → checkout → orders → orders-db");
  await way.waitFor();
  expect((await way.boundingBox())?.height).toBeLessThan(60);
  await context.close();
});

test("every strip has a name that tells what it shows", async () => {
  const { page, context } = await openPage(browser, {});
  for (const [path, words] of [
    ["", /^last 24 hours: /],
    ["nodes/orders", /^last (24 hours|90 days): /],
    ["history", /^last 90 days: |incidents by when they began/],
  ] as const) {
    await page.goto(server.url + path);
    await page.locator("svg[role=img][aria-label^=last]").first().waitFor();
    await page.waitForFunction(
      () => !/not loaded/.test([...document.querySelectorAll("svg")].map((svg) => svg.getAttribute("aria-label")).join()),
    );
    const names = await page
      .locator("svg[role=img]:not([aria-label*='time axis'])[preserveAspectRatio]")
      .evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""));
    expect(names.length, path).toBeGreaterThan(0);
    for (const name of names) expect(name, path).toMatch(words);
  }
  await context.close();
});
