import type { IncomingMessage, ServerResponse } from "node:http";
import type { Handler } from "./handlers.ts";
import type { Reporter } from "./index.ts";

/** The little of Fastify that is needed, so that a service without Fastify need not have it. */
interface App {
  all(
    url: string,
    options: { exposeHeadRoute: false; schema: { hide: true }; logLevel: "silent" },
    handler: (request: { raw: IncomingMessage }, reply: { raw: ServerResponse; hijack(): unknown }) => void,
  ): unknown;
  addHook(name: "onReady" | "preClose" | "onClose", hook: () => Promise<void>): unknown;
}

export interface ReporterPaths {
  deep: string;
  live: string;
  ready: string;
  startup: string;
}

const PATHS: ReporterPaths = { deep: "/health/deep", live: "/livez", ready: "/readyz", startup: "/startupz" };

/**
 * A Fastify plugin: `app.register(reporterPlugin(reporter))`. Adds the four addresses (each may be named, or left out by
 * null), starts the checks when the app is ready, says `draining` as soon as it closes, and stops with it.
 */
export function reporterPlugin(
  reporter: Reporter,
  paths: { [name in keyof ReporterPaths]?: string | null } = {},
): (app: App) => Promise<void> {
  return async (app) => {
    const routes: [string | null, Handler][] = (Object.keys(PATHS) as (keyof ReporterPaths)[]).map((name) => [
      paths[name] === undefined ? PATHS[name] : paths[name],
      reporter.handlers[name],
    ]);
    for (const [path, handler] of routes) {
      if (path === null) continue;
      app.all(path, { exposeHeadRoute: false, schema: { hide: true }, logLevel: "silent" }, (request, reply) => {
        reply.hijack();
        handler(request.raw, reply.raw);
      });
    }
    app.addHook("onReady", async () => reporter.start());
    app.addHook("preClose", async () => reporter.drain());
    app.addHook("onClose", async () => reporter.stop());
  };
}
