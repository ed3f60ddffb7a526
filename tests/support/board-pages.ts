import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll } from "vitest";
import { type BoardServer, startBoardServer } from "./board-server.ts";
import { launchBrowser, openPage } from "./browser.ts";

export interface BoardPages {
  browser(): Browser;
  serve(options: Parameters<typeof startBoardServer>[0]): Promise<BoardServer>;
  /** A page in a fresh context that shows this address and its headline; `prepare` runs before it is asked for. */
  open(
    url: string,
    options?: Parameters<typeof openPage>[1],
    prepare?: (page: Page) => Promise<unknown>,
  ): Promise<{ page: Page; errors: string[] }>;
}

/** One browser for a file of tests; the servers and pages of a test are closed after it, the newest first. */
export function boardPages(): BoardPages {
  let browser: Browser;
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });
  afterAll(() => browser.close());
  return {
    browser: () => browser,
    async serve(options) {
      const server = await startBoardServer(options);
      closers.push(() => server.close());
      return server;
    },
    async open(url, options = {}, prepare) {
      const { page, context, errors } = await openPage(browser, options);
      closers.push(() => context.close());
      await prepare?.(page);
      await page.goto(url);
      await page.locator("h1").first().waitFor();
      return { page, errors };
    },
  };
}
