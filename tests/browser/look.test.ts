import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { boardPages } from "../support/board-pages.ts";
import type { BoardServer } from "../support/board-server.ts";
import { countShifts, shiftOf } from "../support/steady.ts";

/** What the drawn look asks of the real pages: room that is kept, lines that are not torn, words that are said once. */

const { serve, open } = boardPages();

const LONG = "failing over to the replica in zone b, then moving the writes; ask #team-data before touching anything else";
const PHONE = { width: 390, height: 844 };

const topOf = (page: Page, name: string): Promise<number> =>
  page.getByRole("region", { name, exact: true }).evaluate((one) => one.getBoundingClientRect().top + scrollY);

/** Somebody with a long name takes the incident to be read first, with a long note. */
function take(server: BoardServer): void {
  const [incident] = server.world.board.incidents;
  if (!incident) throw new Error("There is no incident to take.");
  const acked = { by: "robin of the data platform", at: new Date().toISOString(), until: null, note: LONG };
  server.publish({ incidents: [{ ...incident, acked }] });
}

describe("a headline", () => {
  test.each([1160, 1440, 1920, 2560])("has one height with an incident of any kind and without, %i pixels wide", async (width) => {
    const server = await serve({ scene: "quiet", size: 36 });
    const { page } = await open(server.url, { width });
    const tops: Record<string, number> = { quiet: await topOf(page, "Systems") };
    for (const [scene, words] of [
      ["incident", /orders-db is unhealthy/],
      ["unsure", /No cause identified/],
      ["recovering", /is recovering/],
      ["ticket", /search is degraded/],
    ] as const) {
      server.setScene(scene);
      server.world.board.incidents.splice(1);
      await page.getByRole("heading", { level: 1, name: words }).waitFor();
      tops[scene] = await topOf(page, "Systems");
      take(server);
      await page.locator("dd").getByText("robin of the data platform has it.").waitFor();
      tops[`${scene}, taken`] = await topOf(page, "Systems");
    }
    expect(new Set(Object.values(tops)), JSON.stringify(tops)).toHaveLength(1);
  });

  test.each([1160, 1440, 1920, 2560])("keeps to its room however long a name is, %i pixels wide", async (width) => {
    const server = await serve({ scene: "quiet", size: 36 });
    const { page } = await open(server.url, { width });
    const quiet = await topOf(page, "Systems");
    server.setScene("incident");
    server.world.board.incidents.splice(1);
    await page.getByRole("heading", { level: 1, name: /orders-db is unhealthy/ }).waitFor();
    const tops: Record<number, number> = {};
    for (const length of [9, 14, 20, 24, 30, 45, 64, 90, 120]) {
      const name = "orders-and-invoices-of-the-eastern-region-".repeat(3).slice(0, length - 1);
      server.publish({ nodes: [{ id: "orders-db", name: `${name}x` }] });
      await page.getByRole("heading", { level: 1, name: `${name}x is unhealthy.` }).waitFor();
      tops[length] = await topOf(page, "Systems");
    }
    expect(tops).toEqual(Object.fromEntries(Object.keys(tops).map((length) => [length, quiet])));
  });

  test.each(["quiet", "incident"] as const)("holds work that is under way without another line: %s", async (scene) => {
    const server = await serve({ scene, size: 36 });
    for (const width of [390, 900, 1160, 1440, 2560]) {
      server.world.works.length = 0;
      const { page } = await open(server.url, { width });
      const before = await topOf(page, "Systems");
      const [from, to] = [-60_000, 3_600_000].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
      const work = {
        nodes: ["search", "search-index", "cart"],
        from,
        to,
        reason: LONG,
        by: "catalogue",
        announced_at: from,
        ended_by: null,
      };
      server.world.works.push({ id: 1, ...work }, { id: 2, ...work });
      await page.reload();
      await page.getByText(/^Work until .* on search, search-index and 1 more\./).waitFor();
      await page.locator("[data-notice=work]").getByRole("link", { name: "1 more" }).waitFor();
      expect(await topOf(page, "Systems"), `${width} pixels wide`).toBe(before);
      await page.close();
    }
  });

  test("tells what whoever has it wrote, and keeps what is pressed next where it was", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(server.url);
    const note = page.getByRole("button", { name: /^Note/ });
    const before = await note.boundingBox();
    take(server);
    await page.getByText(LONG).waitFor();
    expect(await note.boundingBox()).toEqual(before);
  });

  test("tells whose the cause is, on the board and with where they are reached on its own page", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(server.url);
    expect(await page.locator("dl").getByRole("link", { name: "data-platform" }).getAttribute("href")).toBe("/?team=data-platform");
    await page.locator("dl").getByRole("link", { name: "incident 42" }).click();
    await page.getByText(/^orders-db is of data-platform, #/).waitFor();
  });

  test("names announced work once, with the incident that it explains", async () => {
    const server = await serve({ scene: "maintenance", size: 36 });
    const { page } = await open(server.url);
    const line = page.locator("[data-notice=work]");
    await line.waitFor();
    expect(await line.textContent()).toMatch(
      /^Work until .* on payments and card-gateway\. gateway upgrade, announced by payments-core incident 46/,
    );
    expect(await page.locator("main section p").filter({ hasText: "payments" }).count()).toBe(1);
    await line.getByRole("link", { name: "incident 46" }).click();
    await page.waitForURL(/\/incidents\/46$/);
  });
});

