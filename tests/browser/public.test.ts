import axe from "axe-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { appOn, closeApps } from "../support/app.ts";
import { launchBrowser, openPage } from "../support/browser.ts";
import { TestLive } from "../support/live.ts";

let browser: Browser;
let address: string;

beforeAll(async () => {
  browser = await launchBrowser();
  address = await (await appOn(new TestLive())).listen({ host: "127.0.0.1", port: 0 });
});
afterAll(async () => {
  await browser.close();
  await closeApps();
});

describe.each([false, true])("the public page, in the dark theme: %s", (dark) => {
  test("is styled, accessible, and obeys its own policy", async () => {
    const { page, context, errors } = await openPage(browser, { width: 390, height: 700, dark });
    await page.goto(`${address}/status.html`);
    expect(await page.locator("h1").textContent()).toBe("Something is down");
    expect(await page.locator("li").allTextContents()).toEqual(["Storefrontdown"]);
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe(
      dark ? "rgb(15, 16, 17)" : "rgb(251, 250, 247)",
    );
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => {
      const { axe: checker } = window as unknown as { axe: typeof import("axe-core") };
      // A page that asks for itself again every half minute does so while nobody has anything typed or opened in it.
      const { violations } = await checker.run(document, { resultTypes: ["violations"], rules: { "meta-refresh": { enabled: false } } });
      return violations.map(({ id }) => id);
    });
    expect(found).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  });
});

test("the badge is a picture with a name", async () => {
  const { page, context, errors } = await openPage(browser);
  await page.goto(`${address}/status.svg`);
  expect(await page.evaluate(() => document.documentElement.getAttribute("aria-label"))).toBe("status: down");
  expect(errors).toEqual([]);
  await context.close();
});
