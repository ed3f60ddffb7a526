import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Live } from "../domain/live.ts";
import { type Access, type Authenticator, allows, isOurHost, isSameOrigin } from "./auth.ts";
import { ApiError } from "./errors.ts";
import { createLimit } from "./limits.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route asks of its caller; a route without a word is for operators where it is under `/api/`, else open. */
    access?: Access;
    /** Never refused: no limit, no check of `Host`, no login. */
    probe?: boolean;
    /** Counts as a login for the limits. */
    login?: boolean;
  }
}

const READS = { burst: 400, perSecond: 200 };
const WRITES = { burst: 30, perSecond: 30 / 60 };
const LOGINS = { burst: 5, perSecond: 5 / 60 };

/**
 * Before any handler, and before a body is read:
 * 1. a known path with another method is 405;
 * 2. probes pass;
 * 3. `Host` must name us (421);
 * 4. limits per address (429);
 * 5. the caller's role must suffice (401, 403);
 * 6. a write needs a bearer token, or JSON from our own page (403, 415).
 */
export function useGuard(
  app: FastifyInstance,
  live: Live,
  auth: Authenticator,
  allowedMethods: (path: string) => string[],
  monotonic: () => number,
): void {
  const limit = { read: createLimit(READS, monotonic), write: createLimit(WRITES, monotonic), login: createLimit(LOGINS, monotonic) };
  app.addHook("onRequest", async (request, reply) => {
    reply.header("cache-control", "no-store");
    const { config } = request.routeOptions;
    if (request.is404) {
      const methods = allowedMethods(pathOf(request));
      if (methods.length > 0) {
        reply.header("allow", methods.join(", "));
        throw new ApiError("method_not_allowed", `${request.method} is not allowed here`);
      }
    }
    if (config.probe) return;
    if (!isOurHost(request.headers.host, live.config.listen)) throw new ApiError("wrong_host", "this server does not go by that name");

    const isWrite = request.method !== "GET" && request.method !== "HEAD";
    const wait = limit[config.login ? "login" : isWrite ? "write" : "read"].take(request.ip);
    if (wait > 0) {
      reply.header("retry-after", String(wait));
      throw new ApiError("rate_limited", `too many requests; try again in ${wait} s`);
    }
    if (request.is404) return;

    const access = config.access ?? (isWrite || pathOf(request).includes("/api/") ? "operator" : "open");
    const identity = access === "open" ? null : auth.identify(request, live.now());
    if (!allows(access, identity)) {
      if (identity === null) throw new ApiError("unauthorized", "log in, or send a bearer token");
      throw new ApiError("forbidden", "this needs the role operator");
    }
    if (!isWrite || identity?.via === "bearer") return;
    if (!isSameOrigin(request.headers.origin, request.headers.host))
      throw new ApiError("forbidden", "writes come from this server's own page (Origin) or with a bearer token");
    if (request.method === "POST" && !/^application\/json\b/i.test(request.headers["content-type"] ?? ""))
      throw new ApiError("unsupported_media_type", "writes are application/json");
  });
}

function pathOf(request: FastifyRequest): string {
  return request.url.split("?", 1)[0] ?? "";
}
