import { connect, type Socket } from "node:net";
import { CheckFailure } from "../reporter/index.ts";

/** A service's own connections to one resource: a few, reused, and gone when they leak. */
export interface Pool {
  /** One cheap question over a free connection; rejects when there is none, or no answer. */
  ask(signal: AbortSignal): Promise<void>;
  /** Takes one connection and never gives it back. */
  leak(): void;
  /** Gives back all that leaked. */
  mend(): void;
  close(): void;
}

export function createPool(port: number, size: number): Pool {
  const idle: Socket[] = [];
  const open = new Set<Socket>();
  let inUse = 0;
  let leaked = 0;

  async function ask(signal: AbortSignal): Promise<void> {
    if (inUse + leaked >= size) throw new CheckFailure(`pool exhausted: ${inUse + leaked} of ${size} connections in use`);
    inUse++;
    try {
      const socket = idle.pop() ?? (await dial(signal));
      await question(socket, signal);
      idle.push(socket);
    } finally {
      inUse--;
    }
  }

  function dial(signal: AbortSignal): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ host: "127.0.0.1", port, signal });
      open.add(socket);
      socket.once("connect", () => resolve(socket));
      socket.on("error", reject);
      socket.once("close", () => {
        open.delete(socket);
        const place = idle.indexOf(socket);
        if (place >= 0) idle.splice(place, 1);
      });
    });
  }

  return {
    ask,
    leak() {
      leaked = Math.min(size, leaked + 1);
    },
    mend() {
      leaked = 0;
    },
    close() {
      for (const socket of open) socket.destroy();
    },
  };
}

/** Asks and waits for the answer; a connection whose answer did not come in time is of no further use. */
function question(socket: Socket, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const finish = (error?: Error) => {
      socket.off("data", answered).off("close", closed);
      signal.removeEventListener("abort", late);
      if (!error) return resolve();
      socket.destroy();
      reject(error);
    };
    const answered = () => finish();
    const closed = () => finish(new CheckFailure("connection closed"));
    const late = () => finish(signal.reason);
    socket.once("data", answered).once("close", closed);
    signal.addEventListener("abort", late);
    socket.write("ping\n");
  });
}
