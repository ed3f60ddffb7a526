import net from "node:net";
import tls from "node:tls";
import { type buildConnector, Client } from "undici";
import type { TlsSettings } from "../domain/map.ts";
import { lookup } from "./lookup.ts";
import type { Stage } from "./outcome.ts";

/** Idle longer than this, and a firewall on the way may have forgotten the connection without telling either side. */
const IDLE_MAX_MS = 120_000;
/** A server's hint is cut by this much, so that we close first. */
const HINT_MARGIN_MS = 500;
const KEEP_ALIVE_PROBE_MS = 30_000;

let defaultContext: tls.SecureContext | undefined;

/**
 * At most one connection to one origin, kept open between polls: as long as the server's Keep-Alive hint allows, else
 * two intervals at most. The name is resolved anew for each new connection. Knows how far an attempt has got, so
 * that a deadline can be told apart into its causes, and can drop the socket at any stage.
 */
export class Connection {
  /** Connections opened so far. */
  opened = 0;
  /** Answers that came over the present connection. */
  served = 0;
  #stage: Stage = "closed";
  #client: Client | null = null;
  #socket: net.Socket | null = null;
  #context: tls.SecureContext | undefined;
  readonly #origin: string;
  readonly #idleMs: number;
  readonly #settings: TlsSettings | null;

  /** `interval` in milliseconds. */
  constructor(origin: string, interval: number, settings: TlsSettings | null) {
    this.#origin = origin;
    this.#idleMs = Math.min(2 * interval, IDLE_MAX_MS);
    this.#settings = settings;
  }

  get stage(): Stage {
    return this.#stage;
  }

  get client(): Client {
    this.#client ??= new Client(this.#origin, {
      connect: (options, callback) => this.#connect(options, callback),
      pipelining: 1,
      // One deadline covers everything, and it is ours.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: this.#idleMs,
      keepAliveTimeoutThreshold: HINT_MARGIN_MS,
    });
    return this.#client;
  }

  /** Closes the connection, or the attempt to open one, at once; the next use opens a new one. */
  drop(): void {
    const client = this.#client;
    const socket = this.#socket;
    this.#client = null;
    this.#socket = null;
    this.#stage = "closed";
    this.served = 0;
    // The client first: while it lives, it would answer a lost socket with a new one.
    void client?.destroy();
    socket?.destroy();
  }

  #connect(options: buildConnector.Options, callback: buildConnector.Callback): void {
    let socket: net.Socket;
    const secure = options.protocol === "https:";
    const to = { host: options.hostname, port: Number(options.port) || (secure ? 443 : 80), noDelay: true, lookup };
    this.opened++;
    this.served = 0;
    this.#stage = secure ? "handshake" : "connect";
    try {
      socket = secure ? tls.connect({ ...to, ...this.#tlsOptions(options) }) : net.connect(to);
    } catch (error) {
      callback(error as Error, null);
      return;
    }
    this.#socket = socket;
    this.#stage = net.isIP(options.hostname) ? "connect" : "lookup";
    const advance = (stage: Stage) => {
      if (this.#socket === socket) this.#stage = stage;
    };
    let waiting = true;
    socket
      .setKeepAlive(true, KEEP_ALIVE_PROBE_MS)
      .once("lookup", (error: Error | null) => {
        if (!error) advance("connect");
      })
      .once("connect", () => advance(secure ? "handshake" : "open"))
      .once(secure ? "secureConnect" : "connect", () => {
        advance("open");
        waiting = false;
        callback(null, socket);
      })
      .on("error", (error) => {
        if (waiting) callback(error, null);
        waiting = false;
      })
      .once("close", () => {
        if (this.#socket !== socket) return;
        this.#socket = null;
        this.served = 0;
      });
  }

  #tlsOptions(options: buildConnector.Options): tls.ConnectionOptions {
    const { ca = null, cert = null, key = null, servername = null } = this.#settings ?? {};
    if (ca === null && cert === null && key === null) {
      defaultContext ??= tls.createSecureContext();
      this.#context = defaultContext;
    }
    this.#context ??= tls.createSecureContext({ ...(ca !== null && { ca }), ...(cert !== null && { cert }), ...(key !== null && { key }) });
    const name = servername ?? options.servername ?? (net.isIP(options.hostname) ? "" : options.hostname);
    return { secureContext: this.#context, servername: name, ALPNProtocols: ["http/1.1"] };
  }
}
