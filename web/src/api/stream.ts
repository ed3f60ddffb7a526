import type { Board, BoardEvent, PingEvent } from "headwater/contract";
import { applyEvent } from "../model/board.ts";

/** Nothing heard for this long means the line is dead, even when the browser does not know it. */
const WATCHDOG = 25_000;
const FIRST_RETRY = 1_000;
const LAST_RETRY = 10_000;
const MOST_QUEUED = 1_000;
/** Two fetches of the board start at least this far apart. */
const FETCH_PAUSE = 500;

/** No word comes any more: the line is dead, or the server does not know the reader any longer. */
type Cut = "lost" | "refused";

export const isCut = ({ kind }: Connection): boolean => kind === "lost" || kind === "refused";

/** How the page stands with the server. Times are epoch milliseconds of the browser. */
export interface Connection {
  kind: "connecting" | "live" | Cut;
  /** When anything was last heard. */
  heardAt: number | null;
  /** When the next attempt starts, while cut. */
  retryAt: number | null;
  /** Set for a while after coming back: when, and how long we were away. */
  returned: { at: number; away: number } | null;
}

/** What of EventSource is used here. */
export interface Source {
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface StreamOptions {
  open(): Source;
  /** Fetches the whole board; rejects when it cannot. */
  fetchBoard(): Promise<Board>;
  /** Whether the server is there, but refuses this reader; the event stream itself does not tell why it fails. */
  isRefused(): Promise<boolean>;
  getBoard(): Board | undefined;
  setBoard(board: Board): void;
  /** Called with every event, after the board was brought up to date by it. */
  onEvent(event: BoardEvent): void;
  onPing(ping: PingEvent): void;
  now(): number;
}

export interface Stream {
  start(): void;
  stop(): void;
  /** Connects anew at once: the user asked, or the page woke up. */
  retry(): void;
  /** The server does not know the reader any more: it said so to another request. */
  refuse(): void;
  connection(): Connection;
  subscribe(listener: () => void): () => void;
}

/**
 * The life of the event stream. One board at a time:
 *
 * 1. the first event after connecting names boot and revision; the same as ours means in step, anything else: fetch
 * 2. each later event must be the next revision; another boot or a jump means: fetch
 * 3. while a board is being fetched events wait, and those it does not contain are applied to it
 * 4. silence of 25 s, or an error, closes the line; it is opened again after 1, 2, 4, 8, then every 10 s, and the server
 *    is asked whether it is that the session has ended
 */
export function createStream(options: StreamOptions): Stream {
  const listeners = new Set<() => void>();
  let connection: Connection = { kind: "connecting", heardAt: null, retryAt: null, returned: null };
  let source: Source | null = null;
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  let retryTimer: ReturnType<typeof setTimeout> | undefined;
  let refetchTimer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let fetching = false;
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let waiting: BoardEvent[] = [];
  let stopped = true;

  const set = (next: Partial<Connection>): void => {
    connection = { ...connection, ...next };
    for (const listener of listeners) listener();
  };

  const heard = (): void => {
    const at = options.now();
    const back = isCut(connection) && connection.heardAt !== null ? { at, away: at - connection.heardAt } : connection.returned;
    failures = 0;
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, WATCHDOG);
    set({ kind: "live", heardAt: at, retryAt: null, returned: back });
  };

  const close = (): void => {
    clearTimeout(watchdog);
    clearTimeout(retryTimer);
    source?.close();
    source = null;
  };

  const lose = (): void => {
    close();
    if (stopped) return;
    const wait = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** failures);
    failures++;
    retryTimer = setTimeout(open, wait);
    const kind = connection.kind === "refused" ? "refused" : "lost";
    set({ kind, retryAt: options.now() + wait });
    const judge = (refused: boolean): void => {
      const found = refused ? "refused" : "lost";
      if (!stopped && isCut(connection) && connection.kind !== found) set({ kind: found });
    };
    options.isRefused().then(judge, () => judge(false));
  };

  const refetch = async (): Promise<void> => {
    clearTimeout(refetchTimer);
    if (fetching || stopped) return;
    const since = options.now() - fetchedAt;
    if (since >= 0 && since < FETCH_PAUSE) {
      refetchTimer = setTimeout(refetch, FETCH_PAUSE - since);
      return;
    }
    fetchedAt = options.now();
    fetching = true;
    try {
      options.setBoard(await options.fetchBoard());
    } catch {
      // The line tells whether the server is there; while it is, ask again.
      if (!stopped) refetchTimer = setTimeout(refetch, 2_000);
      return;
    } finally {
      fetching = false;
    }
    const events = waiting;
    waiting = [];
    for (const event of events) take(event);
  };

  const take = (event: BoardEvent): void => {
    const board = options.getBoard();
    if (!board || fetching) {
      if (waiting.length < MOST_QUEUED) waiting.push(event);
      if (!fetching) void refetch();
      return;
    }
    const applied = applyEvent(board, event);
    if (applied.kind === "board") options.setBoard(applied.board);
    if (applied.kind === "stale") void refetch();
    else options.onEvent(event);
  };

  const open = (): void => {
    close();
    if (stopped) return;
    const mine = options.open();
    source = mine;
    let first = true;
    watchdog = setTimeout(lose, WATCHDOG);
    mine.addEventListener("board", (message) => {
      if (source !== mine) return;
      const event = JSON.parse(message.data) as BoardEvent;
      heard();
      if (first) {
        first = false;
        const board = options.getBoard();
        if (!fetching && (board?.boot !== event.boot || board.revision < event.revision)) void refetch();
        options.onEvent(event);
      } else take(event);
    });
    mine.addEventListener("ping", (message) => {
      if (source !== mine) return;
      heard();
      options.onPing(JSON.parse(message.data) as PingEvent);
    });
    mine.addEventListener("error", () => {
      if (source === mine) lose();
    });
  };

  return {
    start() {
      stopped = false;
      open();
      if (!options.getBoard()) void refetch();
    },
    stop() {
      stopped = true;
      close();
      clearTimeout(refetchTimer);
    },
    retry() {
      if (stopped) return;
      failures = 0;
      open();
    },
    refuse() {
      if (connection.kind === "refused") return;
      connection = { ...connection, kind: "refused" };
      lose();
    },
    connection: () => connection,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