describe("while answers are on their way", () => {
  /** Holds back what is asked of these addresses until it is let go. */
  const hold = (addresses: RegExp) => {
    let letGo = (): void => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const prepare = (page: Page): Promise<unknown> =>
      page.route(addresses, async (route) => {
        await held;
        await route.continue();
      });
    return { prepare, letGo: () => letGo() };
  };

  test("what is not known yet is not called nothing", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { prepare, letGo } = hold(/api\/v1\/stats/);
    const { page } = await open(`${server.url}history`, {}, prepare);
    expect(await page.locator("h1").textContent()).toBe("Incidents in 30 days.");
    letGo();
    await page.getByRole("heading", { level: 1, name: /^\d+ incidents? in 30 days\.$/ }).waitFor();
  });

  test("what a node needs waits for nothing else that is told of it", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { prepare, letGo } = hold(/api\/v1\/(maintenance|nodes\/orders\/(whatif|history)|incidents\?)/);
    const { page } = await open(`${server.url}nodes/orders`, {}, prepare);
    for (const name of ["What it needs", "What needs it", "Instances", "Last answer"])
      await page.getByRole("heading", { name, exact: true }).waitFor({ timeout: 5_000 });
    expect(await page.getByRole("heading", { name: "If it fails" }).count()).toBe(0);
    letGo();
    await page.getByRole("heading", { name: "If it fails" }).waitFor();
  });

  test.each([390, 1440])("that a reader may not act moves nothing, %i pixels wide", async (width) => {
    const server = await serve({ scene: "incident", size: 36, role: "viewer" });
    for (const path of ["", "nodes/orders"]) {
      const { prepare, letGo } = hold(/api\/v1\/session/);
      const { page } = await open(server.url + path, { width, height: 1_200 }, async (fresh) => {
        await countShifts(fresh);
        await prepare(fresh);
      });
      await page.waitForTimeout(500);
      const session = page.waitForResponse(/api\/v1\/session/);
      letGo();
      await session;
      await page.waitForTimeout(500);
      expect(await shiftOf(page), path).toEqual({ shift: 0, shifted: [] });
      expect(await page.getByRole("button", { name: /^(Acknowledge|Note|Mark a change)/ }).count()).toBe(0);
    }
  });

  test.each([1440, 390])("a runbook that comes late moves nothing that can be pressed, %i pixels wide", async (width) => {
    const server = await serve({ scene: "incident", size: 36 });
    const { prepare, letGo } = hold(/api\/v1\/nodes\/orders-db/);
    const { page } = await open(server.url, { width }, prepare);
    const places = () => page.locator("dl button").evaluateAll((all) => all.map((one) => one.getBoundingClientRect().toJSON()));
    const before = await places();
    letGo();
    await page.getByRole("link", { name: "Runbook ↗" }).waitFor();
    expect(await places()).toEqual(before);
  });
});

