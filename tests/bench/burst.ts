import type { Browser } from "playwright-core";
import { type BoardServer, startBoardServer } from "../support/board-server.ts";
import { launchBrowser, openPage } from "../support/browser.ts";
import { traced } from "../support/trace.ts";

const NODES = 1_000;
const CHANGED = 200;
/** Milliseconds: what was promised. */
const FIRST_PAINT = 1_000;
const SCRIPTING = 50;

/**
 * A board of 1,000 nodes: how long from a cold open until its first nodes are painted and can be used, and what 200 of
 * them changing at once cost the page, by tracing: `pnpm bench:burst [TIMES]`. Exits 1 when a
 * median is over its limit; scripting is judged by the processor's time, which a busy machine does not lengthen.
 */
export async function main([times = "7"]: string[]): Promise<void> {
  const browser = await launchBrowser();
  const server = await startBoardServer({ scene: "incident", size: NODES, seenEvery: 1e9 });
  for (const path of ["?view=tiles", ""]) {
    const opened = [];
    const bursts = [];
    for (let run = 0; run < Number(times); run++) {
      const { open, burst } = await measure(browser, server, path, run);
      opened.push(open);
      bursts.push(burst);
    }
    const first = median(opened.map((run) => run.first));
    const script = median(bursts.map((run) => run.scriptCpu));
    process.stdout.write(
      [
        `/${path || "  (rows)"}`,
        `  first of ${NODES} nodes painted after ${first} ms, all after ${median(opened.map((run) => run.all))} ms (of ${opened.map((run) => `${run.first}/${run.all}`).join(", ")})`,
        `  ${CHANGED} nodes change: ${script} ms of scripting (${median(bursts.map((run) => run.script))} ms by the clock), ${median(bursts.map((run) => run.render))} ms of style, layout and paint, longest task ${median(bursts.map((run) => run.longestTask))} ms (scripting of ${bursts.map((run) => run.scriptCpu).join(", ")})`,
        "",
      ].join("\n"),
    );
    if (first > FIRST_PAINT || script > SCRIPTING) process.exitCode = 1;
  }
  await server.close();
  await browser.close();
}

async function measure(browser: Browser, server: BoardServer, path: string, run: number) {
  const { page, context } = await openPage(browser);
  await page.addInitScript((last) => {
    const seen: Record<string, number> = {};
    Object.assign(window, { seen });
    const look = (): void => {
      const nodes = document.querySelectorAll("[data-node]");
      const now = nodes.length > 0 ? (nodes.length >= last ? ["first", "all"] : ["first"]) : [];
      // Two frames later what was found has been painted.
      for (const name of now.filter((one) => !(one in seen))) {
        seen[name] = 0;
        requestAnimationFrame(() => requestAnimationFrame(() => Object.assign(seen, { [name]: performance.now() })));
      }
      if (now.length < 2) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, NODES);
  await page.goto(server.url + path);
  await page.waitForFunction(() => Boolean((window as unknown as { seen: Record<string, number> }).seen.all));
  const open = await page.evaluate(() => (window as unknown as { seen: { first: number; all: number } }).seen);
  await page.waitForTimeout(1_500);
  // What it may have been before; each burst is another one.
  const ids = Array.from({ length: CHANGED }, (_, index) => `svc-${String(100 + index * 4).padStart(4, "0")}`);
  const status = run % 2 === 0 ? "degraded" : "healthy";
  const since = new Date().toISOString();
  const reason = status === "degraded" ? `slow since run ${run}` : null;
  // Nothing is asked of the page meanwhile: what is measured is its own work, and the ages that it counts.
  const burst = await traced(browser, page, async () => {
    server.publish({ nodes: ids.map((id) => ({ id, status, role: null, incident: null, reason, since })) });
    await page.waitForTimeout(600);
  });
  const shown = await page.evaluate(
    ([changed, word]) => changed.filter((id) => document.querySelector(`[data-node="${id}"]`)?.textContent?.includes(word)).length,
    [ids, status] as const,
  );
  if (shown !== CHANGED) throw new Error(`${shown} of ${CHANGED} changes are on the page`);
  await context.close();
  const round = <T extends object>(found: T): T => Object.fromEntries(Object.entries(found).map(([key, ms]) => [key, Math.round(ms)])) as T;
  return { open: round(open), burst: round(burst) };
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
