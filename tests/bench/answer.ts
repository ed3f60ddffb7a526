import { timeToAnswer } from "../support/answer.ts";
import { startBoardServer } from "../support/board-server.ts";
import { launchBrowser, openPage } from "../support/browser.ts";

/**
 * How long a cold open takes until cause and reason are painted, with 60 impacted of 500 or of so many nodes, and until
 * the map's page shows the failure path: `pnpm bench:answer [TIMES] [NODES]`. Exits 1 when the board's median is over a
 * second, or the words are below the fold.
 */
export async function main([times = "7", nodes = "500"]: string[]): Promise<void> {
  const browser = await launchBrowser();
  const server = await startBoardServer({ scene: "incident", size: Number(nodes) });
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const runs = [];
    for (let run = 0; run < Number(times); run++) runs.push(await timeToAnswer(browser, server.url, size));
    const { sorted, median } = order(runs.map((run) => run.ms));
    const above = runs.every((run) => run.aboveFold);
    process.stdout.write(
      `${size.width} x ${size.height}: median ${median} ms of ${sorted.join(", ")}; ${above ? "above" : "BELOW"} the fold\n`,
    );
    if (median > 1_000 || !above) process.exitCode = 1;
  }
  const pictures = [];
  for (let run = 0; run < Number(times); run++) {
    const { page, context } = await openPage(browser, { width: 1440, height: 900 });
    const opened = performance.now();
    await page.goto(`${server.url}map`);
    await page
      .locator("#map-picture")
      .getByRole("link", { name: /^orders-db .*cause$/ })
      .waitFor();
    pictures.push(performance.now() - opened);
    await context.close();
  }
  const { sorted, median } = order(pictures);
  process.stdout.write(`map: median ${median} ms of ${sorted.join(", ")} until the failure path is drawn\n`);
  await server.close();
  await browser.close();
}

function order(times: readonly number[]): { sorted: number[]; median: number } {
  const sorted = times.map(Math.round).sort((a, b) => a - b);
  return { sorted, median: sorted[Math.floor(sorted.length / 2)] ?? 0 };
}