describe("from a cold start, each answer later than the one before", () => {
  test.each(["", "nodes/orders", "nodes/orders-db", "config", "labels", "history", "incidents/42"])(
    "nothing moves on /%s",
    async (path) => {
      const server = await serve({ scene: path === "" ? "quiet" : "incident", size: 36 });
      for (const width of [390, 1440, 2560]) {
        let asked = 0;
        const { page } = await open(server.url + path, { width, height: 1_200 }, async (fresh) => {
          await countShifts(fresh);
          await fresh.route(/api\/v1\/(?!events|session|board)/, async (route) => {
            asked++;
            await new Promise((resolve) => setTimeout(resolve, 60 * asked));
            await route.continue();
          });
        });
        await page.waitForFunction(() => !/Loading|Counting/.test(document.body.textContent ?? ""));
        await page.waitForTimeout(2_000);
        expect(await shiftOf(page), `${width} pixels wide`).toEqual({ shift: 0, shifted: [] });
        await page.close();
      }
    },
  );
});

test("a long acknowledgement moves nothing on a wall", async () => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(`${server.url}?tv`, { width: 1920, height: 1080 });
  const before = await topOf(page, "Systems");
  take(server);
  await page.getByText(LONG).waitFor();
  expect(await topOf(page, "Systems")).toBe(before);
});

test("a bar of what began just now stands beside now", async () => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(`${server.url}history`);
  const bars = page.getByRole("img", { name: /^10 incidents by when they began/ });
  await bars.locator("rect").nth(9).waitFor();
  const [right, ends] = await bars.evaluate((svg) => [
    svg.getBoundingClientRect().right,
    [...svg.querySelectorAll("rect")].map((bar) => bar.getBoundingClientRect().right),
  ]);
  expect(right - Math.max(...ends)).toBeLessThan(4);
});

test.each([390, 1440])("a cause's long reason has two lines in its row, and moves nothing, %i pixels wide", async (width) => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(server.url, { width, height: 2_400 }, countShifts);
  const row = page.locator("[data-node='orders-db']");
  const note = row.locator("[class*=note]");
  await row.locator("svg[aria-label^=last]").waitFor();
  const before = await row.boundingBox();
  server.publish({ nodes: [{ id: "orders-db", reason: LONG }] });
  await note.filter({ hasText: LONG }).waitFor();
  const lines = await note.evaluate((one) => one.getBoundingClientRect().height / Number.parseFloat(getComputedStyle(one).lineHeight));
  expect(lines).toBeCloseTo(2, 1);
  expect(await row.boundingBox()).toEqual(before);
  expect(await shiftOf(page)).toEqual({ shift: 0, shifted: [] });
});

test.each([
  ["the board", "", "[data-node='orders-db']"],
  ["a wall", "?tv", "li:has-text('orders-db')"],
])("a cause that alerts nobody has no wash, on %s", async (_, path, place) => {
  const server = await serve({ scene: "incident", size: 36 });
  const [incident] = server.world.board.incidents;
  if (!incident) throw new Error("There is no incident to look at.");
  const { page } = await open(server.url + path);
  const row = page.locator(place);
  const ground = () => row.evaluate((one) => getComputedStyle(one).backgroundColor);
  await row.waitFor();
  expect(await ground()).not.toBe("rgba(0, 0, 0, 0)");
  server.publish({ incidents: [{ ...incident, severity: "info" }] });
  await page.waitForFunction((one) => one && getComputedStyle(one).backgroundColor === "rgba(0, 0, 0, 0)", await row.elementHandle());
});

test("what recovers counts whom it still waits for, on the board and on its own page", async () => {
  const server = await serve({ scene: "recovering", size: 36 });
  const { page } = await open(server.url);
  await page.getByRole("heading", { level: 1, name: "orders-db is recovering. 1 service waits for a good result." }).waitFor();
  await page.locator("dl").getByRole("link", { name: "incident 47" }).click();
  await page.getByRole("heading", { name: "Waiting for a good result: 1 of 2" }).waitFor();
});

