import { type AppOptions, buildApp } from "../../server/src/api/app.ts";
import type { App } from "../../server/src/api/types.ts";
import type { Live } from "../../server/src/domain/live.ts";

const apps: App[] = [];

/** The web server on a given aggregator; `closeApps` ends what a test file opened. */
export async function appOn(live: Live, options: Partial<AppOptions> = {}): Promise<App> {
  const app = await buildApp(live, {
    webRoot: null,
    version: { version: "1.2.3", commit: "abc123" },
    monotonic: () => 0,
    ...options,
  });
  apps.push(app);
  return app;
}

export async function closeApps(): Promise<void> {
  await Promise.all(apps.splice(0).map((app) => app.close()));
}
