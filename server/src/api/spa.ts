import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { ApiError } from "./errors.ts";
import type { App } from "./types.ts";

/** The pages of the board; every other path is what it says, or 404. */
const PAGES = ["/", "/incidents", "/incidents/:id", "/nodes/:id", "/map", "/labels", "/history", "/config", "/login"];

/** The page as built: every address of the board is this one file. */
export interface Index {
  html: string;
  etag: string;
}

/** Whatever is for machines, or for the page's own use; an address below any of these is never the page. */
const MACHINES = /^\/(?:api|assets|health|livez|metrics|readyz|staleness|startupz|status)(?:[/.]|$)/;

/** An address as whoever wrote it meant it: escapes of ASCII undone, slashes folded, in small letters. */
function meant(path: string): string {
  const plain = path.replace(/%([0-7][\da-f])/gi, (_escape, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
  return plain.replace(/\/+/g, "/").toLowerCase();
}

/** Whether a person asks, with a browser's own words, for what may be a page of the board. `base` is `/` or `/path/`. */
export function asksForPage({ method, url = "/", headers }: IncomingMessage, base: string): boolean {
  const accept = headers.accept ?? "";
  if (method !== "GET" || !accept.includes("text/html") || accept.includes("application/json")) return false;
  const path = meant(url.split("?", 1)[0] ?? "/");
  return !MACHINES.test(path) && !(path.startsWith(base.toLowerCase()) && MACHINES.test(path.slice(base.length - 1)));
}

/**
 * The built page: hashed files are kept by browsers for ever and sent as compressed at build time; `index.html` is
 * asked for anew each time.
 */
export async function pageRoutes(app: App, webRoot: string | null, index: Index | null): Promise<void> {
  for (const url of PAGES)
    app.get(url, { config: { access: "open" }, exposeHeadRoute: true, schema: { hide: true } }, async (request, reply) => {
      if (!index) throw new ApiError("not_found", "the page was not built; the API is under /api/v1");
      reply.headers({ "cache-control": "no-cache", etag: index.etag });
      if (request.headers["if-none-match"]?.includes(index.etag)) return reply.code(304).send();
      return reply.type("text/html; charset=utf-8").send(index.html);
    });
  if (webRoot === null || index === null) return;
  await app.register(fastifyStatic, {
    root: webRoot,
    wildcard: false,
    index: false,
    preCompressed: true,
    globIgnore: ["index.html*"],
    cacheControl: false,
    setHeaders(reply, path) {
      reply.header("cache-control", /[\\/]assets[\\/]/.test(path) ? "public, max-age=31536000, immutable" : "no-cache");
    },
  });
}

/** The page below `base`, `/` or `/path/`; null where it was not built. */
export async function readIndex(webRoot: string, base: string): Promise<Index | null> {
  const file = await readFile(join(webRoot, "index.html"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  const html = file.replace(/\b(src|href)="\.?\/(?!\/)/g, `$1="${base}`);
  return { html, etag: `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"` };
}
