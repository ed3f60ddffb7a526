import type { CDPSession, Page } from "playwright-core";
import { type BoardServer, startBoardServer } from "../support/board-server.ts";
import { launchBrowser, openPage } from "../support/browser.ts";

const NODES = 1_000;
/** Growth of the heap over the whole run that is no longer called flat: what noise in a collected heap may be. */
const MOST_GROWTH = 0.05;
/** What is asked once is kept for five minutes: until twice that the heap still fills. A short run judges its last two thirds. */
const WARM_UP = 10;

/**
 * Whether the page's memory stays flat while a board of 1,000 nodes is updated four times a second, incidents come and go
 * and pages are opened and left: `pnpm bench:memory [MINUTES]`, an hour where nothing is said. A line a minute with the heap
 * after a full collection; exits 1 when it grew by more than 5 % after the first ten.
 */
export async function main([minutes = "60"]: string[]): Promise<void> {
  const browser = await launchBrowser();
  const server = await startBoardServer({ scene: "incident", size: NODES });
  const { page, context, errors } = await openPage(browser);
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  await page.goto(server.url);
  await drawn(page);
  const heaps: number[] = [];
  let turn = 0;
  for (let minute = 0; minute <= Number(minutes); minute++) {
    const { heap, nodes, listeners } = await measure(session);
    if (minute >= Math.min(WARM_UP, Number(minutes) / 3)) heaps.push(heap);
    process.stdout.write(`minute ${minute}: heap ${(heap / 1e6).toFixed(1)} MB, ${nodes} DOM nodes, ${listeners} listeners\n`);
    if (minute === Number(minutes)) break;
    for (const end = Date.now() + 55_000; Date.now() < end; turn++) {
      update(server, turn);
      await page.waitForTimeout(250);
    }
    // What people do meanwhile: look at other pages, filter, come back.
    for (const key of ["g i", "g m", "g h", "g b"]) {
      for (const one of key.split(" ")) await page.keyboard.press(one);
      await page.waitForTimeout(1_000);
    }
    await drawn(page);
  }
  const [first = 0, last = 0] = [Math.min(...heaps.slice(0, 3)), Math.min(...heaps.slice(-3))];
  const growth = last / first - 1;
  process.stdout.write(`grew by ${(growth * 100).toFixed(1)} % over ${minutes} minutes and ${turn} updates, ${errors.length} errors\n`);
  if (growth > MOST_GROWTH || errors.length > 0) process.exitCode = 1;
  await server.close();
  await browser.close();
}

/** A board of which a part is drawn is smaller: it is measured whole. */
async function drawn(page: Page): Promise<void> {
  await page.waitForFunction((all) => document.querySelectorAll("[data-node]").length >= all, NODES);
}

/** Twenty nodes turn bad and good again; every tenth time an incident opens, every other tenth it is over. */
function update(server: BoardServer, turn: number): void {
  const bad = turn % 2 === 0;
  const now = new Date().toISOString();
  const nodes = Array.from({ length: 20 }, (_, index) => ({
    id: `svc-${String(100 + ((Math.floor(turn / 2) * 20 + index) % 800)).padStart(4, "0")}`,
    status: bad ? ("degraded" as const) : ("healthy" as const),
    reason: bad ? `slow in turn ${turn}` : null,
    since: now,
  }));
  const first = server.world.board.incidents[0];
  const opens = turn % 20 === 0;
  const incidents =
    first && turn % 10 === 0
      ? [
          {
            ...first,
            id: 1_000 + Math.floor(turn / 20),
            status: opens ? ("open" as const) : ("resolved" as const),
            opened_at: now,
            // Two hours ago, so that the board need not keep it: an hour of them would be a list of hundreds.
            resolved_at: opens ? null : new Date(Date.now() - 7_200_000).toISOString(),
          },
        ]
      : [];
  server.publish({ nodes, incidents });
  server.world.board.incidents = server.world.board.incidents.filter((one) => one.id < 1_000 || one.status === "open");
}

async function measure(session: CDPSession): Promise<{ heap: number; nodes: number; listeners: number }> {
  await session.send("HeapProfiler.collectGarbage");
  await session.send("HeapProfiler.collectGarbage");
  const { metrics } = await session.send("Performance.getMetrics");
  const of = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? 0;
  return { heap: of("JSHeapUsedSize"), nodes: of("Nodes"), listeners: of("JSEventListeners") };
}
