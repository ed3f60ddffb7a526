import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { debianTool, librariesOf } from "./debian.ts";
import { freePort } from "./ports.ts";

/** A real database of its own for one test, on loopback. */
export interface Database {
  url: string;
  /** Stops its process in its tracks: connections stay open and nobody answers. (Of PostgreSQL: no new connections.) */
  stall(): void;
  resume(): void;
  /** Ends it; every connection breaks. */
  stop(): Promise<void>;
  /** Starts it again on the same port, with the same data. */
  start(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** As root a server of PostgreSQL refuses to run, so it gets the user that owns nothing. */
const NOBODY = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export async function startPostgres(): Promise<Database> {
  const server = debianTool("postgres", "postgresql");
  const env = librariesOf("postgresql");
  const folder = mkdtempSync(join(tmpdir(), "headwater-postgres-"));
  const data = join(folder, "data");
  if (NOBODY.uid !== undefined) chownSync(folder, NOBODY.uid, NOBODY.gid);
  const options = { ...NOBODY, env, cwd: folder, stdio: "ignore" } as const;
  execFileSync(
    debianTool("initdb", "postgresql"),
    ["-D", data, "-U", "shop", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C"],
    options,
  );
  const port = await freePort();
  const settings = ["-h", "127.0.0.1", "-p", String(port), "-k", folder, "-F", "-c", "jit=off", "-c", "shared_buffers=16MB"];
  const start = () => spawn(server, ["-D", data, ...settings], options);
  const isUp = () => succeeds(debianTool("pg_isready", "postgresql"), ["-h", "127.0.0.1", "-p", String(port), "-q"]);
  return database(`postgres://shop@127.0.0.1:${port}/postgres`, folder, start, isUp, "SIGINT");
}

export async function startRedis(): Promise<Database> {
  const server = debianTool("redis-server", "redis-server");
  const env = librariesOf("redis-server");
  const folder = mkdtempSync(join(tmpdir(), "headwater-redis-"));
  const port = await freePort();
  const settings = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", folder];
  const start = () => spawn(server, settings, { env, cwd: folder, stdio: "ignore" });
  const isUp = () => succeeds(debianTool("redis-cli", "redis-server"), ["-p", String(port), "ping"], env);
  return database(`redis://127.0.0.1:${port}`, folder, start, isUp, "SIGTERM");
}

/** What a command prints that redis-cli runs on it. */
export function redisCli({ url }: Database, ...args: string[]): string {
  const env = librariesOf("redis-server");
  return execFileSync(debianTool("redis-cli", "redis-server"), ["-p", new URL(url).port, ...args], { env, encoding: "utf8" });
}

async function database(
  url: string,
  folder: string,
  spawnServer: () => ChildProcess,
  isUp: () => boolean,
  end: NodeJS.Signals,
): Promise<Database> {
  let child: ChildProcess | null = null;

  async function start(): Promise<void> {
    child = spawnServer();
    const failed = once(child, "exit").then(([code]) => `${url} ended with ${code} before it was up`);
    for (let attempt = 0; !isUp(); attempt++) {
      const early = await Promise.race([failed, new Promise<null>((resolve) => setTimeout(resolve, 100, null))]);
      if (early !== null || attempt > 300) throw new Error(early ?? `${url} is not up after half a minute`);
    }
  }

  async function stop(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGCONT");
    child.kill(end);
    await gone;
  }

  await start();
  return {
    url,
    stall: () => void child?.kill("SIGSTOP"),
    resume: () => void child?.kill("SIGCONT"),
    stop,
    start,
    async remove() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function succeeds(program: string, args: string[], env: NodeJS.ProcessEnv = process.env): boolean {
  try {
    execFileSync(program, args, { env, stdio: "ignore", timeout: 2_000 });
    return true;
  } catch {
    return false;
  }
}
