import { QueryClient } from "@tanstack/react-query";
import { ApiError } from "./client.ts";

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
