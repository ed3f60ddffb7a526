import type { IncomingMessage, ServerResponse } from "node:http";
import type { Reporter } from "./index.ts";
import { type OwnPaths, routesOf } from "./routes.ts";

type Answer = (request: { raw: IncomingMessage }, reply: { raw: ServerResponse; hijack(): unknown }) => void;

/** The little of Fastify that is needed, so that a service without Fastify need not have it. */
interface App {
  all(
    url: string,
    options: { exposeHeadRoute: false; schema: { hide: true }; logLevel: "silent"; onRequest: Answer },
    handler: Answer,
  ): unknown;
  addHook(name: "onReady" | "preClose" | "onClose", hook: () => Promise<void>): unknown;
}

/**
 * A Fastify plugin: `app.register(reporterPlugin(reporter))`, with a `prefix` too. Adds the four addresses (each may be named, or
 * left out by null), starts the checks when the app is ready, says `draining` as soon as it closes, and stops with it.
 */
export function reporterPlugin(reporter: Reporter, paths: OwnPaths = {}): (app: App) => Promise<void> {
  const routes = routesOf(reporter, paths);
  return async (app) => {
    for (const [path, handler] of routes) {
      // Before Fastify reads a body, which it would refuse by its media type or size.
      const answer: Answer = (request, reply) => {
        reply.hijack();
        handler(request.raw, reply.raw);
      };
      app.all(path, { exposeHeadRoute: false, schema: { hide: true }, logLevel: "silent", onRequest: answer }, answer);
    }
    app.addHook("onReady", async () => reporter.start());
    app.addHook("preClose", async () => reporter.drain());
    app.addHook("onClose", async () => reporter.stop());
  };
}
