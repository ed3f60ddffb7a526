import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Board, Staleness } from "../../server/src/contract/index.ts";

const CLI = new URL("../../server/dist/cli.js", import.meta.url).pathname;

/** A folder of its own for one test: `config/`, `data/`, gone afterwards. */
export function scratchFolder(): {
  path: string;
  config: string;
  data: string;
  write: (file: string, text: string) => void;
  remove: () => void;
} {
  const path = mkdtempSync(join(tmpdir(), "headwater-test-"));
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(path, file)), { recursive: true });
    writeFileSync(join(path, file), text);
  };
  mkdirSync(join(path, "config/map"), { recursive: true });
  return {
    path,
    config: join(path, "config"),
    data: join(path, "data"),
    write,
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

export interface Running {
  address: string;
  child: ChildProcess;
  /** All that the process has printed so far. */
  output: () => string;
  get: (path: string, init?: RequestInit) => Promise<Response>;
  board: () => Promise<Board>;
  staleness: () => Promise<Staleness & { code: number }>;
  /** Sends the signal and gives the exit code. */
  end: (signal?: NodeJS.Signals) => Promise<number | null>;
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a command of the built product to its end. */
export function runCli(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CLI, ...args], { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
    let stdout = "";
    let stderr = "";
    child.stdout.on("data", (text) => (stdout += text));
    child.stderr.on("data", (text) => (stderr += text));
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Starts `serve` on a free port and waits for the address that it prints; rejects with its words when it ends before. */
export function startServe(
  folder: { config: string; data: string },
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<Running> {
  const child = spawn(process.execPath, [CLI, "serve", "--config", folder.config, "--data", folder.data, "--port", "0", ...args], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const exited = new Promise<number | null>((resolve) => child.once("close", resolve));
  return new Promise((resolve, reject) => {
    const read = (text: Buffer) => {
      output += text;
      const address = /Headwater is at (http:\S+)/.exec(output)?.[1]?.replace(/\/$/, "");
      if (address === undefined) return;
      const get = (path: string, init?: RequestInit) => fetch(`${address}${path}`, init);
      resolve({
        address,
        child,
        output: () => output,
        get,
        board: async () => (await (await get("/api/v1/board")).json()) as Board,
        staleness: async () => {
          const answer = await get("/staleness");
          return { ...((await answer.json()) as Staleness), code: answer.status };
        },
        end: (signal = "SIGTERM") => {
          child.kill(signal);
          return exited;
        },
      });
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    void exited.then((code) => reject(new Error(`serve ended with ${code}:\n${output}`)));
  });
}

/** Asks every 50 ms until the answer satisfies; rejects after `within` milliseconds with what was seen last. */
export async function eventually<T>(what: string, ask: () => Promise<T>, satisfied: (seen: T) => boolean, within = 20_000): Promise<T> {
  const until = performance.now() + within;
  for (;;) {
    const seen = await ask();
    if (satisfied(seen)) return seen;
    if (performance.now() > until) throw new Error(`${what}: not within ${within} ms; last seen ${JSON.stringify(seen)?.slice(0, 1_500)}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