describe.each([390, 1440, 2560])("whatever becomes of it moves nothing, %i pixels wide", (width) => {
  test.each(["orders", "orders-db"])("on the page of %s", async (id) => {
    const server = await serve({ scene: "quiet", size: 36 });
    const { page } = await open(`${server.url}nodes/${id}`, { width });
    const told = (words: string | RegExp) => page.locator("main").getByText(words).first().waitFor();
    await page.getByRole("heading", { name: "If it fails" }).waitFor();
    const titles = page.locator("main > div > div:first-child h2");
    const tops = () => titles.evaluateAll((all) => all.map((one) => `${one.textContent} ${one.getBoundingClientRect().top + scrollY}`));
    const before = await tops();
    const soon = { count: 1, needed: 3, every_ms: 10_000 };
    server.publish({ nodes: [{ id, pending: { status: "unhealthy", ...soon } }] });
    await told("Its results turn unhealthy: 1 of 3, confirms in");
    server.setScene("incident");
    await page
      .getByRole("heading", { name: `${id} is unhealthy. ${id === "orders" ? "Because of orders-db" : "It is the cause of"}` })
      .waitFor();
    server.publish({ nodes: [{ id, pending: { status: "healthy", ...soon } }] });
    await told("Its results turn healthy: 1 of 3, confirms in");
    server.publish({ nodes: [{ id, status: "unknown", role: null, incident: null, pending: null, reason: LONG }] });
    await page.getByRole("heading", { name: `${id} is unknown. Failing over` }).waitFor();
    server.publish({ nodes: [{ id, status: "degraded", reason: "slow" }] });
    await page.getByRole("heading", { name: `${id} is degraded.` }).waitFor();
    expect(before.length).toBe(4);
    expect(await tops()).toEqual(before);
  });

  test("beneath the headline of an incident", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const [incident] = server.world.board.incidents;
    if (!incident) throw new Error("There is no incident to look at.");
    const { page } = await open(`${server.url}incidents/${incident.id}`, { width });
    const title = (words: string) => page.getByRole("heading", { level: 1, name: words }).waitFor();
    await title("orders-db is unhealthy. 12 services are impacted.");
    const why = await topOf(page, "Why we say so");
    const steps = [
      ["orders-db does not answer. 12", "unknown", {}],
      ["orders-db is degraded. No other node is impacted yet, 2 are at risk.", "degraded", { impacted: [], at_risk: ["cart", "tax"] }],
      ["orders-db is recovering. 12 services wait", "healthy", { status: "recovering", severity: "ticket" }],
    ] as const;
    for (const [words, status, change] of steps) {
      const { impacted = incident.impacted, at_risk = [], ...rest } = change as Partial<typeof incident>;
      server.publish({
        nodes: [{ id: "orders-db", status }],
        incidents: [{ ...incident, ...rest, impacted: [...impacted], at_risk: [...at_risk] }],
      });
      await title(words);
      expect(await topOf(page, "Why we say so"), words).toBe(why);
    }
  });
});

test.each([390, 768, 1440, 2560])("evidence that comes moves nothing on the board, %i pixels wide", async (width) => {
  const server = await serve({ scene: "incident", size: 36 });
  const [incident] = server.world.board.incidents;
  if (!incident?.cause) throw new Error("There is no incident to look at.");
  const { page } = await open(server.url, { width });
  const title = (words: string) => page.getByRole("heading", { level: 1, name: words }).waitFor();
  const tops = () =>
    page
      .locator("main dl dt, [aria-label=Systems]")
      .evaluateAll((all) =>
        all.map((one) => `${one.tagName} ${one.textContent} ${one.getBoundingClientRect().top + scrollY}`.slice(0, 60)),
      );
  await title("orders-db is unhealthy. 12 services are impacted.");
  const before = await tops();
  expect(before).toHaveLength(6);
  const cause = { ...incident.cause, level: "likely" as const, why: ["4 of 11 dependents report it down"] };
  server.publish({ incidents: [{ ...incident, cause, impacted: [], at_risk: ["cart"] }] });
  await title("orders-db is unhealthy. No other node is impacted yet, 1 is at risk.");
  expect(await tops()).toEqual(before);
  server.publish({ nodes: [{ id: "orders-db", status: "healthy" }], incidents: [{ ...incident, status: "recovering" }] });
  await title("orders-db is recovering. 12 services wait");
  expect(await tops()).toEqual(before);
});

