import { useQuery } from "@tanstack/react-query";
import type { NodeDetail, NodeHistory, WhatIf } from "headwater/contract";
import { request } from "./client.ts";

export function useNode(id: string, refetchInterval: number | false = 5_000) {
  return useQuery<NodeDetail>({
    queryKey: ["node", id],
    queryFn: ({ signal }) => request(`nodes/${encodeURIComponent(id)}`, { signal }),
    refetchInterval,
    staleTime: 2_000,
  });
}

export function useWhatIf(id: string) {
  return useQuery<WhatIf>({
    queryKey: ["whatif", id],
    queryFn: ({ signal }) => request(`nodes/${encodeURIComponent(id)}/whatif`, { signal }),
    staleTime: 60_000,
  });
}

export function useNodeHistory(id: string, hours: number) {
  return useQuery<NodeHistory>({
    queryKey: ["history", id, hours],
    queryFn: ({ signal }) => {
      const to = Date.now();
      const params = new URLSearchParams({ from: new Date(to - hours * 3_600_000).toISOString(), to: new Date(to).toISOString() });
      return request(`nodes/${encodeURIComponent(id)}/history?${params}`, { signal });
    },
    refetchInterval: hours <= 1 ? 10_000 : 60_000,
    placeholderData: (before) => before,
  });
}
