import type { Locator, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { timeToAnswer } from "../support/answer.ts";
import { boardPages } from "../support/board-pages.ts";
import { countShifts, watchSteadiness } from "../support/steady.ts";

/** What the board was promised to be, check by check; axe and the keyboard have files of their own. */

const pages = boardPages();
const { serve } = pages;
const open = (url: string, options: Parameters<typeof pages.open>[1] = {}) => pages.open(url, options, countShifts);

describe("states without colour", () => {
  test.each(["achromatopsia", "deuteranopia"] as const)("are told apart under %s, by shapes that differ and by words", async (type) => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(server.url);
    await page.locator('[data-node="ledger-db"]').waitFor();
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setEmulatedVisionDeficiency", { type });
    const rows: Record<string, Locator> = {
      cause: page.locator('[data-node="orders-db"]'),
      own: page.locator('[data-node="shipping"]'),
      "impacted, unhealthy": page.locator('[data-node="orders"]'),
      "impacted, degraded": page.locator('[data-node="cart"]'),
      unknown: page.locator('[data-node="couriers"]'),
      healthy: page.locator('[data-node="search"]'),
    };
    const pictures = new Set<string>();
    for (const [what, row] of Object.entries(rows)) {
      pictures.add((await row.locator("svg").first().screenshot()).toString("base64"));
      expect(await row.textContent(), what).toMatch(/healthy|degraded|unhealthy|unknown/);
    }
    expect(pictures.size).toBe(Object.keys(rows).length);
  });
});

describe("a server that is gone", () => {
  test("is noticed within 25 s on a line that is open but silent; tiles lose their colour, ages go on", async () => {
    const server = await serve({ scene: "quiet", size: 36 });
    const { page } = await open(`${server.url}?view=tiles`);
    await page.getByText(/^live, /).waitFor();
    server.mute();
    const since = Date.now();
    await page
      .getByRole("region", { name: "Connection" })
      .getByText(/Not connected for/)
      .waitFor({ timeout: 40_000 });
    // The watchdog's 25 s, and some for a browser on a busy machine.
    expect(Date.now() - since).toBeLessThan(32_000);
    expect(await page.locator("main").evaluate((main) => getComputedStyle(main).filter)).toBe("saturate(0)");
    const age = (): Promise<string | null> => page.locator('[data-node="search"] .num').first().textContent();
    const before = await age();
    await expect.poll(age, { timeout: 5_000 }).not.toBe(before);
  });
});

describe("a large incident", () => {
  test("of one cause with 60 dependants among 200 is one line, and (1) in the title", async () => {
    const server = await serve({ scene: "incident", size: 200 });
    server.world.board.incidents.splice(1);
    const { page } = await open(server.url);
    await page.locator('[data-node="svc-0199"]').waitFor();
    expect(server.world.board.incidents[0]?.impacted.length).toBeGreaterThanOrEqual(60);
    expect(await page.locator("p[data-incident]").count()).toBe(0);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await page.title()).toMatch(/^\(1\) ✕/);
    await page.getByRole("button", { name: /^\d+ more$/ }).click();
    expect(await page.getByRole("button", { name: "fewer" }).getAttribute("aria-expanded")).toBe("true");
    expect(await page.locator("dl a[href*='nodes/svc-']").count()).toBeGreaterThan(40);
  });

  test.each([
    ["rows", 8, 1440, 900, ""],
    ["tiles", 60, 1440, 900, "?view=tiles"],
    ["a phone", 8, 390, 844, ""],
  ] as const)("moves nothing while it goes on, as %s for %i s", async (_, seconds, width, height, path) => {
    const server = await serve({ scene: "incident", size: 200, seenEvery: 200 });
    const { page, errors } = await open(server.url + path, { width, height });
    await page.locator('[data-node="svc-0199"]').waitFor();
    await page.waitForTimeout(1_500);
    const { shift, shifted, moved } = await watchSteadiness(page, server, seconds * 1_000);
    expect({ shift, shifted, moved, errors }).toEqual({ shift: 0, shifted: [], moved: [], errors: [] });
  });

  test("answers above the fold, on a desk and on a phone", async () => {
    const server = await serve({ scene: "incident", size: 500 });
    for (const size of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      expect((await timeToAnswer(pages.browser(), server.url, size)).aboveFold).toBe(true);
    }
  });
});

describe("what one filtered", () => {
  const shown = async (page: Page): Promise<string> => {
    await page.waitForFunction(() => !/Loading|Drawing\./.test(document.body.textContent ?? ""));
    return page.evaluate(() => {
      const lines = [...document.querySelectorAll("main [data-node], main tbody tr, main [data-finding], main svg a")];
      return lines
        .map((line) => line.getAttribute("data-node") ?? line.querySelector("th, h3, text")?.textContent ?? line.textContent)
        .join("|");
    });
  };

  test.each<[string, string, (page: Page) => Promise<unknown>]>([
    [
      "words and status",
      "",
      async (page) => {
        await page.getByRole("button", { name: /^Impacted / }).click();
        await page.getByLabel("Filter by name, team or tag").fill("order-desk");
      },
    ],
    [
      "team, grouping and view",
      "",
      async (page) => {
        await page.getByLabel("team", { exact: true }).selectOption("logistics");
        await page.getByLabel("group", { exact: true }).selectOption("system");
        await page.getByRole("button", { name: "View as tiles" }).click();
      },
    ],
    [
      "system and tag",
      "",
      async (page) => {
        await page.getByLabel("system", { exact: true }).selectOption("account");
        await page.getByLabel("tier", { exact: true }).selectOption("tier:1");
      },
    ],
    [
      "incidents by state and severity",
      "incidents",
      async (page) => {
        await page.getByRole("button", { name: "Resolved" }).click();
        await page.getByLabel("severity", { exact: true }).selectOption("page");
      },
    ],
    [
      "the history's range and team",
      "history",
      async (page) => {
        await page.getByRole("button", { name: "90 d" }).click();
        await page.getByLabel("team", { exact: true }).selectOption("data-platform");
      },
    ],
    [
      "labels of one team",
      "labels",
      async (page) => {
        await page.getByRole("button", { name: /^All labels/ }).click();
        await page.getByLabel("team", { exact: true }).selectOption("payments-core");
      },
    ],
    [
      "the map around a node",
      "map",
      async (page) => {
        await page.getByLabel("Show the surroundings of a node").fill("payments");
        await page.getByRole("button", { name: "what it needs" }).click();
        await page.getByRole("button", { name: "List view" }).click();
      },
    ],
  ])("survives a reload and is the same in another window: %s", async (_, path, filter) => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(server.url + path);
    await page.waitForFunction(() => !/Loading/.test(document.body.textContent ?? ""));
    const all = await shown(page);
    await filter(page);
    await expect.poll(() => shown(page)).not.toBe(all);
    await page.waitForLoadState("networkidle");
    const chosen = await shown(page);
    expect(chosen).not.toBe("");
    await page.reload();
    await expect.poll(() => shown(page)).toBe(chosen);
    const other = await open(page.url());
    await expect.poll(() => shown(other.page)).toBe(chosen);
  });
});
