#!/usr/bin/env node
import type { CliIo } from "./cli/io.ts";
import { Suggester } from "./config/suggest.ts";
import { printable } from "./domain/printable.ts";
import { VERSION } from "./version.ts";

/** Something that was printed is lost. */
let isCut = false;

type Command = (args: string[], io: CliIo) => Promise<number>;

/** One line of help and the loader of each command; loaded only when asked for, so that `--help` is instant. */
const COMMANDS: Record<string, { about: string; load: () => Promise<Command> }> = {
  serve: { about: "run the aggregator and its board", load: async () => (await import("./cli/serve.ts")).serve },
  demo: {
    about: "a simulated shop with faults to watch, and the aggregator on it",
    load: async () => (await import("./cli/demo.ts")).demo,
  },
  status: { about: "tell on one screen how things are, by a running server", load: async () => (await import("./cli/status.ts")).status },
  init: {
    about: "a first map from deep endpoints, Compose, Kubernetes, Backstage or traces",
    load: async () => (await import("./cli/init.ts")).init,
  },
  check: { about: "validate the map: every mistake with file, line and column", load: async () => (await import("./cli/check.ts")).check },
  drift: {
    about: "compare the map with what Compose, Kubernetes, Backstage, traces or reports show",
    load: async () => (await import("./cli/drift.ts")).drift,
  },
  diff: { about: "tell what a change of the map changes, and who is affected", load: async () => (await import("./cli/diff.ts")).diff },
  probes: {
    about: "lint Kubernetes, Cloud Run, Compose, Docker and App Service probes against the map",
    load: async () => (await import("./cli/probes.ts")).probes,
  },
  schema: { about: "print the JSON Schema of the map's files", load: async () => (await import("./cli/schema.ts")).schema },
  probe: {
    about: "poll one deep endpoint once and tell what Headwater makes of the answer",
    load: async () => (await import("./cli/probe.ts")).probe,
  },
  whatif: { about: "tell what the failure of one node would do", load: async () => (await import("./cli/whatif.ts")).whatif },
  spof: { about: "rank the single points of failure of a map", load: async () => (await import("./cli/spof.ts")).spof },
  labels: {
    about: "tell which labels of the map are in doubt, by history and reports",
    load: async () => (await import("./cli/labels.ts")).labels,
  },
  replay: { about: "run a recording through damping and analysis", load: async () => (await import("./cli/replay.ts")).replay },
  export: { about: "write history as a recording or as CSV", load: async () => (await import("./cli/export.ts")).exportHistory },
  backup: { about: "copy the history while the server runs", load: async () => (await import("./cli/backup.ts")).backup },
  doctor: { about: "check the history's integrity and tell its sizes", load: async () => (await import("./cli/doctor.ts")).doctor },
};

function help(): string {
  const width = Math.max(...Object.keys(COMMANDS).map((name) => name.length));
  const lines = Object.entries(COMMANDS).map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}`);
  return `headwater ${VERSION}: tells the cause of an outage from its symptoms\n\nUsage: headwater <command> [options]\n\n${lines.join("\n")}\n\nheadwater <command> --help tells a command's options.\n`;
}

async function main(args: string[]): Promise<number> {
  const io: CliIo = {
    stdout: (text) => void process.stdout.write(text),
    stderr: (text) => void process.stderr.write(text),
    env: process.env,
    cwd: process.cwd(),
    colour: process.stdout.isTTY === true && !process.env.NO_COLOR,
  };
  const [name, ...rest] = args;
  if (name === "--version" || name === "-V") {
    io.stdout(`${VERSION}\n`);
    return 0;
  }
  if (name === "help" && rest[0] !== undefined) return main([rest[0], "--help"]);
  if (name === "--help" || name === "-h" || name === "help") {
    io.stdout(help());
    return 0;
  }
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (name === undefined || !command) {
    io.stderr(name === undefined ? help() : `headwater: ${noCommand(name)}\nheadwater --help lists the commands.\n`);
    return 2;
  }
  const run = await command.load();
  try {
    return await run(rest, io);
  } catch (error) {
    const reason = systemError(error);
    if (reason === null) throw error;
    io.stderr(`headwater ${name}: ${printable(reason)}\n`);
    return 1;
  }
}

function noCommand(name: string): string {
  const shown = printable(name.slice(0, 40));
  if (name.startsWith("-")) return `the command comes before its options, as in headwater serve ${shown}`;
  return `there is no command "${shown}"${new Suggester().hint(name, Object.keys(COMMANDS))}`;
}

/** What the system refused, such as a folder that may not be read, in a sentence; null for a mistake of ours, which keeps its trace. */
function systemError(error: unknown): string | null {
  const { code, syscall, path, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined || code === undefined) return null;
  const why = /^[A-Z0-9]+: ([^,]+)/.exec(message ?? "")?.[1];
  return `${path ?? syscall}: ${why === undefined ? code : `${why} (${code})`}`;
}

// A closed pipe (`headwater check | head`) is the reader's wish, not a failure; a full disk is one: what is missing was asked for.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(0);
  process.stderr.write(`headwater: what was to be printed could not be written (${error.code})\n`);
  isCut = true;
  process.exitCode = 1;
});

// Nor may a log that nobody reads any more end the aggregator.
process.stderr.on("error", () => undefined);

const code = await main(process.argv.slice(2));
process.exitCode = isCut ? 1 : code;
