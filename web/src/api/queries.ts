import { QueryClient, useMutation, useQuery } from "@tanstack/react-query";
import type {
  Availability,
  Board,
  ChangeList,
  DayStrips,
  Incident,
  IncidentDetail,
  IncidentList,
  Labels,
  MaintenanceList,
  MaintenanceView,
  MapCheck,
  MapView,
  NodeDetail,
  NodeHistory,
  RevisionList,
  Session,
  SinglePoints,
  Stats,
  Strips,
  Version,
  WhatIf,
} from "headwater/contract";
import { ApiError, request } from "./client.ts";

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The stream tells when the line is down; the browser's own idea of being online says nothing about it.
      networkMode: "always",
      refetchOnWindowFocus: false,
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
    mutations: { networkMode: "always" },
  },
});

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

export function useStrips() {
  return useQuery<Strips>({ queryKey: ["strips"], queryFn: ({ signal }) => request("strips", { signal }), refetchInterval: 120_000 });
}

/** The last ninety days of every node and system, a cell a UTC day. */
export function useDayStrips() {
  return useQuery<DayStrips>({
    queryKey: ["day-strips"],
    queryFn: ({ signal }) => request("strips/days", { signal }),
    refetchInterval: 600_000,
    staleTime: 60_000,
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

export function useNode(id: string, refetchInterval: number | false = 5_000) {
  return useQuery<NodeDetail>({
    queryKey: ["node", id],
    queryFn: ({ signal }) => request(`nodes/${encodeURIComponent(id)}`, { signal }),
    refetchInterval,
    staleTime: 2_000,
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

export function useWhatIf(id: string) {
  return useQuery<WhatIf>({
    queryKey: ["whatif", id],
    queryFn: ({ signal }) => request(`nodes/${encodeURIComponent(id)}/whatif`, { signal }),
    staleTime: 60_000,
  });
}

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

export function useAvailability(kind: "node" | "system", id: string, days: number) {
  return useQuery<Availability>({
    queryKey: ["availability", kind, id, days],
    queryFn: ({ signal }) => {
      const to = Date.now();
      const params = new URLSearchParams({
        [kind]: id,
        from: new Date(to - days * 86_400_000).toISOString(),
        to: new Date(to).toISOString(),
      });
      return request(`availability?${params}`, { signal });
    },
    staleTime: 300_000,
  });
}

/** The build that answers; asked for anew when the server's boot changes. */
export function useVersion(boot: string | undefined) {
  return useQuery<Version>({
    queryKey: ["version", boot],
    queryFn: ({ signal }) => request("version", { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: boot !== undefined,
    placeholderData: (before) => before,
  });
}

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

export function useMapCheck() {
  return useMutation({ mutationFn: (body: { file: string; text: string }) => request<MapCheck>("map/check", { body }) });
}

/** Who is asking; the server answers this to everybody. */
export function useSession() {
  return useQuery<Session>({ queryKey: ["session"], queryFn: ({ signal }) => request("session", { signal }), staleTime: 60_000 });
}

/** Asks who we are, now. */
export const fetchSession = (): Promise<Session> => request<Session>("session");

/** Whether this reader may acknowledge and note. Until the answer is here nothing is offered that may be refused. */
export function useMayWrite(): boolean {
  return useSession().data?.user?.role === "operator";
}

export function useLogout() {
  return useMutation({
    mutationFn: () => request<Session>("session", { method: "DELETE" }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
}

export function useStats(days: number) {
  return useQuery<Stats>({
    queryKey: ["stats", days],
    queryFn: ({ signal }) => {
      const to = Date.now();
      const params = new URLSearchParams({ from: new Date(to - days * 86_400_000).toISOString(), to: new Date(to).toISOString() });
      return request(`stats?${params}`, { signal });
    },
    staleTime: 60_000,
    placeholderData: (before) => before,
  });
}

export function useSinglePoints() {
  return useQuery<SinglePoints>({ queryKey: ["spof"], queryFn: ({ signal }) => request("spof", { signal }), staleTime: 60_000 });
}

export function useLogin() {
  return useMutation({ mutationFn: (body: { token: string }) => request<Session>("session", { body }) });
}
