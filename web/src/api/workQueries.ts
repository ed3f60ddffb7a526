import { useMutation, useQuery } from "@tanstack/react-query";
import type { ChangeList, MaintenanceList, MaintenanceView } from "headwater/contract";
import { request } from "./client.ts";
import { queryClient } from "./queryClient.ts";

export interface ChangeInput {
  node?: string;
  text: string;
  link?: string;
  at?: string;
  name?: string;
}

/** Marks a deploy or another change; every timeline may hold it. */
export function useMarkChange() {
  return useMutation({
    mutationFn: (body: ChangeInput) => request<unknown>("changes", { body }),
    onSuccess: () => {
      for (const key of ["changes", "incident", "history"]) void queryClient.invalidateQueries({ queryKey: [key] });
    },
  });
}

/** Changes marked within the last `days`, newest first. */
export function useChanges(days: number) {
  return useQuery<ChangeList>({
    queryKey: ["changes", days],
    queryFn: ({ signal }) =>
      request(`changes?from=${encodeURIComponent(new Date(Date.now() - days * 86_400_000).toISOString())}`, { signal }),
    refetchInterval: 60_000,
  });
}

/** Announced work that is not over. */
export function useWorks() {
  return useQuery<MaintenanceList>({
    queryKey: ["works"],
    queryFn: ({ signal }) => request("maintenance", { signal }),
    refetchInterval: 60_000,
  });
}

export interface WorkInput {
  nodes: string[];
  from?: string;
  to: string;
  reason: string;
  name?: string;
}

const worksMoved = (): void => {
  for (const key of ["works", "incident"]) void queryClient.invalidateQueries({ queryKey: [key] });
};

export function useAnnounceWork() {
  return useMutation({ mutationFn: (body: WorkInput) => request<MaintenanceView>("maintenance", { body }), onSuccess: worksMoved });
}

export function useEndWork() {
  return useMutation({
    mutationFn: (id: number) => request<MaintenanceView>(`maintenance/${id}`, { method: "DELETE" }),
    onSuccess: worksMoved,
  });
}
