import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const NAMES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"];
const FLAGS = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

function installed(): string | undefined {
  const named = process.env.CHROMIUM;
  if (named) {
    if (!existsSync(named)) throw new Error(`CHROMIUM names ${named}, which is not there.`);
    return named;
  }
  return NAMES.find((path) => existsSync(path));
}

/** Debian and its children, by their own word. */
function isDebian(): boolean {
  return existsSync("/etc/os-release") && /^ID(?:_LIKE)?=.*\b(?:debian|ubuntu)\b/m.test(readFileSync("/etc/os-release", "utf8"));
}

/**
 * The path of a Chromium: `$CHROMIUM`, or where systems put it. As root on Debian it is installed when missing; elsewhere
 * an error says what to do.
 */
function findChromium(): string {
  const found = installed();
  if (found) return found;
  if (process.getuid?.() === 0 && isDebian()) {
    const options = { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } } as const;
    execFileSync("apt-get", ["update", "-q"], options);
    execFileSync("apt-get", ["install", "-y", "-q", "--no-install-recommends", "chromium", "fonts-liberation"], options);
    const now = installed();
    if (now) return now;
  }
  throw new Error(
    "The browser tests need Chromium. Install it (Debian: apt-get install chromium; macOS: brew install --cask chromium) and set CHROMIUM to its path where it is in no usual place.",
  );
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS });
}

/** A page of its own in a fresh context; `errors` collects what the console and the page complain of. */
export async function openPage(
  browser: Browser,
  options: { width?: number; height?: number; dark?: boolean; reducedMotion?: boolean; forcedColors?: boolean; contrast?: boolean } = {},
): Promise<{ page: Page; context: BrowserContext; errors: string[] }> {
  const context = await browser.newContext({
    viewport: { width: options.width ?? 1440, height: options.height ?? 900 },
    colorScheme: options.dark ? "dark" : "light",
    reducedMotion: options.reducedMotion ? "reduce" : "no-preference",
    forcedColors: options.forcedColors ? "active" : "none",
    contrast: options.contrast ? "more" : "no-preference",
    timezoneId: "Europe/Berlin",
    locale: "en-GB",
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  return { page, context, errors };
}
