import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { environmentReferences, loadConfig } from "../config/source.ts";
import { bindKeys, createDirector, keyHelp, QUIRKS, startControl, startFleet, withAddresses } from "../demo/index.ts";
import { count } from "../domain/phrases.ts";
import { printable } from "../domain/printable.ts";
import { startHeadwater } from "../main.ts";
import type { Started, StartOptions } from "../start/options.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";
import { readPort } from "./serve.ts";

const HELP = `headwater demo [--config DIR] [--data DIR] [--port PORT] [--control-port PORT] [--log LEVEL]

A simulated shop with faults to watch, and the aggregator on it.

  --config DIR        folder with the shop's map (default: config, else the shipped one)
  --data DIR          keep the history there (default: a folder that is gone afterwards)
  --port PORT         port of the board (default: the config's, else a free one)
  --control-port PORT port of the page that breaks things by hand (default: 18100, else a free one)
  --log LEVEL         what to log: debug, info, warn, error or silent (default: error)

Everything runs on 127.0.0.1. Ctrl-C ends it all.
`;

const CONTROL_PORT = 18_100;

/** Starts fleet, script, control page and aggregator, and runs until it is ended. Exit codes as those of `serve`. */
export async function demo(args: string[], io: CliIo): Promise<number> {
  let values: { config?: string; data?: string; port?: string; "control-port"?: string; log: string; help: boolean };
  try {
    ({ values } = readArgs({
      args,
      options: {
        config: { type: "string" },
        data: { type: "string" },
        port: { type: "string" },
        "control-port": { type: "string" },
        log: { type: "string", default: "error" },
        help: { type: "boolean", short: "h", default: false },
      },
    }));
  } catch (error) {
    return explain("demo", (error as Error).message, HELP, io);
  }
  if (values.help) return explain("demo", "help", HELP, io);
  const port = values.port === undefined ? undefined : readPort(values.port);
  const controlPort = values["control-port"] === undefined ? CONTROL_PORT : readPort(values["control-port"]);
  if (port === null || controlPort === null)
    return explain("demo", `--${port === null ? "port" : "control-port"} takes a whole number from 0 to 65535`, HELP, io);
  if (!isLevel(values.log)) return explain("demo", "--log takes debug, info, warn, error or silent", HELP, io);

  const configDir = values.config ?? shippedConfig(io.cwd);
  const dir = path.resolve(io.cwd, configDir);
  if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) {
    io.stderr(`headwater demo: ${printable(configDir)} is not a folder; --config names another\n`);
    return 1;
  }
  const { map, errors } = await loadConfig(dir, environmentReferences(io.env, dir), new Date().toISOString().slice(0, 10));
  if (!map) {
    const mistakes = `the map in ${configDir} has ${count(errors.length, "mistake")}`;
    io.stderr(`headwater demo: ${printable(`${mistakes}; headwater check ${configDir} tells more`)}\n`);
    return 1;
  }
  const fleet = await startFleet({ map, quirks: QUIRKS });
  const director = createDirector(fleet, {
    onAct: (act) => io.stdout(`${clock()}  ${act ? `${act.title}. ${act.watch}` : "All is mended."}\n`),
  });
  const control = await startControl(director, controlPort);
  const scratch = values.data === undefined ? mkdtempSync(path.join(tmpdir(), "headwater-demo-")) : null;
  const options: StartOptions = {
    configDir,
    dataDir: values.data ?? scratch ?? "data",
    ...(port === undefined ? {} : { port }),
    strict: false,
    io,
    adapt: (declared) => withAddresses(declared, fleet),
    logLevel: values.log,
  };
  const started = await startAnywhere(options, port === undefined);
  const cleanUp = async () => {
    director.stop();
    await control.stop();
    await fleet.stop();
    if (scratch) rmSync(scratch, { recursive: true, force: true });
  };
  if (!started.ok) {
    await cleanUp();
    io.stderr(`${started.message}\n`);
    return 1;
  }

  io.stdout(
    `\nThe board            ${started.address}\nBreak it by hand     ${control.url}\n\n` +
      `${new Set(fleet.services.map(({ service }) => service)).size} services and ${fleet.resources.length} resources run on 127.0.0.1. The first fault comes in half a minute.\n` +
      `${process.stdin.isTTY ? `Keys:\n${keyHelp(director)}\n` : ""}\n`,
  );
  return await new Promise((resolve) => {
    let ending = false;
    const quit = () => {
      if (ending) process.exit(1);
      ending = true;
      unbind();
      void started
        .stop()
        .then(cleanUp)
        .then(() => resolve(0));
    };
    const unbind = bindKeys(process.stdin, director, quit);
    process.on("SIGINT", quit);
    process.on("SIGTERM", quit);
  });
}

/** On the port asked for; where nobody asked and the config's is taken, on a free one. */
async function startAnywhere(options: StartOptions, anyPort: boolean): Promise<Started> {
  const started = await startHeadwater(options);
  return !started.ok && started.because === "port" && anyPort ? startHeadwater({ ...options, port: 0 }) : started;
}

/** The folder `config` where one is, else that of the repository this file was built in. */
function shippedConfig(cwd: string): string {
  return existsSync(path.join(cwd, "config", "map")) ? "config" : fileURLToPath(new URL("../../../config", import.meta.url));
}

function isLevel(text: string): text is NonNullable<StartOptions["logLevel"]> {
  return ["debug", "info", "warn", "error", "silent"].includes(text);
}

function clock(): string {
  return new Date().toTimeString().slice(0, 8);
}
