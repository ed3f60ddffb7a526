import { queryOptions, useQuery } from "@tanstack/react-query";
import type { Strips } from "headwater/contract";
import { type Lines, unpack } from "../model/strip.ts";
import { request } from "./client.ts";
import { queryClient } from "./queryClient.ts";

/** A day of every node, cell by cell. */
export type DayLines = Omit<Strips, "nodes"> & { nodes: Lines };

const stripsQuery = (at: number | null) =>
  queryOptions({
    queryKey: ["strips", at],
    queryFn: async ({ signal }): Promise<DayLines> => {
      const query = at === null ? "" : `?at=${encodeURIComponent(new Date(at).toISOString())}`;
      const strips = await request<Strips>(`strips${query}`, { signal });
      return { ...strips, nodes: unpack(strips.nodes) };
    },
    // Comparing a day with the one before costs more than it spares: every minute moves all cells.
    structuralSharing: false,
    // What was asked for ahead is not asked for again by those who show it.
    staleTime: at === null ? 5_000 : Number.POSITIVE_INFINITY,
  });

/** The last day of every node, or the day before a moment of the past (epoch milliseconds), which never changes. */
export function useStrips(at: number | null = null, enabled = true) {
  return useQuery({ ...stripsQuery(at), enabled, refetchInterval: at === null ? 120_000 : false });
}

/** Asks for the same before anything shows it. */
export function askForStrips(at: number | null): void {
  void queryClient.prefetchQuery(stripsQuery(at));
}
