import { printable } from "../domain/printable.ts";
import { startHeadwater } from "../main.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";

const HELP = `headwater serve [--config DIR] [--data DIR] [--host HOST] [--port PORT] [--strict]

Runs the aggregator and its board.

  --config DIR   folder with headwater.yaml and map/*.yaml (default: config)
  --data DIR     folder for the history, created where missing (default: data)
  --host HOST    address to listen on (default: the config's, else 127.0.0.1)
  --port PORT    port to listen on, 0 for any free one (default: the config's, else 8080)
  --strict       refuse to start on a broken map, even where history has an accepted one

SIGHUP reads the map again; SIGTERM drains and exits 0, a second one ends at once.
`;

/** Runs until a signal ends it. Exit codes: 0 after an orderly end, 1 when it cannot start, 2 for wrong usage. */
export async function serve(args: string[], io: CliIo): Promise<number> {
  let values: { config: string; data: string; host?: string; port?: string; strict: boolean; help: boolean };
  try {
    ({ values } = readArgs({
      args,
      options: {
        config: { type: "string", default: "config" },
        data: { type: "string", default: "data" },
        host: { type: "string" },
        port: { type: "string" },
        strict: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }));
  } catch (error) {
    return explain("serve", (error as Error).message, HELP, io);
  }
  if (values.help) return explain("serve", "help", HELP, io);
  const port = values.port === undefined ? undefined : readPort(values.port);
  if (port === null) return explain("serve", `--port takes a whole number from 0 to 65535, not "${values.port}"`, HELP, io);
  const started = await startHeadwater({
    configDir: values.config,
    dataDir: values.data,
    ...(values.host === undefined ? {} : { host: values.host }),
    ...(port === undefined ? {} : { port }),
    strict: values.strict,
    io,
  });
  if (!started.ok) {
    io.stderr(started.message.endsWith("\n") ? started.message : `${started.message}\n`);
    return 1;
  }
  const { estimate, limit } = started.history;
  // In one piece: whoever reads no further than the address closes the pipe, which ends a command that writes on.
  const size = `The history of this map will take about ${megabytes(estimate)}; the limit is ${megabytes(limit)}.`;
  io.stdout(`Headwater is at ${started.address}\n${size}\n`);
  if (started.live.snapshot().map.nodes.size === 0)
    io.stderr(
      `headwater serve: the map in ${printable(values.config)} is empty; headwater init writes a first one, --config names another\n`,
    );
  return await untilSignal(started.stop, started.reload, io);
}

/** A port as it is written; null for anything else. */
export function readPort(text: string): number | null {
  return /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null;
}

function megabytes(bytes: number): string {
  return bytes < 1e9 ? `${Math.max(1, Math.round(bytes / 1e6))} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** SIGTERM and SIGINT stop in order; a second one, or ten seconds, end at once. */
function untilSignal(stop: () => Promise<void>, reload: () => void, io: CliIo): Promise<number> {
  return new Promise((resolve) => {
    let stopping = false;
    const end = () => {
      if (stopping) process.exit(1);
      stopping = true;
      setTimeout(() => process.exit(1), 10_000).unref();
      stop().then(
        () => resolve(0),
        (error: Error) => {
          io.stderr(`headwater serve: the end was not orderly: ${error.message}\n`);
          resolve(1);
        },
      );
    };
    process.on("SIGTERM", end);
    process.on("SIGINT", end);
    process.on("SIGHUP", reload);
  });
}
