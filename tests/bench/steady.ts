import { startBoardServer } from "../support/board-server.ts";
import { launchBrowser, openPage } from "../support/browser.ts";
import { countShifts, watchSteadiness } from "../support/steady.ts";

/**
 * Whether anything jumps while a board of 200 nodes is updated: `pnpm bench:steady [MINUTES]`, five where nothing is said.
 * Exits 1 when the browser saw a shift or a node stands elsewhere.
 */
export async function main([minutes = "5"]: string[]): Promise<void> {
  const browser = await launchBrowser();
  const server = await startBoardServer({ scene: "incident", size: 200 });
  for (const [width, height, path] of [
    [1440, 900, ""],
    [1440, 900, "?view=tiles"],
    [390, 844, ""],
  ] as const) {
    const { page, context, errors } = await openPage(browser, { width, height });
    await countShifts(page);
    await page.goto(server.url + path);
    await page.locator('[data-node="svc-0199"]').waitFor();
    await page.waitForTimeout(2_000);
    const { shift, shifted, moved, published } = await watchSteadiness(page, server, (Number(minutes) * 60_000) / 3);
    process.stdout.write(
      `${width} x ${height} /${path}: shift ${shift}, ${moved.length} of 200 nodes moved, ${published} updates, ${errors.length} errors ${shifted.join(" | ")}\n`,
    );
    if (shift > 0 || moved.length > 0 || errors.length > 0) process.exitCode = 1;
    await context.close();
  }
  await server.close();
  await browser.close();
}
