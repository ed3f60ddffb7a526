import type { IncomingMessage, ServerResponse } from "node:http";
import { type Handler, respondNotFound } from "./handlers.ts";
import type { Reporter } from "./index.ts";

/** Where the four addresses are. */
export interface ReporterPaths {
  deep: string;
  live: string;
  ready: string;
  startup: string;
}

/** Other paths than the usual ones; null leaves an address out. */
export type OwnPaths = { [name in keyof ReporterPaths]?: string | null };

const PATHS: ReporterPaths = { deep: "/health/deep", live: "/livez", ready: "/readyz", startup: "/startupz" };

/** Each path with its handler. Two addresses at one path are a `RangeError`: whoever acts on one would act on the other's answer. */
export function routesOf(reporter: Reporter, paths: OwnPaths): Map<string, Handler> {
  const routes = new Map<string, Handler>();
  for (const name of Object.keys(PATHS) as (keyof ReporterPaths)[]) {
    const path = paths[name] === undefined ? PATHS[name] : paths[name];
    if (path === null) continue;
    if (routes.has(path)) throw new RangeError(`"${name}" needs a path of its own: ${path} is taken by another question`);
    routes.set(path, reporter.handlers[name]);
  }
  return routes;
}

/**
 * The four addresses as one handler: `http.createServer(reporterHandler(reporter))`, or `app.use("/ops", reporterHandler(reporter))`
 * in Express and its like. Paths are compared whole, without their query. Any other goes on to `next`, or is 404 without one.
 */
export function reporterHandler(
  reporter: Reporter,
  paths: OwnPaths = {},
): (req: IncomingMessage, res: ServerResponse, next?: () => void) => void {
  const routes = routesOf(reporter, paths);
  return (req, res, next) => {
    const handler = routes.get((req.url ?? "").split("?", 1)[0] ?? "");
    if (handler) handler(req, res);
    else if (next) next();
    else respondNotFound(res);
  };
}
