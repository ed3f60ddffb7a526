import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { launchBrowser, openPage } from "../support/browser.ts";
import { eventually, type Running, scratchFolder, startServe } from "../support/headwater.ts";
import { startService, type TestService } from "../support/service.ts";

/** The page on the real server with real services behind it: from a poll to what a person reads. */

let browser: Browser;
let folder: ReturnType<typeof scratchFolder>;
let services: TestService[];
let running: Running;
let page: Page;
let isDown: boolean;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
});

beforeEach(async () => {
  folder = scratchFolder();
  isDown = false;
  services = await Promise.all(
    Array.from({ length: 12 }, () =>
      startService({
        dial: (_request, response) => {
          response.writeHead(isDown ? 503 : 200, { "content-type": "application/json" });
          response.end(
            JSON.stringify({
              status: isDown ? "unhealthy" : "healthy",
              components: [
                {
                  name: "main-db",
                  status: isDown ? "down" : "up",
                  criticality: "hard",
                  latency_ms: 3,
                  age_ms: 20,
                  ...(isDown && { error: "connection refused <script>alert(1)</script>" }),
                },
              ],
            }),
          );
        },
      }),
    ),
  );
  const lines = services.map(
    (service, i) => `  s${i}: { team: shop, url: '${service.url}', dependencies: [ { on: main-db, criticality: hard } ] }`,
  );
  folder.write(
    "config/map/shop.yaml",
    [
      "defaults: { interval: 1s, timeout: 400ms, flip_after: 2, max_age: 10s }",
      "teams: { shop: { contact: '#shop' } }",
      "resources: { main-db: { kind: database, team: shop } }",
      "services:",
      ...lines,
      "systems: { storefront: { public: true, members: [ { node: s0, criticality: hard } ] } }",
      "",
    ].join("\n"),
  );
  running = await startServe(folder);
  await eventually("all known", running.board, (board) => board.nodes.every((node) => node.status === "healthy"));
});

afterEach(async () => {
  await page?.context().close();
  await running.end("SIGKILL");
  for (const service of services) await service.close();
  folder.remove();
});

/** Opens a page of the running server; the list gathers what the console complains of. */
async function open(path: string): Promise<string[]> {
  const opened = await openPage(browser);
  page = opened.page;
  await page.goto(`${running.address}${path}`);
  return opened.errors;
}

const headline = () => page.locator("h1").first().textContent();

test("a database goes down and comes back: one headline, twelve impacted, and calm again, all without a reload", async () => {
  const problems = await open("/");
  await page.evaluate(() => Object.assign(window, { untouched: true }));
  await expect.poll(headline, { timeout: 10_000 }).toContain("13");

  isDown = true;
  await expect.poll(headline, { timeout: 20_000 }).toMatch(/main-db is unhealthy/);
  await expect.poll(headline, { timeout: 20_000 }).toMatch(/12 services are impacted/);
  expect(await page.title()).toContain("(1)");
  const text = await page.locator("body").textContent();
  expect(text).toContain("because main-db");
  expect(text).toContain("connection refused");
  expect(await page.locator("script", { hasText: "alert(1)" }).count()).toBe(0);

  isDown = false;
  await expect.poll(headline, { timeout: 30_000 }).toMatch(/healthy/);
  await expect.poll(() => page.title(), { timeout: 10_000 }).not.toContain("(1)");
  expect(await page.evaluate(() => "untouched" in window)).toBe(true);
  expect(problems).toEqual([]);
});

test("the node page shows both sides, the answer and the chart, and goes on by itself", async () => {
  await open("/nodes/s3");
  await expect.poll(headline, { timeout: 10_000 }).toMatch(/s3 is healthy/);
  await expect.poll(() => page.locator("body").textContent(), { timeout: 20_000 }).toContain("11 up");
  isDown = true;
  await expect.poll(headline, { timeout: 20_000 }).toMatch(/s3 is unhealthy/);
  await expect.poll(headline, { timeout: 20_000 }).toMatch(/Because of main-db/);
  await expect.poll(() => page.locator("svg.recharts-surface").count(), { timeout: 20_000 }).toBeGreaterThan(0);
});

test("a young history has the same figure for its day and for its ninety days, and says that degraded time is in it", async () => {
  await open("/nodes/s3");
  const figures = async () => (await page.locator("body").textContent())?.match(/up or degraded [\d.]+ %/g);
  await expect.poll(figures, { timeout: 10_000 }).toEqual(["up or degraded 100 %", "up or degraded 100 %"]);
  isDown = true;
  await expect.poll(headline, { timeout: 20_000 }).toMatch(/s3 is unhealthy/);
  await page.reload();
  await expect.poll(async () => (await figures())?.length, { timeout: 10_000 }).toBe(2);
  const [day, ninety] = (await figures()) ?? [];
  expect(day).not.toBe("up or degraded 100 %");
  expect(ninety).toBe(day);
});

test("an acknowledgement made on the page is kept by the server and seen by everybody", async () => {
  isDown = true;
  await eventually("an incident", running.board, (board) => board.incidents.length === 1);
  await open("/");
  await expect.poll(headline, { timeout: 20_000 }).toMatch(/main-db is unhealthy/);
  await page.keyboard.press("a");
  const dialog = page.locator("dialog[open]");
  await dialog.waitFor();
  const name = dialog.getByLabel(/name/i);
  if (await name.isVisible()) await name.fill("night shift");
  await dialog.locator("button[type=submit]").click();
  const board = await eventually("acked", running.board, (seen) => seen.incidents[0]?.acked !== null);
  expect(board.incidents[0]?.acked?.by).toBe("night shift");
});
