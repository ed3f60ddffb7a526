import type { ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { setImmediate as breathe } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { Live, Publication } from "../domain/live.ts";
import { type Authenticator, allows } from "./auth.ts";
import { type Board, joinNodes } from "./board.ts";
import { ApiError } from "./errors.ts";
import { freshnessView, incidentView, mapStatusView, systemViews, tenthsOrNull, time } from "./view.ts";

const PING_EVERY_MS = 10_000;
/** A viewer that still has this much unread when the next event comes is dropped: it refetches the board. */
const MAX_UNREAD = 1024 * 1024;
const MAX_VIEWERS = 2_000;
const SLICE = 100;
/** How long the end of the stream may take to reach the viewers before their connections are cut. */
const END_WITHIN_MS = 500;

export interface Stream {
  /**
   * The bytes for a new viewer, until its response closes; throws `unavailable` when there are too many. `mayRead` is
   * asked again and again.
   */
  open(response: ServerResponse, mayRead?: () => boolean): Readable;
  /** Ends the streams of those who may not read any more, now and not at the next ping. */
  review(): void;
  viewers(): number;
  dropped(): number;
  /** Ends every stream; resolves when all are gone, half a second later at worst. */
  close(): Promise<void>;
}

interface Viewer {
  feed: Readable;
  mayRead: () => boolean;
}

/**
 * Server-Sent Events for everybody who watches:
 * 1. on connect one `board` event with the current boot and revision and empty lists;
 * 2. one `board` event for each published revision, encoded once for all;
 * 3. a `ping` every ten seconds;
 * 4. a viewer that does not read is dropped, and nobody waits for it;
 * 5. one that may not read any more is ended with a logout, a reload or the next ping: a session does not outlive itself.
 */
export function createStream(live: Live, board: Board, limits: { maxViewers?: number; maxUnread?: number } = {}): Stream {
  const { maxViewers = MAX_VIEWERS, maxUnread = MAX_UNREAD } = limits;
  const viewers = new Map<ServerResponse, Viewer>();
  let dropped = 0;
  let closing = false;
  let toldMap = mapFacts(live);
  let sending = Promise.resolve();

  /** A thousand viewers are served in slices, so that polls get their turn between; each sees all frames in order. */
  function forEach(serve: (response: ServerResponse, viewer: Viewer) => void): void {
    const targets = [...viewers];
    sending = sending.then(async () => {
      for (const [index, [response, viewer]] of targets.entries()) {
        if (index > 0 && index % SLICE === 0) await breathe();
        if (!closing && viewers.has(response)) serve(response, viewer);
      }
    });
  }

  function broadcast(frame: Buffer): void {
    forEach((response, { feed }) => {
      if (feed.readableLength <= maxUnread) {
        feed.push(frame);
        return;
      }
      dropped += 1;
      viewers.delete(response);
      response.destroy();
    });
  }

  function review(): void {
    forEach((response, { feed, mayRead }) => {
      if (mayRead()) return;
      viewers.delete(response);
      feed.push(null);
    });
  }

  const unsubscribe = live.subscribe((publication) => {
    if (live.lifecycle() === "draining") return void close();
    if (viewers.size === 0) return;
    const facts = mapFacts(live);
    if (facts !== toldMap) review();
    broadcast(frameOf("board", boardEvent(live, board, publication, facts !== toldMap), publication.snapshot.revision));
    toldMap = facts;
  });
  const pings = setInterval(() => {
    if (viewers.size === 0) return;
    const now = live.now();
    review();
    broadcast(frameOf("ping", Buffer.from(JSON.stringify({ at: time(now), freshness: freshnessView(live, now) }))));
  }, PING_EVERY_MS);
  pings.unref();

  /** Also the way of a shutdown: viewers go first, the polls after them, the port last. */
  async function close(): Promise<void> {
    closing = true;
    unsubscribe();
    clearInterval(pings);
    const gone = [...viewers.keys()].map((response) => new Promise<void>((resolve) => response.once("close", resolve)));
    for (const { feed } of viewers.values()) feed.push(null);
    const cut = setTimeout(() => {
      for (const response of viewers.keys()) response.destroy();
    }, END_WITHIN_MS);
    await Promise.all(gone);
    clearTimeout(cut);
  }

  return {
    open(response, mayRead = () => true) {
      if (closing) throw new ApiError("unavailable", "shutting down");
      if (viewers.size >= maxViewers) throw new ApiError("unavailable", "too many viewers");
      const feed = new Readable({ read() {} });
      viewers.set(response, { feed, mayRead });
      response.once("close", () => viewers.delete(response));
      feed.push("retry: 2000\n\n");
      feed.push(frameOf("board", boardEvent(live, board, null, false), live.snapshot().revision));
      return feed;
    },
    review,
    viewers: () => viewers.size,
    dropped: () => dropped,
    close,
  };
}

/** `GET /api/v1/events`, and the end of all streams before the server closes: an open one would hold it up. */
export function streamRoutes(app: FastifyInstance, live: Live, stream: Stream, auth: Authenticator): void {
  app.get(
    "/api/v1/events",
    { config: { access: "viewer" }, schema: { summary: "What moves on the board, as Server-Sent Events" } },
    (request, reply) =>
      reply
        .type("text/event-stream; charset=utf-8")
        .headers({ "cache-control": "no-store, no-transform", "x-accel-buffering": "no", connection: "close" })
        .send(stream.open(reply.raw, () => allows("viewer", auth.identify(request, live.now())))),
  );
  app.addHook("preClose", () => stream.close());
}

function frameOf(event: "board" | "ping", data: Buffer, id?: number): Buffer {
  return Buffer.concat([Buffer.from(`${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: `), data, Buffer.from("\n\n")]);
}

/** The event for one publication, or with `null` the first one after connecting: the present, with empty lists. */
function boardEvent(live: Live, board: Board, publication: Publication | null, withMap: boolean): Buffer {
  const snapshot = publication?.snapshot ?? live.snapshot();
  const now = live.now();
  const rest = JSON.stringify({
    boot: live.boot,
    revision: snapshot.revision,
    generated_at: time(now),
    status: snapshot.rollup.status,
    coverage: { known: snapshot.rollup.coverage.known, total: snapshot.rollup.coverage.total },
    freshness: freshnessView(live, now),
    ...(withMap ? { map: mapStatusView(live) } : {}),
    systems: publication && systemsMoved(publication) ? systemViews(snapshot.map, snapshot.rollup) : [],
    seen: (publication?.seen ?? []).flatMap((id) => {
      const state = snapshot.state.nodes.get(id);
      return state && state.lastChecked !== null ? [[id, time(state.lastChecked), tenthsOrNull(state.latencyMs)]] : [];
    }),
    removed: publication?.removed ?? [],
    incidents: (publication?.incidents ?? []).map(incidentView),
  });
  return joinNodes(rest, board.nodes(snapshot, publication?.nodes ?? [], now));
}

function mapFacts(live: Live): string {
  const { revision, refused } = live.mapInfo();
  return `${revision} ${refused?.at}`;
}

function systemsMoved({ snapshot, before }: Publication): boolean {
  if (!before || before.map !== snapshot.map) return true;
  for (const [id, { status, coverage }] of snapshot.rollup.systems) {
    const old = before.rollup.systems.get(id);
    if (old?.status !== status || old.coverage.known !== coverage.known || old.coverage.total !== coverage.total) return true;
  }
  return false;
}
