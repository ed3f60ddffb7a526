import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { boardPages } from "../support/board-pages.ts";

/** Boards of a size at which everything at once is too much. */

const { serve, open } = boardPages();

const row = (page: Page, id: string) => page.locator(`[data-node="${id}"]`);

test("a board shows 1,000 nodes, and 200 of them changing at once", async () => {
  const server = await serve({ scene: "quiet", size: 1_000 });
  const { page, errors } = await open(server.url);
  await row(page, "svc-0999").waitFor();
  const ids = Array.from({ length: 200 }, (_, index) => `svc-${String(100 + index).padStart(4, "0")}`);
  server.publish({ nodes: ids.map((id) => ({ id, status: "degraded" as const, reason: "slow" })) });
  await row(page, "svc-0299").getByText("degraded").waitFor();
  expect(await page.locator('[data-face="own"]').count()).toBe(200);
  expect(errors).toEqual([]);
});

describe("more nodes than anybody can look at", () => {
  test("are folded by group, unfold by keyboard and where there is trouble, and stay so in the address", async () => {
    const server = await serve({ scene: "incident", size: 1_600 });
    const { page } = await open(server.url);
    await page.getByText(/\d+ groups, folded\./).waitFor();
    expect(await page.locator("[data-node]").count()).toBe(0);
    const data = page.getByRole("button", { name: "Data", exact: true });
    await data.focus();
    await page.keyboard.press("Enter");
    await row(page, "orders-db").waitFor();
    expect(await data.getAttribute("aria-expanded")).toBe("true");
    expect(await page.locator("[data-node]").count()).toBe(6);
    await page.reload();
    await row(page, "orders-db").waitFor();
    await page.getByRole("button", { name: /^Unfold the \d+ with trouble$/ }).click();
    await row(page, "orders").getByText("because orders-db").waitFor();
    expect(await row(page, "svc-1599").count()).toBe(0);
    await page.getByRole("button", { name: /^Causes / }).click();
    await expect.poll(() => page.locator("[data-node]").count()).toBe(2);
  });

  test("are a picture by team and a list a part at a time, and the way of a failure is shown where its cause is", async () => {
    const server = await serve({ scene: "incident", size: 1_600 });
    const { page, errors } = await open(`${server.url}map?view=all`);
    await page.getByText("300 of 1600 are listed.").waitFor();
    await page.getByRole("button", { name: "300 more" }).click();
    await page.getByText("600 of 1600 are listed.").waitFor();
    await page.getByRole("button", { name: "By team" }).click();
    await page.locator("#map-picture a").first().waitFor();
    await page.getByRole("button", { name: "Failure path" }).click();
    const cause = page.locator("#map-picture").getByRole("link", { name: /^orders-db .*cause$/ });
    await cause.waitFor();
    await expect.poll(() => cause.evaluate((one) => one.getBoundingClientRect().right <= innerWidth)).toBe(true);
    expect(errors).toEqual([]);
  });
});

test("a node with many witnesses shows those first that disagree, and the others when asked", async () => {
  const server = await serve({ scene: "incident", size: 500 });
  const { page, errors } = await open(`${server.url}nodes/orders`);
  const table = page.getByRole("region", { name: "Witnesses" });
  const looking = table.locator("tbody th");
  await page.getByRole("heading", { name: /Latency/ }).waitFor();
  expect(await looking.allTextContents()).toHaveLength(13);
  expect(await looking.nth(1).textContent()).toBe("svc-0162");
  expect(await table.locator("tbody tr").nth(1).textContent()).toContain("up");
  await table.getByRole("button", { name: "All 58" }).click();
  expect(await looking.allTextContents()).toHaveLength(59);
  expect(await looking.nth(1).textContent()).toBe("checkout");
  expect(errors).toEqual([]);
});
