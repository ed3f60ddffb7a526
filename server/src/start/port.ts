import { createServer } from "node:net";
import type { AggregatorConfig } from "../domain/config.ts";

/** A sentence when somebody has the port, null when it can be had; tried before anything on disk is touched. */
export function portTaken({ host, port }: AggregatorConfig["listen"]): Promise<string | null> {
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "somebody else listens there" : (error.code ?? error.message);
      resolve(`cannot listen on ${host}:${port}: ${why}; --port and --host name another place`);
    });
    trial.listen(port, host, () => trial.close(() => resolve(null)));
  });
}

/** Where a browser on this machine finds the board; `bound` is what the listening socket says. */
export function addressOf(bound: ReturnType<ReturnType<typeof createServer>["address"]>, listen: AggregatorConfig["listen"]): string {
  const port = typeof bound === "object" && bound ? bound.port : listen.port;
  const anywhere = listen.host === "0.0.0.0" || listen.host === "::";
  const host = anywhere ? "127.0.0.1" : listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  return `http://${host}:${port}${listen.basePath.replace(/\/*$/, "/")}`;
}
