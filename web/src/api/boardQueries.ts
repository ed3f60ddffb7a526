import { useQuery } from "@tanstack/react-query";
import type { Board } from "headwater/contract";
import { useSyncExternalStore } from "react";
import { request } from "./client.ts";

/**
 * The live board. The stream fills it and no component fetches it, so it is kept beside the queries: who watches it is
 * told at once, and what one event moves is drawn together.
 */
let board: Board | undefined;
const watchers = new Set<() => void>();

export const getBoard = (): Board | undefined => board;

export function setBoard(next: Board): void {
  board = next;
  for (const watcher of watchers) watcher();
}

/** Calls back after each change of the board. Returns the undo. */
export function watchBoard(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export const fetchBoard = (): Promise<Board> => request<Board>("board");

/** The live board; undefined until the first one is here. */
export function useBoard(): Board | undefined {
  return useSyncExternalStore(watchBoard, getBoard);
}

/** A part of the live board that stays the same while others move: only another one is a reason to draw. */
export function useBoardPart<T>(part: (board: Board) => T): T | undefined {
  return useSyncExternalStore(watchBoard, () => board && part(board));
}

/** The board as it was at a moment, for replay. */
export function useBoardAt(at: number | null) {
  return useQuery<Board>({
    queryKey: ["board-at", at],
    queryFn: ({ signal }) => request(`board?at=${encodeURIComponent(new Date(at ?? 0).toISOString())}`, { signal }),
    enabled: at !== null,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: (before) => before,
  });
}
