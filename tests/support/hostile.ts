import type { IncomingMessage, ServerResponse } from "node:http";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Outcome } from "../../server/src/domain/status.ts";

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** What a terminal, a page, a log, a table or a document would obey. */
const EVIL =
  "\u001b[31mred\u001b]8;;http://evil.example\u0007\u009b2J\u202egnp.exe\u2066\u200b\u0000\r\nlevel=error forged\u2028<script>alert(1)</script><img src=x onerror=alert(2)>|**[x](javascript:alert(3))**`=cmd|'/c calc'!A1";
/** Must be seen nowhere. */
export const SECRETS = ["hunter2-password", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl", "AKIAIOSFODNN7EXAMPLE"];

const json =
  (body: unknown, status = 200): Answer =>
  (_req, res) =>
    void res.writeHead(status, { "content-type": "application/json" }).end(typeof body === "string" ? body : JSON.stringify(body));

const component = (name: unknown, more: object = {}) => ({ name, status: "up", criticality: "soft", ...more });
const down = (name: string, error: string) => component(name, { status: "down", error });

/** Writes a piece again and again, until the connection is closed. */
const forever =
  (everyMs: number, start: (req: IncomingMessage, res: ServerResponse) => (() => void) | undefined): Answer =>
  (req, res) => {
    const more = start(req, res);
    const timer = setInterval(() => more?.(), everyMs);
    req.socket.on("close", () => clearInterval(timer));
  };

const inflated = Buffer.alloc(64 << 20, 32);
const gzipBomb = gzipSync(inflated, { level: 1 });
const nestedBomb = gzipSync(gzipSync(gzipBomb));
const brotliBomb = brotliCompressSync(inflated, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } });

