import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import { refuseConnection } from "../api/errors.ts";
import { answerWhileStarting } from "../api/starting.ts";
import { createWebServer } from "../api/web-server.ts";
import type { AggregatorConfig } from "../domain/config.ts";
import { codeOf } from "./words.ts";

type Listen = AggregatorConfig["listen"];

/** The port, open from the moment it is known: a large map takes seconds to read, and whoever asks meanwhile is told so. */
export class Port {
  readonly server: Server;
  #answer: RequestListener = answerWhileStarting("/");
  #app: RequestListener | null = null;
  #at: Pick<Listen, "host" | "port"> | null = null;

  constructor() {
    this.server = createWebServer((request, response) => this.#answer(request, response));
    this.server.on("clientError", refuseConnection);
  }

  /** Null once it is open there, with that of another address closed; a sentence when it cannot be had. */
  async open({ host, port, basePath }: Listen): Promise<string | null> {
    if (this.#at?.host === host && this.#at.port === port) return null;
    await this.close(0);
    this.#answer = answerWhileStarting(basePath);
    try {
      this.server.listen(port, host);
      await once(this.server, "listening");
    } catch (error) {
      const why = codeOf(error) === "EADDRINUSE" ? "somebody else listens there" : codeOf(error);
      return `cannot listen on ${host}:${port}: ${why}; --port and --host name another place`;
    }
    this.#at = { host, port };
    return null;
  }

  /** The server for an app that is being built; what is not HTTP is the app's to refuse from now on. */
  readonly adopt = (app: RequestListener): Server => {
    this.server.off("clientError", refuseConnection);
    this.#app = app;
    return this.server;
  };

  /** From now on the adopted app answers. */
  handOver(): void {
    if (this.#app) this.#answer = this.#app;
  }

  /** Takes no more connections; resolves when those that there are have ended, or were cut after `graceMs`. */
  async close(graceMs: number): Promise<void> {
    if (!this.#at) return;
    this.#at = null;
    const cut = setTimeout(() => this.server.closeAllConnections(), graceMs);
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
    clearTimeout(cut);
  }
}

/** Where a browser on this machine finds the board; `bound` is what the listening socket says. */
export function addressOf(bound: ReturnType<Server["address"]>, listen: Listen): string {
  const port = typeof bound === "object" && bound ? bound.port : listen.port;
  const anywhere = listen.host === "0.0.0.0" || listen.host === "::";
  const host = anywhere ? "127.0.0.1" : listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  return `http://${host}:${port}${listen.basePath.replace(/\/*$/, "/")}`;
}
