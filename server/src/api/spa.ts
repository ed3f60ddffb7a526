import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import { ApiError } from "./errors.ts";
import type { App } from "./types.ts";

/** The pages of the board; every other path is what it says, or 404. */
const PAGES = ["/", "/incidents", "/incidents/:id", "/nodes/:id", "/map", "/labels", "/history", "/config", "/login"];

/**
 * The built page: hashed files are kept by browsers for ever and sent as compressed at build time; `index.html` is
 * asked for anew each time. `base` is `/` or `/path/`.
 */
export async function pageRoutes(app: App, webRoot: string | null, base: string): Promise<void> {
  const index = webRoot === null ? null : await readIndex(webRoot, base);
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

async function readIndex(webRoot: string, base: string): Promise<{ html: string; etag: string } | null> {
  const file = await readFile(join(webRoot, "index.html"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
  if (file === null) return null;
  const html = file.replace(/\b(src|href)="\.?\/(?!\/)/g, `$1="${base}`);
  return { html, etag: `"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"` };
}