/** Services that attack whoever polls them: name, answer, and the outcomes that are right. */
export const ATTACKS: readonly (readonly [name: string, answer: Answer, outcomes: readonly Outcome[]])[] = [
  ["evil-names", json({ status: "degraded", components: [down(EVIL, EVIL), component(`${EVIL}2`), down("plain", EVIL)] }), ["report"]],
  [
    "evil-secrets",
    json({
      status: "degraded",
      components: SECRETS.map((secret, i) => down(`db${i}`, `postgres://admin:${secret}@db:5432/x token=${secret}`)),
    }),
    ["report"],
  ],
  ["evil-status", json({ status: EVIL, components: [] }), ["report", "not_a_report"]],
  [
    "prototype-keys",
    json(
      '{"__proto__":{"status":"unhealthy","admin":true},"constructor":{"prototype":{"x":1}},"status":"healthy","components":[{"name":"__proto__","status":"up"},{"name":"constructor","status":"up"},{"name":"toString","status":"up"},{"name":"hasOwnProperty","status":"up","__proto__":{"status":"down"}}]}',
    ),
    ["report"],
  ],
  [
    "prototype-words",
    json({
      status: "constructor",
      components: [component("a", { status: "__proto__" }), component("b", { status: "toString", criticality: "hasOwnProperty" })],
    }),
    ["report", "not_a_report"],
  ],
  [
    "too-many",
    json({ status: "healthy", components: Array.from({ length: 2_500 }, (_, i) => component(`component-${i}`)) }),
    ["report", "too_large", "not_a_report"],
  ],
  ["too-long", json({ status: "degraded", components: [down("n".repeat(100_000), "e".repeat(100_000))] }), ["report"]],
  ["too-deep", json(`${'{"status":"healthy","a":'.repeat(5_000)}1${"}".repeat(5_000)}`), ["report", "not_a_report"]],
  ["too-deep-lists", json("[".repeat(100_000)), ["not_a_report"]],
  [
    "surrogates",
    json('{"status":"degraded","components":[{"name":"\\ud800\\udbff","status":"down","error":"\\udc00\\u0000"}]}'),
    ["report"],
  ],
  [
    "numbers",
    json(
      '{"status":"healthy","components":[{"name":"a","status":"up","latency_ms":1e308,"age_ms":-1e999,"last_checked":"+275760-09-13T00:00:00Z"},{"name":"b","status":"up","latency_ms":"NaN","age_ms":9e999}]}',
    ),
    ["report"],
  ],
  ["wrong-types", json({ status: ["healthy"], components: { length: 1e9, 0: null, name: [], status: {} } }), ["report", "not_a_report"]],
  [
    "twice-keys",
    json('{"status":"healthy","status":"healthy","components":[],"components":[{"name":"db","status":"up"}]}'),
    ["report", "not_a_report"],
  ],
  [
    "not-utf8",
    (_q, res) => void res.writeHead(200, { "content-type": "application/json" }).end(Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0xc0, 0x80])),
    ["not_a_report"],
  ],
  ["html", (_q, res) => void res.writeHead(200, { "content-type": "text/html" }).end(`<h1>${EVIL}</h1>`), ["not_a_report"]],
  ["bomb-gzip", (_q, res) => void res.writeHead(200, { "content-encoding": "gzip" }).end(gzipBomb), ["too_large"]],
  ["bomb-brotli", (_q, res) => void res.writeHead(200, { "content-encoding": "br" }).end(brotliBomb), ["too_large", "not_a_report"]],
  [
    "bomb-nested",
    (_q, res) => void res.writeHead(200, { "content-encoding": "gzip, gzip, gzip" }).end(nestedBomb),
    ["too_large", "not_a_report"],
  ],
  ["no-gzip", (_q, res) => void res.writeHead(200, { "content-encoding": "gzip" }).end("no gzip at all"), ["not_a_report"]],
  [
    "endless-body",
    (_q, res) => {
      res.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (!res.destroyed && res.write("x".repeat(65_536)));
      };
      res.on("drain", more);
      more();
    },
    ["too_large"],
  ],
  [
    "drip-body",
    forever(50, (_q, res) => {
      res.writeHead(200);
      return () => res.write(" ");
    }),
    ["timeout"],
  ],
  [
    "drip-headers",
    forever(50, ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      return () => socket.write("x: y\r\n");
    }),
    ["timeout"],
  ],
  [
    "endless-headers",
    forever(1, ({ socket }) => {
      socket.write("HTTP/1.1 200 OK\r\n");
      return () => socket.write(`x-${Date.now()}: ${"y".repeat(4_000)}\r\n`);
    }),
    ["not_a_report", "too_large", "timeout", "reset"],
  ],
  [
    "endless-informational",
    forever(
      5,
      ({ socket }) =>
        () =>
          socket.write("HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"),
    ),
    ["timeout", "not_a_report"],
  ],
  ["no-http", ({ socket }) => void socket.end(`SSH-2.0-${EVIL}\r\n`), ["not_a_report", "reset"]],
  [
    "status-line",
    ({ socket }) => void socket.end(`HTTP/1.1 200 ${"O".repeat(200_000)}\r\n\r\n`),
    ["report", "not_a_report", "too_large", "reset"],
  ],
  [
    "two-lengths",
    ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 40\r\n\r\n{}"),
    ["not_a_report", "reset"],
  ],
  [
    "smuggled",
    ({ socket }) =>
      void socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\n{"status":"healthy"}'),
    ["report", "not_a_report", "reset"],
  ],
  [
    "huge-length",
    ({ socket }) => void socket.end("HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\n{}"),
    ["not_a_report", "too_large", "reset"],
  ],
  [
    "redirect-to-metadata",
    (_q, res) => void res.writeHead(302, { location: "http://169.254.169.254/latest/meta-data/" }).end(),
    ["redirect"],
  ],
  [
    "upgrade",
    ({ socket }) => void socket.end("HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n"),
    ["not_a_report", "reset", "http_error"],
  ],
  [
    "evil-headers",
    (_q, res) =>
      void res
        .writeHead(200, {
          "content-type": `application/json; ${"x".repeat(2_000)}`,
          date: "never",
          age: "-5",
          "set-cookie": "a=b",
          "cache-control": "max-age=9e9",
        })
        .end('{"status":"healthy","components":[]}'),
    ["report"],
  ],
];
