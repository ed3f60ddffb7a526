import { createServer, type Socket } from "node:net";
import type { ResourceFault } from "./faults.ts";
import { listen, shut, trackSockets } from "./listen.ts";

/** A stand-in for a database, cache, queue or outside service: answers `pong` to each line, over real connections. */
export interface Resource {
  readonly id: string;
  readonly port: number;
  readonly fault: ResourceFault | null;
  setFault(fault: ResourceFault | null): Promise<void>;
  stop(): Promise<void>;
}

const SLOW_MS = 2_500;

export async function startResource(id: string): Promise<Resource> {
  let fault: ResourceFault | null = null;
  let asked = 0;
  const server = createServer((socket) => socket.on("data", (data) => answer(socket, data)));
  const sockets = trackSockets(server);
  const port = await listen(server, 0);

  function answer(socket: Socket, data: Buffer): void {
    for (const byte of data) {
      if (byte !== 10) continue;
      asked++;
      if (fault === "flaky" && asked % 2 === 0) socket.destroy();
      else setTimeout(() => socket.writable && socket.write("pong\n"), fault === "slow" ? SLOW_MS : 1 + Math.random() * 4).unref();
    }
  }

  return {
    id,
    port,
    get fault() {
      return fault;
    },
    async setFault(next) {
      fault = next;
      if (fault === "down") await shut(server, sockets);
      else if (!server.listening) await listen(server, port);
    },
    stop: () => shut(server, sockets),
  };
}
