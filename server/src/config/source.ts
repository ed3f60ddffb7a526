import type { MapFile } from "../domain/history.ts";
import { gitCommit } from "./commit.ts";
import { codeOf, type FileSet, readFiles, stamp } from "./files.ts";
import { type Parsed, parseConfig, type SourceFile } from "./parse.ts";
import type { ReferenceMode } from "./references.ts";

export { environmentReferences } from "./environment.ts";
export { readFiles } from "./files.ts";

/** A configuration as found on disk, accepted or not. */
export interface Loaded extends Parsed {
  /** SHA-256 over the files, hex. */
  hash: string;
  commit: string | null;
  /** As text, references unreplaced: fit to be kept. */
  files: readonly MapFile[];
}

/** The files of a configuration folder, not judged yet. */
export interface Found {
  set: FileSet;
  commit: string | null;
}

/** A set of files with what was read in it. */
export function loadedOf({ set, commit }: Found, parsed: Parsed): Loaded {
  const warnings = [...parsed.warnings, ...set.ignored].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
  return { ...parsed, warnings, hash: set.hash, commit, files: set.files.map(({ path, text }) => ({ path, text })) };
}

/** Reads the files of a configuration folder. Throws where it cannot be listed. */
export async function findConfig(dir: string): Promise<Found> {
  const [set, commit] = await Promise.all([readFiles(dir), gitCommit(dir)]);
  return { set, commit };
}

/** Reads and judges a configuration folder once. `today` is `YYYY-MM-DD`. Throws where the folder cannot be listed. */
export async function loadConfig(dir: string, references: ReferenceMode, today: string): Promise<Loaded> {
  const found = await findConfig(dir);
  return loadedOf(found, parseConfig(found.set.files, references, today));
}

export interface SourceOptions {
  /** Reads a set of files, where it takes no poll's time. */
  parse: (files: readonly SourceFile[]) => Parsed | Promise<Parsed>;
  /** Gets each changed configuration once it has stood still, accepted or not; waited for before the next look. */
  onLoaded: (loaded: Loaded) => unknown;
  /** The folder could not be listed, or `onLoaded` threw; the source goes on looking. */
  onError?: (reason: string) => void;
  /** Hash of the configuration that is in use already. */
  handed?: string | null;
  /** Milliseconds between two looks. */
  every?: number;
  /** Calls back after some milliseconds; returns what cancels it. */
  after?: (ms: number, run: () => void) => () => void;
}

export interface ConfigSource {
  /** Looks now, and from then on. */
  start(): void;
  /** Hands the configuration on even if its files did not change: references may have. For SIGHUP. */
  reload(): void;
  stop(): void;
}

/** Contents are read at least every so many looks, whatever `stat` says. */
const FULL_LOOK = 30;

function afterTimeout(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

/**
 * Watches a configuration folder by looking at it every second; no file events, which miss the swap of a ConfigMap's
 * link and network drives. A set of files is handed on only after two looks in a row found it the same.
 */
export function createSource(dir: string, options: SourceOptions): ConfigSource {
  const { every = 1_000, after = afterTimeout } = options;
  let handed = options.handed ?? null;
  let seen: { hash: string; stamp: string } | null = null;
  let forced = false;
  let looks = 0;
  let running = false;
  let stopped = true;
  let cancel = () => {};

  /** What has stood still and is to be handed on; null where nothing is. */
  async function look(): Promise<Loaded | null> {
    const now = await stamp(dir);
    const settled = seen !== null && seen.hash === handed && !forced;
    if (settled && seen?.stamp === now && ++looks % FULL_LOOK !== 0) return null;
    const set = await readFiles(dir);
    const stable = seen?.hash === set.hash;
    seen = { hash: set.hash, stamp: now };
    if (!stable || (set.hash === handed && !forced)) return null;
    const commit = await gitCommit(dir);
    forced = false;
    handed = set.hash;
    return loadedOf({ set, commit }, await options.parse(set.files));
  }

  async function turn(): Promise<void> {
    if (running || stopped) return;
    running = true;
    try {
      const loaded = await look().catch((error: unknown) => {
        options.onError?.(`the configuration folder cannot be read (${codeOf(error)})`);
        return null;
      });
      if (loaded !== null && !stopped) await options.onLoaded(loaded);
    } catch (error) {
      options.onError?.(`the configuration could not be taken over: ${error instanceof Error ? error.message : "unknown"}`);
    } finally {
      running = false;
      if (!stopped) cancel = after(every, () => void turn());
    }
  }

  return {
    start() {
      if (!stopped) return;
      stopped = false;
      void turn();
    },
    reload() {
      forced = true;
      seen = null;
    },
    stop() {
      stopped = true;
      cancel();
    },
  };
}
