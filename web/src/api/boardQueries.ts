import { useQuery } from "@tanstack/react-query";
import type { Board } from "headwater/contract";
import { request } from "./client.ts";
import { queryClient } from "./queryClient.ts";

const BOARD = ["board"] as const;

export const getBoard = (): Board | undefined => queryClient.getQueryData<Board>(BOARD);

export const setBoard = (board: Board): void => {
  queryClient.setQueryData<Board>(BOARD, board);
};

export const fetchBoard = (): Promise<Board> => request<Board>("board");

/** The live board; undefined until the first one is here. The stream fills it, so it is never fetched by a component. */
export function useBoard(): Board | undefined {
  return useQuery<Board>({
    queryKey: BOARD,
    queryFn: fetchBoard,
    enabled: false,
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  }).data;
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
