import { once } from "node:events";
import http, { type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import https from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { gzipSync } from "node:zlib";

/** What the service does with a request; a function for what no word says. */
export type Dial = keyof typeof DIALS | RequestListener;

export interface TestService {
  readonly url: string;
  readonly port: number;
  dial: Dial;
  /** Requests seen, as epoch ms, `performance.now()` fractions kept. */
  readonly calls: number[];
  /** Headers of the last request. */
  readonly lastHeaders: http.IncomingHttpHeaders;
  /** Connections accepted so far, and those open now. */
  readonly accepted: number;
  readonly open: number;
  /** Closes the port and every connection: the next attempt is refused. */
  refuse(): Promise<void>;
  /** Opens the same port again. */
  listen(): Promise<void>;
  /** Closes connections that wait idle, without a word in any header. */
  dropIdle(): void;
  close(): Promise<void>;
}

export interface TestServiceOptions {
  dial?: Dial;
  /** Serves HTTPS with these. */
  tls?: https.ServerOptions;
  /** Seconds in the Keep-Alive header; 0 sends none and keeps connections open. Default 0. */
  keepAliveSeconds?: number;
}

/** The report of the dial `ok`, in the contract of a deep endpoint. */
const REPORT = {
  status: "healthy",
  components: [{ name: "db", status: "up", criticality: "hard", latency_ms: 3, age_ms: 10 }],
};

function json(res: ServerResponse, status: number, body: unknown): void {
  const text = JSON.stringify(body);
  res.writeHead(status, { "content-type": "application/json", "content-length": Buffer.byteLength(text) }).end(text);
}

const DIALS = {
  ok: (_req: IncomingMessage, res: ServerResponse) => json(res, 200, REPORT),
  unhealthy: (_req: IncomingMessage, res: ServerResponse) =>
    json(res, 503, { status: "unhealthy", components: [{ name: "db", status: "down", criticality: "hard", error: "refused" }] }),
  /** Answers after 150 ms. */
  slow: (_req: IncomingMessage, res: ServerResponse) => void setTimeout(() => json(res, 200, REPORT), 150),
  /** Takes the request and never answers. */
  hang: () => {},
  /** Sends headers and one byte every 20 ms, without end. */
  drip: (_req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => res.write(" "), 20);
    res.on("close", () => clearInterval(timer));
  },
  /** Bytes that are not HTTP. */
  garbage: (req: IncomingMessage) => void req.socket.end("220 mail.example ESMTP ready\r\n"),
  /** Valid HTTP, but no report in it. */
  html: (_req: IncomingMessage, res: ServerResponse) =>
    void res.writeHead(200, { "content-type": "text/html" }).end("<!doctype html><title>Login</title><form></form>"),
  /** 1 MiB, announced by its length. */
  huge: (_req: IncomingMessage, res: ServerResponse) => json(res, 200, { status: "healthy", padding: "x".repeat(1 << 20) }),
  /** 1 MiB in pieces, without a length. */
  flood: (_req: IncomingMessage, res: ServerResponse) => {
    res.writeHead(200, { "content-type": "application/json" });
    for (let i = 0; i < 64; i++) res.write("x".repeat(16_384));
    res.end();
  },
  /** A few bytes that inflate to 8 MiB. */
  bomb: (_req: IncomingMessage, res: ServerResponse) =>
    void res.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipSync(Buffer.alloc(8 << 20, 32))),
  gzip: (_req: IncomingMessage, res: ServerResponse) =>
    void res.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" }).end(gzipSync(JSON.stringify(REPORT))),
  /** Closes the connection with a reset instead of answering. */
  reset: (req: IncomingMessage) => void req.socket.resetAndDestroy(),
  /** Closes the connection in order, without a byte of an answer. */
  hangUp: (req: IncomingMessage) => void req.socket.end(),
  /** Announces more than it sends. */
  truncated: (req: IncomingMessage) =>
    void req.socket.end('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{"status":'),
  /** Begins a chunked answer and goes on with what is no chunk. */
  badChunk: (req: IncomingMessage) =>
    void req.socket.end("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n"),
  /** An old server: no length, and the end of the connection ends the answer. */
  http10: (req: IncomingMessage) =>
    void req.socket.end(`HTTP/1.0 200 OK\r\ncontent-type: application/json\r\n\r\n${JSON.stringify(REPORT)}`),
  redirect: (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(302, { location: "/login", "content-length": 0 }).end(),
  unauthorized: (_req: IncomingMessage, res: ServerResponse) => json(res, 401, { error: "no token" }),
  empty503: (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(503, { "content-length": 0 }).end(),
  noContent: (_req: IncomingMessage, res: ServerResponse) => void res.writeHead(204).end(),
};

/** Starts a service on a free port of 127.0.0.1. It counts every request, whatever the path. */
export async function startService(options: TestServiceOptions = {}): Promise<TestService> {
  const sockets = new Set<Socket>();
  const calls: number[] = [];
  let accepted = 0;
  let lastHeaders: http.IncomingHttpHeaders = {};
  let port = 0;
  const busy = new Set<Socket>();

  function make(): http.Server {
    const server = options.tls ? https.createServer(options.tls, handle) : http.createServer(handle);
    server.keepAliveTimeout = (options.keepAliveSeconds ?? 0) * 1000;
    server.on("connection", (socket) => {
      accepted++;
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    });
    server.on("tlsClientError", () => {});
    return server;
  }

  function handle(req: IncomingMessage, res: ServerResponse): void {
    calls.push(performance.timeOrigin + performance.now());
    lastHeaders = req.headers;
    const socket = req.socket;
    busy.add(socket);
    res.on("close", () => busy.delete(socket));
    const answer = typeof service.dial === "string" ? DIALS[service.dial] : service.dial;
    (answer as RequestListener)(req, res);
  }

  let server = make();

  async function listen(): Promise<void> {
    if (server.listening) return;
    server = make();
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    port = (server.address() as AddressInfo).port;
  }

  async function refuse(): Promise<void> {
    if (!server.listening) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  }

  const service = {
    dial: options.dial ?? "ok",
    calls,
    get url() {
      return `${options.tls ? "https" : "http"}://127.0.0.1:${port}/health/deep`;
    },
    get port() {
      return port;
    },
    get lastHeaders() {
      return lastHeaders;
    },
    get accepted() {
      return accepted;
    },
    get open() {
      return sockets.size;
    },
    refuse,
    listen,
    dropIdle() {
      for (const socket of sockets) if (!busy.has(socket)) socket.destroy();
    },
    close: refuse,
  };
  await listen();
  return service;
}
