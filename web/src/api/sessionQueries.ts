import { useMutation, useQuery } from "@tanstack/react-query";
import type { Session, Version } from "headwater/contract";
import { request } from "./client.ts";
import { queryClient } from "./queryClient.ts";

/** Who is asking; the server answers this to everybody. */
export function useSession() {
  return useQuery<Session>({ queryKey: ["session"], queryFn: ({ signal }) => request("session", { signal }), staleTime: 60_000 });
}

/** Asks who we are, now. */
export const fetchSession = (): Promise<Session> => request<Session>("session");

/** Whether this reader may acknowledge and note; not until the answer is here: nothing is offered that may be refused. */
export function useMayWrite(): boolean {
  return useSession().data?.user?.role === "operator";
}

export function useLogout() {
  return useMutation({
    mutationFn: () => request<Session>("session", { method: "DELETE" }),
    onSuccess: () => queryClient.invalidateQueries(),
  });
}

export function useLogin() {
  return useMutation({ mutationFn: (body: { token: string }) => request<Session>("session", { body }) });
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
