import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { type BoardServer, startBoardServer } from "../support/board-server.ts";
import { launchBrowser, openPage } from "../support/browser.ts";

let browser: Browser;
let server: BoardServer;
let page: Page;
let context: BrowserContext;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  server = await startBoardServer({ scene: "incident", size: 36 });
  ({ page, context } = await openPage(browser, {}));
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.goto(server.url);
  await page.getByRole("heading", { level: 1 }).waitFor();
  await page.getByRole("button", { name: /^Acknowledge/ }).waitFor();
  await page.locator("[data-node]").first().waitFor();
});
afterEach(async () => {
  await context.close();
  await server.close();
});

const focused = (): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.closest("[data-node]")?.getAttribute("data-node") ?? null);

test("open, acknowledge, note and copy go by keyboard alone", async () => {
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Acknowledge incident 42" }).waitFor();
  await page.keyboard.type("primary on-call");
  await page.keyboard.press("Tab");
  await page.keyboard.type("failing over");
  await page.keyboard.press("Enter");
  await page
    .getByText(/primary on-call has it until/)
    .first()
    .waitFor();
  expect(server.writes[0]).toEqual({
    path: "incidents/42/ack",
    body: { name: "primary on-call", note: "failing over", expires_in: "30m" },
  });
  expect(await page.locator("[data-tone]").first().getAttribute("data-tone")).toBe("page");

  await page.keyboard.press("n");
  await page.getByRole("dialog", { name: "Note for incident 42" }).waitFor();
  await page.keyboard.type("replica is 0.2 s behind");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(server.writes[1]).toEqual({ path: "incidents/42/notes", body: { text: "replica is 0.2 s behind", name: "primary on-call" } });

  await page.keyboard.press("c");
  await page.getByText("Incident 42 copied as Markdown.").waitFor({ state: "attached" });
  const text = await page.evaluate(() => navigator.clipboard.readText());
  expect(text).toContain("## Incident 42: orders-db");
  expect(text).toContain("- owner: data-platform");
  expect(text).toContain("- heard: “connection refused”");
  expect(text).toContain("primary on-call: replica is 0.2 s behind");
  expect(text).toContain("| web-shop | +44 s | web-shop → checkout → orders → orders-db |");

  // Whoever changes only for how long they have it goes on doing what they do.
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Acknowledge incident 42" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(server.writes[2]?.body).toMatchObject({ name: "primary on-call", note: "failing over" });
});

test("j and k move through the rows, Enter opens, and the place survives live updates", async () => {
  await page.locator('[data-node="web-shop"] a').first().focus();
  await page.keyboard.press("j");
  await page.keyboard.press("j");
  expect(await focused()).toBe("search");
  await page.keyboard.press("k");
  expect(await focused()).toBe("mobile-api");
  server.publish({
    nodes: [
      { id: "mobile-api", status: "unhealthy" },
      { id: "web-shop", status: "unhealthy" },
    ],
  });
  await page.locator('[data-node="mobile-api"]').getByText("unhealthy").waitFor();
  expect(await focused()).toBe("mobile-api");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: /mobile-api is unhealthy\./ }).waitFor();
});

test("a takes the incident of the row that has the focus", async () => {
  await page.locator('[data-node="shipping"] a').first().focus();
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Acknowledge incident 43" }).waitFor();
});

test("the slash filters, and keys are inert while one types", async () => {
  await page.keyboard.press("/");
  await page.keyboard.type("cat");
  await page.waitForFunction(() => document.querySelectorAll("[data-node]").length === 5);
  expect(await page.getByRole("dialog").count()).toBe(0);
  expect(new URL(page.url()).search).toBe("?q=cat");
  await page.keyboard.press("Escape");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
});

test("g goes to the pages, u to UTC and back, t to the wall and back", async () => {
  for (const [key, path] of [
    ["i", "incidents"],
    ["m", "map"],
    ["c", "config"],
    ["b", ""],
  ] as const) {
    await page.keyboard.press("g");
    await page.keyboard.press(key);
    await page.waitForURL(server.url + path);
  }
  await page.getByRole("heading", { name: /orders-db/ }).waitFor();
  await page.keyboard.press("u");
  expect(await page.getByRole("button", { name: "UTC" }).getAttribute("aria-pressed")).toBe("true");
  await page.reload();
  await page
    .getByText(/first sign .* UTC/)
    .first()
    .waitFor();
  await page.keyboard.press("t");
  await page.waitForURL(`${server.url}?tv`);
  expect(await page.getByRole("navigation").count()).toBe(0);
  await page.keyboard.press("t");
  await page.getByRole("navigation").waitFor();
});

test("the theme is remembered, and follows the system until then", async () => {
  const dark = (): Promise<string> => page.evaluate(() => getComputedStyle(document.documentElement).colorScheme);
  expect(await dark()).toBe("light dark");
  await page.getByRole("button", { name: "Theme" }).click();
  expect(await dark()).toBe("dark");
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  expect(await dark()).toBe("dark");
});

test("an open dialog and what was typed survive live updates", async () => {
  await page.keyboard.press("n");
  await page.keyboard.type("half a sentence");
  server.publish({ nodes: [{ id: "tax", status: "degraded" }] });
  await page.locator('[data-node="tax"]').getByText("degraded").waitFor();
  expect(await page.getByRole("dialog").locator("input[name=text]").inputValue()).toBe("half a sentence");
});
