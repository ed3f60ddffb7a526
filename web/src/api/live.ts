import { useSyncExternalStore } from "react";
import { fetchBoard, getBoard, setBoard, watchBoard } from "./boardQueries.ts";
import { apiUrl, goToLogin, whenRefused } from "./client.ts";
import { syncClock } from "./now.ts";
import { queryClient } from "./queryClient.ts";
import { markSeen, resetSeen } from "./seen.ts";
import { fetchSession } from "./sessionQueries.ts";
import { type Connection, createStream, isCut } from "./stream.ts";

/** Lists are asked for again once in so many milliseconds, however many incidents move: the board itself tells of them at once. */
const LISTS_EVERY = 1_000;
let areListsDue = false;

function refreshLists(): void {
  if (areListsDue) return;
  areListsDue = true;
  setTimeout(() => {
    areListsDue = false;
    void queryClient.invalidateQueries({ queryKey: ["incidents"] });
  }, LISTS_EVERY);
}

/** The page's one stream, wired to the query cache, the ages and the clock. */
export const stream = createStream({
  open: () => new EventSource(apiUrl("events")),
  fetchBoard: async () => {
    const board = await fetchBoard();
    resetSeen(board);
    return board;
  },
  isRefused: async () => (await fetchSession()).user === null,
  getBoard,
  setBoard,
  onEvent(event) {
    syncClock(Date.parse(event.generated_at));
    for (const node of event.nodes) markSeen(node.id, node.last_checked);
    for (const [id, at] of event.seen) markSeen(id, at);
    const moved = new Set<unknown>(event.nodes.map((node) => node.id));
    const told = new Set<unknown>(event.incidents.map((incident) => incident.id));
    const works = event.nodes.some((node) => node.marks.includes("maintenance"));
    void queryClient.invalidateQueries({
      predicate: ({ queryKey: [what, id] }) =>
        (what === "node" && moved.has(id)) || (what === "incident" && told.has(id)) || (what === "works" && works),
    });
    if (told.size > 0) refreshLists();
  },
  onPing(ping) {
    syncClock(Date.parse(ping.at));
    const board = getBoard();
    if (board) setBoard({ ...board, freshness: ping.freshness });
  },
  now: Date.now,
});

// Who watches a board is not taken away from it: the page says that the session has ended, and how to begin another.
whenRefused(() => (getBoard() ? stream.refuse() : goToLogin()));

export function useConnection(): Connection {
  return useSyncExternalStore(stream.subscribe, stream.connection);
}

/** Whether no word comes any more. */
export function useCut(): boolean {
  return useSyncExternalStore(stream.subscribe, () => isCut(stream.connection()));
}

/** Fetches the board again: for what the stream does not tell, such as a map that was refused. */
export async function refreshBoard(): Promise<void> {
  const board = await fetchBoard().catch(() => null);
  const ours = getBoard();
  if (!board || (ours && ours.boot === board.boot && ours.revision > board.revision)) return;
  resetSeen(board);
  setBoard(board);
}

/** Resolves when there is a board to show, or after so many milliseconds without one. */
export function firstBoard(patience: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(done, patience);
    const stop = watchBoard(done);
  });
}

/** Starts the stream, and looks again whenever the page wakes up. Returns the undo. */
export function startLive(): () => void {
  const wake = (): void => {
    const heard = stream.connection().heardAt ?? 0;
    if (document.visibilityState === "visible" && (isCut(stream.connection()) || Date.now() - heard > 12_000)) stream.retry();
  };
  document.addEventListener("visibilitychange", wake);
  window.addEventListener("online", wake);
  window.addEventListener("pageshow", wake);
  stream.start();
  return () => {
    document.removeEventListener("visibilitychange", wake);
    window.removeEventListener("online", wake);
    window.removeEventListener("pageshow", wake);
    stream.stop();
  };
}