test.each([390, 1440])("what an incident's evidence loses moves nothing beneath it, %i pixels wide", async (width) => {
  const server = await serve({ scene: "incident", size: 36 });
  const [incident] = server.world.board.incidents;
  if (!incident?.cause?.runner_up) throw new Error("There is no incident to look at.");
  const { page } = await open(`${server.url}incidents/${incident.id}`, { width });
  await page.getByText("runner-up").waitFor();
  const before = await topOf(page, "12 impacted");
  const { runner_up: _, decided_by: __, ...cause } = incident.cause;
  server.publish({ incidents: [{ ...incident, cause: { ...cause, why: ["2 of 4 dependents report it down"], against: [] } }] });
  await page.getByText("2 of 4 dependents").waitFor();
  expect(await page.getByText("runner-up").count()).toBe(0);
  expect(await topOf(page, "12 impacted")).toBe(before);
});

test("the dependents of a node are as the board knows them", async () => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(`${server.url}nodes/orders-db`);
  const orders = page.locator("li[title]", { has: page.locator("a[href='/nodes/orders']") });
  const mark = () => orders.locator("use").getAttribute("href");
  await orders.waitFor();
  expect(await mark()).toMatch(/unhealthy-o$/);
  server.publish({ nodes: [{ id: "orders", status: "healthy", role: null, incident: null }] });
  await page.locator("li[title='healthy'] a[href='/nodes/orders']").waitFor();
  expect(await mark()).toMatch(/healthy$/);
  expect(await mark()).not.toMatch(/unhealthy/);
});

test("a node that the map does not have is told by its name", async () => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(`${server.url}map?focus=nobody`);
  await page.getByText("No node on the map is called nobody.").waitFor();
});

test("who goes back leaves the dialog behind", async () => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(server.url);
  await page.locator("dl").getByRole("link", { name: "incident 42" }).click();
  await page.getByRole("button", { name: /^Acknowledge/ }).click();
  await page.getByRole("dialog").waitFor();
  await page.goBack();
  await page.locator("[data-node='orders-db']").waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);
});

test("the login page of a Headwater without tokens asks for none", async () => {
  const server = await serve({ scene: "quiet", size: 15 });
  const { page } = await open(`${server.url}login`);
  await page.getByRole("heading", { name: "No token is asked for." }).waitFor();
  await page.getByRole("link", { name: "To the board" }).click();
  await page.locator("[data-node]").first().waitFor();
});

