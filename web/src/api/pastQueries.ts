import { useQuery } from "@tanstack/react-query";
import type { Availability, DayStrips, Stats } from "headwater/contract";
import { type Lines, unpack } from "../model/strip.ts";
import { request } from "./client.ts";

/** The last ninety days of every node and system, a cell a UTC day. */
export function useDayStrips() {
  return useQuery<Omit<DayStrips, "nodes" | "systems"> & { nodes: Lines; systems: Lines }>({
    queryKey: ["day-strips"],
    queryFn: async ({ signal }) => {
      const strips = await request<DayStrips>("strips/days", { signal });
      return { ...strips, nodes: unpack(strips.nodes), systems: unpack(strips.systems) };
    },
    structuralSharing: false,
    refetchInterval: 600_000,
    staleTime: 60_000,
  });
}

/** The days until a moment, epoch milliseconds, or until now; null: which moment is not known yet. */
export function useAvailability(kind: "node" | "system", id: string, days: number, until?: number | null) {
  return useQuery<Availability>({
    queryKey: ["availability", kind, id, days, until],
    queryFn: ({ signal }) => {
      const to = until ?? Date.now();
      const params = new URLSearchParams({
        [kind]: id,
        from: new Date(to - days * 86_400_000).toISOString(),
        to: new Date(to).toISOString(),
      });
      return request(`availability?${params}`, { signal });
    },
    enabled: until !== null,
    placeholderData: (before) => (until == null ? undefined : before),
    staleTime: 300_000,
  });
}

/** What began since a moment, epoch milliseconds, counted by the server. */
export function useStats(from: number) {
  return useQuery<Stats>({
    queryKey: ["stats", from],
    queryFn: ({ signal }) => request(`stats?from=${new Date(from).toISOString()}`, { signal }),
    refetchInterval: 60_000,
    placeholderData: (before) => before,
  });
}
