import { createServer, type RequestListener, type Server } from "node:http";
import { boundConnections } from "./connections.ts";

/** Milliseconds for all but the header's size; the app's own server has the same. */
export const SERVER_LIMITS = {
  // Set together: a request must arrive within 15 s, an idle connection is kept for 65 s (longer than the 60 s of
  // most proxies), a stuck one is cut after 120 s; event streams say something every 10 s.
  requestTimeout: 15_000,
  keepAliveTimeout: 65_000,
  connectionTimeout: 120_000,
  // A request without Host gets our own refusal, or the answer of a probe.
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, maxHeaderSize: 16 * 1024, requireHostHeader: false },
};

/** A server with the bounds of the app's own, for a port that is open before there is an app. */
export function createWebServer(answer: RequestListener): Server {
  const { requestTimeout, keepAliveTimeout, connectionTimeout, http } = SERVER_LIMITS;
  const server = createServer({ ...http, requestTimeout, keepAliveTimeout }, answer);
  server.setTimeout(connectionTimeout);
  boundConnections(server);
  return server;
}