test.each([390, 1440])("the list of incidents tells how many one that is over impacted, %i pixels wide", async (width) => {
  const server = await serve({ scene: "quiet", size: 36 });
  const { page } = await open(`${server.url}incidents`, { width });
  const row = page.locator("tr[data-incident='41']");
  await row.getByText("1 service was impacted").filter({ visible: true }).waitFor();
  expect(await row.getByText("1 service was impacted").filter({ visible: true }).count()).toBe(1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
});

test("no word of work stands beside an incident, and what is cut of its order leaves no loose comma", async () => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(server.url, PHONE);
  await page.getByRole("button", { name: /^Acknowledge/ }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(await page.getByText("No work is under way.").count()).toBe(0);
  const more = page.locator("dd > span", { has: page.getByRole("button", { name: "9 more" }) });
  expect(await more.textContent()).toBe(" 9 more by +2 m 02 s");
  server.setScene("quiet");
  await page.getByText("No work is under way.").waitFor();
});

test.each([390, 1440, 2560])("a cause's long name is whole in its row and in the order of failures, %i pixels wide", async (width) => {
  const server = await serve({ scene: "incident", size: 36 });
  const called = {
    "orders-db": "Orders database, primary",
    shipping: "Shipping and carrier choice",
    orders: "Order intake and fulfilment",
  };
  for (const node of server.world.board.nodes) node.name = (called as Record<string, string>)[node.id] ?? node.name;
  const { page } = await open(server.url, { width });
  const height = (id: string) => page.locator(`[data-node='${id}']`).evaluate((row) => row.getBoundingClientRect().height);
  for (const id of ["orders-db", "shipping"]) {
    const name = page.locator(`[data-node='${id}'] a[href^='/nodes'] > span`);
    const cut = await name.evaluate((text) => [text.scrollWidth - text.clientWidth, text.scrollHeight - text.clientHeight]);
    expect(Math.max(...cut), id).toBeLessThanOrEqual(1);
    expect(await height(id)).toBe(await height("sessions"));
  }
  const order = page.locator("dd > span[title]", { hasText: called["orders-db"] });
  expect(await order.getAttribute("title")).toBe(`${called["orders-db"]}, ${called.orders} +15 s, invoices +21 s, returns +23 s`);
});

describe("on a phone", () => {
  test.each([36, 500])("marks of first failures hide no other, and every tick has its time, of %i nodes", async (size) => {
    const server = await serve({ scene: "incident", size });
    const { page } = await open(`${server.url}incidents/42`, PHONE);
    const axis = page.getByRole("img", { name: /^Order of failure/ });
    // In one step: between two the axis may take the width of the page.
    const boxes = await axis.evaluate((svg) =>
      [...svg.querySelectorAll("svg")].map((mark) => mark.getBoundingClientRect().toJSON() as DOMRect),
    );
    expect(boxes.length).toBeGreaterThan(8);
    // The marks' strokes stand inside their boxes: these may touch, and share a pixel's fraction.
    const hidden = boxes.filter((a, index) =>
      boxes.some((b, other) => other > index && Math.abs(a.x + a.width / 2 - b.x - b.width / 2) < 11.5 && Math.abs(a.y - b.y) < 11.5),
    );
    expect(hidden).toEqual([]);
    const [ticks, words] = await axis.evaluate((svg) => [
      svg.querySelectorAll("path[d*='36v5']").length,
      [...svg.querySelectorAll("text")].filter((text) => /^\d\d:\d\d/.test(text.textContent ?? "")).length,
    ]);
    expect(ticks).toBeGreaterThan(2);
    expect(words).toBe(ticks);
  });

  test("the map's list begins with the cause, and tells each state in one line", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(`${server.url}map`, PHONE);
    const rows = page.getByRole("row");
    await page.getByRole("rowheader", { name: "orders-db" }).waitFor();
    const names = await page.getByRole("rowheader").allTextContents();
    expect(names.slice(0, 3)).toEqual(["orders-db", "shipping", "web-shop"]);
    expect(names).toHaveLength(36);
    const heights = await rows.locator("td:nth-child(2)").evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().height));
    expect(Math.max(...heights)).toBeLessThanOrEqual(24);
  });

  test("what can be done to a node has a line to itself, as high as a finger", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(`${server.url}nodes/orders`, PHONE);
    const way = await page.locator("[data-page-node] a").boundingBox();
    for (const name of ["Mark a change", "Announce work"]) {
      const button = await page.getByRole("button", { name }).boundingBox();
      expect(button?.height, name).toBeGreaterThanOrEqual(44);
      expect(button?.y, name).toBeGreaterThanOrEqual((way?.y ?? 0) + (way?.height ?? 0));
    }
  });
});

