import type { Dispatcher } from "undici";
import type { TlsSettings } from "../domain/map.ts";
import { Connection } from "./connection.ts";
import { Exchange, type RawAnswer } from "./exchange.ts";
import type { Clock } from "./scheduler.ts";

export type { RawAnswer } from "./exchange.ts";

/** One deep endpoint to ask. Durations are milliseconds, sizes bytes. */
export interface Target {
  url: string;
  /** Sent over our own; a name of ours is replaced, whatever its case. */
  headers: Readonly<Record<string, string>>;
  interval: number;
  timeout: number;
  maxBody: number;
  tls: TlsSettings | null;
}

export interface FetchOptions {
  userAgent: string;
  clock: Clock;
}

/** `GET` this, once, on a connection of its own that is closed afterwards. Never rejects. */
export async function fetchOnce(target: Target, options: FetchOptions): Promise<RawAnswer> {
  const line = openLine(target, options);
  const answer = await line.ask();
  line.close();
  return answer;
}

/** A target with its connection; one request at a time. */
export interface Line {
  /** One `GET`. Never rejects: a failure is an answer. */
  ask(): Promise<RawAnswer>;
  /** Ends a request under way as `aborted`. */
  abort(): void;
  /** Closes the connection; the next request opens a new one. */
  drop(): void;
  /** Aborts and drops. */
  close(): void;
  /** Connections opened so far. */
  opened(): number;
}

export function openLine(target: Target, { userAgent, clock }: FetchOptions): Line {
  const url = new URL(target.url);
  const connection = new Connection(url.origin, target.interval, target.tls);
  const request: Dispatcher.DispatchOptions = {
    path: url.pathname + url.search,
    method: "GET",
    headers: requestHeaders(target.headers, userAgent),
  };
  let current: Exchange | null = null;
  const abort = () => current?.fail({ outcome: "aborted", error: "cancelled" });
  return {
    ask: () =>
      new Promise((resolve) => {
        current = new Exchange(target, connection, request, clock, (answer) => {
          current = null;
          resolve(answer);
        });
        current.send();
      }),
    abort,
    drop: () => connection.drop(),
    close() {
      abort();
      connection.drop();
    },
    opened: () => connection.opened,
  };
}

/** Flat name-value list. The Accept header never asks for anything at all with equal weight: that brings HTML pages. */
function requestHeaders(own: Readonly<Record<string, string>>, userAgent: string): string[] {
  const headers = new Map([
    ["accept", "application/health+json, application/json;q=0.9, text/plain;q=0.5, */*;q=0.1"],
    ["cache-control", "no-cache"],
    ["user-agent", userAgent],
  ]);
  for (const [name, value] of Object.entries(own)) headers.set(name.toLowerCase(), value);
  return [...headers].flat();
}
