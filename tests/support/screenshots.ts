import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import type { Scene } from "./board-data.ts";
import { type BoardServer, startBoardServer } from "./board-server.ts";
import { launchBrowser, openPage } from "./browser.ts";

interface Shot {
  name: string;
  path: string;
  scene: Scene;
  width: number;
  height: number;
  /** In how many themes; one is the light one. */
  themes: 1 | 2;
  /** That the server asks for. */
  token?: string;
  /** What is opened or pressed before the picture is taken. */
  act?: (page: Page, server: BoardServer) => Promise<unknown>;
}

const DESK = { width: 1440, height: 900, themes: 2 } as const;
const PHONE = { width: 390, height: 844, themes: 1 } as const;
const WALL = { width: 1920, height: 1080, themes: 2 } as const;
const WIDE = { width: 2560, height: 1440, themes: 1 } as const;

const PAGES = [
  ["board", ""],
  ["node", "nodes/orders"],
  ["incidents", "incidents"],
  ["map", "map"],
  ["labels", "labels"],
  ["history", "history"],
  ["config", "config"],
] as const;

const SHOTS: readonly Shot[] = [
  ...PAGES.flatMap(([name, path]): Shot[] => [
    { name: `${name}-incident`, path, scene: "incident", ...DESK },
    { name: `${name}-quiet`, path, scene: "quiet", ...DESK, themes: 1 },
    { name: `${name}-incident-phone`, path, scene: "incident", ...PHONE },
  ]),
  { name: "board-quiet-phone", path: "", scene: "quiet", ...PHONE },
  { name: "board-incident-wide", path: "", scene: "incident", ...WIDE },
  { name: "board-tiles", path: "?view=tiles", scene: "incident", ...DESK },
  { name: "board-acknowledged", path: "", scene: "acked", ...DESK, themes: 1 },
  { name: "board-no-cause", path: "", scene: "unsure", ...DESK, themes: 1 },
  { name: "board-ticket", path: "", scene: "ticket", ...DESK, themes: 1 },
  { name: "board-recovering", path: "", scene: "recovering", ...DESK, themes: 1 },
  { name: "board-maintenance", path: "", scene: "maintenance", ...DESK, themes: 1 },
  { name: "board-blind", path: "", scene: "blind", ...DESK, themes: 1 },
  { name: "board-offline", path: "", scene: "incident", ...DESK, themes: 1, act: loseTheServer },
  { name: "incident", path: "incidents/42", scene: "acked", ...DESK },
  { name: "incident-open", path: "incidents/42", scene: "incident", ...DESK, themes: 1 },
  { name: "incident-phone", path: "incidents/42", scene: "incident", ...PHONE },
  { name: "incident-over", path: "incidents/41", scene: "quiet", ...DESK, themes: 1 },
  { name: "map-replay", path: "map?incident=42", scene: "incident", ...DESK, themes: 1, act: (page) => page.keyboard.press("ArrowLeft") },
  { name: "labels-patch", path: "labels", scene: "quiet", ...DESK, themes: 1, act: (page) => page.locator("summary").first().click() },
  { name: "config-refused", path: "config", scene: "refused", ...DESK, themes: 1 },
  { name: "announce-work", path: "nodes/payments", scene: "quiet", ...DESK, themes: 1, act: (page) => page.keyboard.press("w") },
  { name: "keys", path: "", scene: "quiet", ...DESK, themes: 1, act: (page) => page.keyboard.press("?") },
  { name: "login", path: "login", scene: "quiet", ...DESK, themes: 1, token: "of-the-pictures" },
  { name: "wall-incident", path: "?tv", scene: "incident", ...WALL },
  { name: "wall-quiet", path: "?tv", scene: "quiet", ...WALL },
];

/** As after the line was lost. */
async function loseTheServer(page: Page, server: BoardServer): Promise<void> {
  await server.close();
  await page.getByText(/Not connected for/).waitFor({ timeout: 40_000 });
}

/**
 * Pictures of every page, quiet and in an incident, light and dark, on a phone and on a wall, from generated data:
 * `pnpm screenshots [FOLDER] [NAME]`. With a NAME, only those that begin with it. WebP, so that they stay small.
 */
export async function main([folder = "docs/screenshots", only = ""]: string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  const shots = SHOTS.filter((shot) => shot.name.startsWith(only));
  for (const scene of new Set(shots.map((shot) => shot.scene))) {
    for (const shot of shots.filter((one) => one.scene === scene)) {
      const server = await startBoardServer({ scene, size: 36, ...(shot.token && { token: shot.token }) });
      for (const dark of shot.themes === 2 ? [false, true] : [false]) await take(browser, server, shot, dark, folder);
      await server.close();
    }
  }
  await browser.close();
}

async function take(browser: Browser, server: BoardServer, shot: Shot, dark: boolean, folder: string): Promise<void> {
  const { page, context } = await openPage(browser, { ...shot, dark, reducedMotion: true });
  await page.goto(server.url + shot.path);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => !/Loading|Drawing\./.test(document.body.textContent ?? ""));
  // The board paints its answer first; rows and what they were all day come later.
  if (shot.path === "" || shot.path.startsWith("?view")) await page.locator("[data-node] svg[aria-label^=last]").first().waitFor();
  await page.waitForFunction(() => document.querySelector("svg[aria-label$='not loaded']") === null);
  await page.waitForTimeout(800);
  if (shot.act) {
    await shot.act(page, server);
    await page.waitForTimeout(500);
  }
  const session = await context.newCDPSession(page);
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 80 });
  writeFileSync(join(folder, `${shot.name}${shot.themes === 2 ? (dark ? "-dark" : "-light") : ""}.webp`), Buffer.from(data, "base64"));
  await context.close();
}
