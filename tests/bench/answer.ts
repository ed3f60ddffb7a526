import { timeToAnswer } from "../support/answer.ts";
import { startBoardServer } from "../support/board-server.ts";
import { launchBrowser } from "../support/browser.ts";

/**
 * How long a cold open takes until cause and reason are painted, with 60 impacted of 500: `pnpm bench:answer [TIMES]`.
 * Exits 1 when the median is over a second, or the words are below the fold.
 */
export async function main([times = "7"]: string[]): Promise<void> {
  const browser = await launchBrowser();
  const server = await startBoardServer({ scene: "incident", size: 500 });
  for (const size of [
    { width: 1440, height: 900 },
    { width: 390, height: 844 },
  ]) {
    const runs = [];
    for (let run = 0; run < Number(times); run++) runs.push(await timeToAnswer(browser, server.url, size));
    const sorted = runs.map((run) => Math.round(run.ms)).sort((a, b) => a - b);
    const median = sorted[Math.floor(sorted.length / 2)] ?? 0;
    const above = runs.every((run) => run.aboveFold);
    process.stdout.write(
      `${size.width} x ${size.height}: median ${median} ms of ${sorted.join(", ")}; ${above ? "above" : "BELOW"} the fold\n`,
    );
    if (median > 1_000 || !above) process.exitCode = 1;
  }
  await server.close();
  await browser.close();
}
