import { useMutation, useQuery } from "@tanstack/react-query";
import type { Incident, IncidentDetail, IncidentList } from "headwater/contract";
import { getBoard, setBoard } from "./boardQueries.ts";
import { request } from "./client.ts";
import { queryClient } from "./queryClient.ts";

/** What is asked of the list of incidents; times are epoch milliseconds. */
export interface IncidentFilter {
  open?: boolean;
  from?: number;
  node?: string;
  system?: string;
  team?: string;
  limit?: number;
  cursor?: string;
}

export function useIncidents(filter: IncidentFilter, refetchInterval = 60_000) {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(filter))
    params.set(key, key === "from" ? new Date(Number(value)).toISOString() : String(value));
  return useQuery<IncidentList>({
    queryKey: ["incidents", params.toString()],
    queryFn: ({ signal }) => request(`incidents?${params}`, { signal }),
    refetchInterval,
    placeholderData: (before) => before,
  });
}

export function useIncident(id: number) {
  return useQuery<IncidentDetail>({
    queryKey: ["incident", id],
    queryFn: ({ signal }) => request(`incidents/${id}`, { signal }),
    refetchInterval: 15_000,
  });
}

export const fetchIncident = (id: number): Promise<IncidentDetail> =>
  queryClient.fetchQuery({
    queryKey: ["incident", id],
    queryFn: ({ signal }) => request<IncidentDetail>(`incidents/${id}`, { signal }),
    staleTime: 5_000,
  });

/** Takes over an incident that a write answered with, so that the page shows it before the stream does. */
function adopt(incident: Incident): void {
  const board = getBoard();
  if (board) setBoard({ ...board, incidents: board.incidents.map((one) => (one.id === incident.id ? incident : one)) });
  void queryClient.invalidateQueries({ queryKey: ["incident", incident.id] });
  void queryClient.invalidateQueries({ queryKey: ["incidents"] });
}

export interface AckInput {
  note?: string;
  name?: string;
  expires_in?: string;
  clear?: boolean;
}

export function useAcknowledge(id: number) {
  return useMutation({
    mutationFn: (body: AckInput) => request<Incident>(`incidents/${id}/ack`, { body }),
    onSuccess: (incident) => adopt(incident),
  });
}

export function useAddNote(id: number) {
  return useMutation({
    mutationFn: (body: { text: string; name?: string }) => request<Incident>(`incidents/${id}/notes`, { body }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ["incident", id] }),
  });
}
