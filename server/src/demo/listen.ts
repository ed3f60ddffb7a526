import { once } from "node:events";
import type { AddressInfo, Server, Socket } from "node:net";

/** Listens on a port of 127.0.0.1, a free one where it is 0; the port that it got. */
export async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** The same, with a free port where the wanted one is taken. */
export async function listenNear(server: Server, port: number): Promise<number> {
  try {
    return await listen(server, port);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return listen(server, 0);
  }
}

/** Keeps the sockets of a server, so that it can be closed at once. */
export function trackSockets(server: Server): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
  });
  return sockets;
}

/** Ends a server and all its connections; resolves when the port is free. */
export async function shut(server: Server, sockets: ReadonlySet<Socket>): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  for (const socket of sockets) socket.destroy();
  await closed;
}
