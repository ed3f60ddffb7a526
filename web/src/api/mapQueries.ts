import { useMutation, useQuery } from "@tanstack/react-query";
import type { Labels, MapCheck, MapView, RevisionList, SinglePoints } from "headwater/contract";
import { request } from "./client.ts";

export function useMap() {
  return useQuery<MapView>({ queryKey: ["map"], queryFn: ({ signal }) => request("map", { signal }), staleTime: 60_000 });
}

export function useRevisions(limit = 50, refetchInterval: number | false = false) {
  return useQuery<RevisionList>({
    queryKey: ["revisions", limit],
    queryFn: ({ signal }) => request(`revisions?limit=${limit}`, { signal }),
    refetchInterval,
  });
}

/** Every declared label, and what speaks against some. */
export function useLabels() {
  return useQuery<Labels>({
    queryKey: ["labels"],
    queryFn: ({ signal }) => request("labels", { signal }),
    staleTime: 60_000,
    // After a start they take a while to be judged.
    refetchInterval: (query) => (query.state.data ? 300_000 : 10_000),
  });
}

export function useMapCheck() {
  return useMutation({ mutationFn: (body: { file: string; text: string }) => request<MapCheck>("map/check", { body }) });
}

export function useSinglePoints() {
  return useQuery<SinglePoints>({ queryKey: ["spof"], queryFn: ({ signal }) => request("spof", { signal }), staleTime: 60_000 });
}
