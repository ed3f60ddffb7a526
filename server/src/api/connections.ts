import type { Server } from "node:http";
import type { Socket } from "node:net";
import { addressKey } from "./limits.ts";

/** More than all viewers of the stream and then some; without a bound, clients could take the sockets that polls need. */
const MAX_CONNECTIONS = 5_000;
/** What one address may hold: all viewers behind one proxy, and never all that there is, so that a monitor gets through. */
const MAX_OF_ONE = 3_000;

/** Bounds the connections of a server, of all and of one address; one too many is closed before a byte of it is read. */
export function boundConnections(server: Server): void {
  const held = new Map<string, number>();
  server.maxConnections = MAX_CONNECTIONS;
  server.prependListener("connection", (socket: Socket) => {
    const key = addressKey(socket.remoteAddress ?? "");
    const count = held.get(key) ?? 0;
    if (count >= MAX_OF_ONE) {
      socket.destroy();
      return;
    }
    held.set(key, count + 1);
    socket.once("close", () => {
      const left = (held.get(key) ?? 1) - 1;
      if (left > 0) held.set(key, left);
      else held.delete(key);
    });
  });
}