describe("what is past", () => {
  test("a resolved incident shows its victims as they were in it, not as they are", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const then = structuredClone(server.world.board);
    const now = new Date().toISOString();
    server.publish({
      nodes: then.nodes.map(({ id }) => ({ id, status: "healthy", role: null, incident: null, since: now })),
      incidents: then.incidents.map((one) => ({ ...one, status: "resolved", resolved_at: now, end: "cleared" })),
    });
    const { page } = await open(`${server.url}incidents/42`, {}, (fresh) =>
      fresh.route(/api\/v1\/board\?at=/, (route) => route.fulfill({ json: then })),
    );
    const marks = (symbol: string) => page.getByRole("img", { name: /^Order of failure/ }).locator(`use[href='#m-${symbol}']`);
    // Seven of the eleven, and shipping with its own fault, were degraded; four were unhealthy.
    await expect.poll(() => marks("degraded-o").count()).toBe(8);
    expect(await marks("unhealthy-o").count()).toBe(4);
    expect(await marks("unhealthy").count()).toBe(1);
  });

  test("whom an incident impacted is drawn as it was then while it mends too", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const then = structuredClone(server.world.board);
    const now = new Date().toISOString();
    server.publish({
      nodes: then.nodes.map(({ id }) => ({ id, status: "healthy", role: null, incident: null, since: now })),
      incidents: then.incidents.map((one) => ({ ...one, status: "recovering" })),
    });
    const { page } = await open(`${server.url}incidents/42`, {}, (fresh) =>
      fresh.route(/api\/v1\/board\?at=/, (route) => route.fulfill({ json: then })),
    );
    const marks = page.getByRole("img", { name: /^Order of failure/ }).locator("use[href='#m-unhealthy-o']");
    await expect.poll(() => marks.count()).toBe(4);
  });

  test("the map's replay says in words that it shows the past, and since when ages stand still", async () => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(`${server.url}map?incident=42`);
    const lead = page.locator("main section").first();
    await lead.getByText(/^\d+ m \d\d s/).waitFor();
    await page.keyboard.press("ArrowLeft");
    const words = /As it was at \d\d:\d\d:\d\d UTC\+\d/;
    await lead.locator("strong").getByText(words).waitFor();
    await page.getByRole("heading", { level: 1, name: /^As it was at .* orders-db is unhealthy\./ }).waitFor();
    await page.getByRole("region", { name: words }).waitFor();
    await page
      .locator("main [role=status]")
      .getByText(/^As it was at .*: orders-db is unhealthy\. \d+ services are impacted\.$/)
      .waitFor({ state: "attached" });
    expect(await lead.textContent()).toMatch(/ UTC\+\d, incident 42shipping also has a fault of its own, incident 43$/);
    await page.getByRole("button", { name: "back to now" }).click();
    await page.getByRole("heading", { level: 1, name: /^orders-db is unhealthy/ }).waitFor();
  });
});

test("the map names a second incident and counts more; a wall counts those that it does not name", async () => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(`${server.url}map`);
  const lead = page.locator("main section").first();
  await lead.getByText("shipping also has a fault of its own,").waitFor();
  const [, second] = server.world.board.incidents;
  if (!second) throw new Error("the scene has two incidents");
  server.publish({ incidents: [50, 51, 52].map((id) => ({ ...second, id, anchor: "search", cause: null, kind: "visibility" as const })) });
  expect(await lead.getByRole("link", { name: "4 more incidents" }).getAttribute("href")).toBe("/incidents?show=open");
  await page.goto(`${server.url}?tv`);
  await page.getByText(/search cannot be seen\. 1 more incident is open\.$/).waitFor();
});

test.each([1141, 1200, 1260, 1341])("four systems stand in one line, %i pixels wide", async (width) => {
  const server = await serve({ scene: "incident", size: 36 });
  const { page } = await open(server.url, { width });
  const systems = page.getByRole("region", { name: "Systems" }).locator("> div");
  const tops = await systems.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  expect(tops).toHaveLength(4);
  expect(new Set(tops)).toHaveLength(1);
  const cut = await systems
    .locator("b")
    .evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent));
  expect(cut).toEqual([]);
});

test.each(["", "?view=tiles", "incidents/42", "nodes/orders", "map?list=1", "labels", "history", "config"])(
  "no page is wider than its window: /%s",
  async (path) => {
    const server = await serve({ scene: "incident", size: 36 });
    const { page } = await open(server.url + path);
    await page.waitForFunction(() => !/Loading/.test(document.body.textContent ?? ""));
    await page.waitForLoadState("networkidle");
    for (const width of [240, 320, 641, 700, 768, 1141, 1200, 1340]) {
      await page.setViewportSize({ width, height: 900 });
      await expect
        .poll(() => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), {
          message: `${width}`,
        })
        .toBe(0);
    }
  },
);
