import type { IncomingMessage, ServerResponse } from "node:http";
import type { Staleness } from "../contract/index.ts";

/** Nothing can be trusted yet. */
const STALE: Staleness = {
  stale: true,
  because: ["starting"],
  last_answer_at: null,
  age_ms: null,
  limit_ms: 0,
  reporting: 0,
  instances: 0,
  overdue: 0,
  last_write_at: null,
  write_age_ms: null,
};

/** What the probes say while the map and the history are being read: alive, and not ready. */
const PROBES: Readonly<Record<string, { code: number; body: object }>> = {
  "/livez": { code: 200, body: { status: "ok" } },
  "/readyz": {
    code: 503,
    body: { status: "not_ready", checks: { map: false, store: false, scheduler: false, port: true, draining: false } },
  },
  "/startupz": { code: 503, body: { status: "starting" } },
  "/staleness": { code: 503, body: STALE },
};

const ELSEWHERE = { code: 503, body: { error: { code: "unavailable", message: "Headwater is starting: it reads its map and history" } } };
const NOT_ALLOWED = { code: 405, body: { error: { code: "method_not_allowed", message: "only GET is allowed here" } } };

/** Answers all requests of an aggregator that is still starting; `basePath` begins with a slash. Names nothing of the map. */
export function answerWhileStarting(basePath: string): (request: IncomingMessage, response: ServerResponse) => void {
  const prefix = basePath.replace(/\/+$/, "");
  return (request, response) => {
    const path = (request.url ?? "/").split("?", 1)[0] ?? "/";
    const own = path.startsWith(`${prefix}/`) ? path.slice(prefix.length) : path;
    const probe = Object.hasOwn(PROBES, own) ? PROBES[own] : undefined;
    const { code, body } = probe ? (request.method === "GET" ? probe : NOT_ALLOWED) : ELSEWHERE;
    response.writeHead(code, {
      "content-type": "application/json; charset=utf-8",
      "cache-control": "no-store",
      ...(code === 405 ? { allow: "GET" } : {}),
      ...(probe ? {} : { "retry-after": "1" }),
    });
    response.end(request.method === "HEAD" ? undefined : JSON.stringify(body));
    // A body that comes with it is not read.
    request.resume();
  };
}
