import type { Page } from "playwright-core";
import type { BoardServer } from "./board-server.ts";

/** What moved on a page while its server published. */
export interface Steadiness {
  /** Sum of the layout shifts that no input caused: the browser's own measure. */
  shift: number;
  /** What the browser saw shift, as the beginnings of its words. */
  shifted: string[];
  /** Nodes whose place on the page is another one than at the beginning. */
  moved: string[];
  /** Revisions published meanwhile. */
  published: number;
}

/** Counts layout shifts from now on; before the page is opened. */
export async function countShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] };
    const seen = { shift: 0, shifted: [] as string[] };
    Object.assign(window, { seen });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as Shift[]) {
        if (entry.hadRecentInput) continue;
        seen.shift += entry.value;
        seen.shifted.push(...entry.sources.map(({ node }) => node?.textContent?.slice(0, 60) ?? "?"));
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
}

/** What was counted until now. */
export const shiftOf = (page: Page): Promise<{ shift: number; shifted: string[] }> =>
  page.evaluate(() => (window as unknown as { seen: { shift: number; shifted: string[] } }).seen);

/** Where every node stands on the page. */
const placesOf = (page: Page): Promise<Record<string, [number, number]>> =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll("[data-node]")].map((one) => {
        const box = one.getBoundingClientRect();
        return [one.getAttribute("data-node"), [Math.round(box.x), Math.round(box.y + scrollY)]];
      }),
    ),
  );

/** Lets states, reasons, streaks, marks and an acknowledgement change for so many milliseconds, and tells what moved. */
export async function watchSteadiness(page: Page, server: BoardServer, ms: number): Promise<Steadiness> {
  const [before, seen] = [await placesOf(page), await shiftOf(page)];
  const ids = Object.keys(before).filter((id) => id.startsWith("svc-"));
  const end = Date.now() + ms;
  let published = 0;
  for (; Date.now() < end; published++) {
    const bad = published % 2 === 0;
    const nodes = ids.slice((published * 7) % Math.max(1, ids.length - 20)).slice(0, 20);
    const incident = server.world.board.incidents[0];
    const acked = bad
      ? { by: "robin", at: new Date().toISOString(), until: null, note: "a note as long as people write them when it is late" }
      : null;
    server.publish({
      nodes: nodes.map((id, index) => ({
        id,
        status: bad ? (index % 3 === 0 ? "unknown" : "degraded") : "healthy",
        stale: bad && index % 3 === 0,
        marks: bad && index % 4 === 1 ? ["flapping"] : [],
        pending: bad || index % 5 > 0 ? null : { status: "unhealthy", count: 1, needed: 3, every_ms: 10_000 },
        reason: bad ? "connection refused by a very long address that does not fit into its column" : null,
        since: new Date().toISOString(),
      })),
      ...(incident && published % 5 === 0 ? { incidents: [{ ...incident, acked }] } : {}),
    });
    await page.waitForTimeout(250);
  }
  const after = await placesOf(page);
  const now = await shiftOf(page);
  return {
    shift: now.shift - seen.shift,
    shifted: [...new Set(now.shifted.slice(seen.shifted.length))],
    moved: Object.keys(before).filter((id) => before[id]?.join() !== after[id]?.join()),
    published,
  };
}
