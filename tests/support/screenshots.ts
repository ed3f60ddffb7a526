import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Scene } from "./board-data.ts";
import { startBoardServer } from "./board-server.ts";
import { launchBrowser, openPage } from "./browser.ts";

interface Shot {
  name: string;
  path: string;
  scene: Scene;
  width: number;
  height: number;
}

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const WIDE = { width: 2560, height: 1440 };

const SHOTS: readonly Shot[] = [
  { name: "board-incident", path: "", scene: "incident", ...DESK },
  { name: "board-acknowledged", path: "", scene: "acked", ...DESK },
  { name: "board-quiet", path: "", scene: "quiet", ...DESK },
  { name: "board-blind", path: "", scene: "blind", ...DESK },
  { name: "board-no-cause", path: "", scene: "unsure", ...DESK },
  { name: "board-tiles", path: "?view=tiles", scene: "incident", ...DESK },
  { name: "board-incident-wide", path: "", scene: "incident", ...WIDE },
  { name: "board-incident-phone", path: "", scene: "incident", ...PHONE },
  { name: "board-quiet-phone", path: "", scene: "quiet", ...PHONE },
  { name: "node", path: "nodes/orders", scene: "incident", ...DESK },
  { name: "node-phone", path: "nodes/orders", scene: "incident", ...PHONE },
  { name: "incident", path: "incidents/42", scene: "acked", ...DESK },
  { name: "incident-phone", path: "incidents/42", scene: "incident", ...PHONE },
  { name: "incidents", path: "incidents", scene: "incident", ...DESK },
  { name: "map", path: "map", scene: "incident", ...DESK },
  { name: "map-quiet", path: "map", scene: "quiet", ...DESK },
  { name: "labels", path: "labels", scene: "quiet", ...DESK },
  { name: "history", path: "history", scene: "incident", ...DESK },
  { name: "config-refused", path: "config", scene: "refused", ...DESK },
  { name: "login", path: "login", scene: "quiet", ...DESK },
  { name: "wall-incident", path: "?tv", scene: "incident", ...WIDE },
  { name: "wall-quiet", path: "?tv", scene: "quiet", ...WIDE },
];

/**
 * Pictures of every page, quiet and in an incident, in both themes, from generated data:
 * `node tests/support/run-ts.mjs tests/support/screenshots.ts [FOLDER] [NAME]`. With a NAME, only those that begin with it.
 */
export async function main([folder = "docs/screenshots", only = ""]: string[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await launchBrowser();
  const scenes = [...new Set(SHOTS.map((shot) => shot.scene))];
  for (const scene of scenes) {
    const shots = SHOTS.filter((shot) => shot.scene === scene && shot.name.startsWith(only));
    if (shots.length === 0) continue;
    const server = await startBoardServer({ scene, size: 36 });
    for (const { name, path, width, height } of shots) {
      for (const dark of [false, true]) {
        const { page, context } = await openPage(browser, { width, height, dark, reducedMotion: true });
        await page.goto(server.url + path);
        await page.locator("h1").first().waitFor();
        await page.waitForFunction(() => !/Loading|Drawing\./.test(document.body.textContent ?? ""));
        await page.waitForTimeout(1_000);
        await page.screenshot({ path: join(folder, `${name}-${dark ? "dark" : "light"}.png`) });
        await context.close();
      }
    }
    await server.close();
  }
  await browser.close();
}
