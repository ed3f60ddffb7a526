import type { Browser } from "playwright-core";
import { openPage } from "./browser.ts";

/** What answers the two first questions: the headline, and the reason beneath it. */
const WORDS = ["is unhealthy.", "Confirmed.", "4 of 4"];

/**
 * Opens a board in a fresh browser context and tells after how many milliseconds from the start of the navigation cause
 * and reason were painted, and whether they stand above the fold.
 */
export async function timeToAnswer(browser: Browser, url: string, size: { width: number; height: number }) {
  const { page, context } = await openPage(browser, size);
  await page.addInitScript((words) => {
    const look = (): void => {
      const text = document.body?.textContent ?? "";
      // Two frames later what was found has been painted.
      if (words.every((word) => text.includes(word))) {
        requestAnimationFrame(() => requestAnimationFrame(() => Object.assign(window, { answeredAt: performance.now() })));
      } else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  }, WORDS);
  await page.goto(url);
  const ms = await (await page.waitForFunction(() => (window as { answeredAt?: number }).answeredAt)).jsonValue();
  const lowest = await page.evaluate((words) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    let bottom = 0;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!words.some((word) => node?.textContent?.includes(word)) || node.parentElement?.closest(".vh, [aria-live]")) continue;
      bottom = Math.max(bottom, node.parentElement?.getBoundingClientRect().bottom ?? 0);
      if (node.textContent?.includes(words.at(-1) ?? "")) break;
    }
    return bottom;
  }, WORDS);
  await context.close();
  return { ms: Number(ms), aboveFold: lowest > 0 && lowest <= size.height };
}
