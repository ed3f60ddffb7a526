import { existsSync } from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { type Alerting, startAlerts } from "./alerts/index.ts";
import { buildApp } from "./api/app.ts";
import { mayListen } from "./api/auth.ts";
import type { CliIo } from "./cli/io.ts";
import { AGGREGATOR_FILE, type Parsed, parseConfig, type References } from "./config/parse.ts";
import { parseAside } from "./config/parse-aside.ts";
import { createSource, environmentReferences, type Loaded, loadConfig } from "./config/source.ts";
import type { AggregatorConfig } from "./domain/config.ts";
import type { Restored } from "./domain/history.ts";
import type { Live, MapInfo } from "./domain/live.ts";
import { type Problem, polledServices, type SystemMap } from "./domain/map.ts";
import { Engine } from "./engine/engine.ts";
import { heap } from "./heap.ts";
import { keepLabels } from "./labels/keeper.ts";
import { createLog } from "./log.ts";
import { startHeartbeat } from "./poller/heartbeat.ts";
import { createPoller } from "./poller/poller.ts";
import { keepDiffs } from "./revisions/keeper.ts";
import { stateCodec } from "./state/serialise.ts";
import { databaseFile } from "./store/database.ts";
import { estimateSize, openStore, type Store, StoreOpenError } from "./store/index.ts";
import { VERSION } from "./version.ts";

export interface StartOptions {
  configDir: string;
  dataDir: string;
  /** Both win over the config's. */
  host?: string;
  port?: number;
  /** Refuse to start on a broken map even where history has an accepted one. */
  strict: boolean;
  io: CliIo;
  /** Changes each map that is read before it is used: the demo's services may have had to move to other ports. */
  adapt?: (map: SystemMap) => SystemMap;
  /** Wins over the config's. */
  logLevel?: AggregatorConfig["log"]["level"];
}

export type Started =
  | {
      ok: true;
      address: string;
      live: Live;
      /** Bytes that the history will take for this map once every retention is full, and the most that it may. */
      history: { estimate: number; limit: number };
      reload: () => void;
      stop: () => Promise<void>;
    }
  | { ok: false; because: "port" | "other"; message: string };

/** What is run with: the map on disk, or the last accepted one where that is broken. */
interface Settled {
  config: AggregatorConfig;
  map: SystemMap;
  info: MapInfo;
  /** The map that ran before, where it is another one. */
  before: SystemMap | null;
}

/** Polls under way get this long at a shutdown, or their own timeout where all are shorter. */
const GRACE_MS = 5_000;
/** And alerts that wait for their receivers this long. */
const ALERTS_GRACE_MS = 2_000;
/** Requests under way get this long after that. */
const CLOSE_MS = 1_000;

/**
 * Builds and starts the whole aggregator, and touches nothing before it is known to work:
 * 1. read the map; 2. may we listen there, and is the port free; 3. open the history; 4. settle on a map;
 * 5. restore the state; 6. listen; 7. poll. Expected failures come back as one sentence each.
 */
export async function startHeadwater(options: StartOptions): Promise<Started> {
  const { io } = options;
  heap.begin();
  const configDir = path.resolve(io.cwd, options.configDir);
  const dataDir = path.resolve(io.cwd, options.dataDir);
  const references = environmentReferences(io.env, configDir);

  if (!existsSync(configDir) && !existsSync(databaseFile(dataDir)))
    return failure(`there is no configuration folder ${options.configDir}; --config names another`);
  const adapted = <T extends Parsed>(parsed: T): T =>
    parsed.map && options.adapt ? { ...parsed, map: options.adapt(parsed.map) } : parsed;
  let loaded: Loaded;
  try {
    loaded = adapted(await loadConfig(configDir, references, today()));
  } catch (error) {
    return failure(`the configuration folder ${options.configDir} cannot be read (${codeOf(error)}); --config names another`);
  }
  if (loaded.errors.length > 0) {
    io.stderr(`${loaded.errors.map(sentence).join("\n")}\n`);
    const mistakes = `the map has ${count(loaded.errors.length, "mistake")}`;
    if (options.strict) return failure(`${mistakes}, and --strict asks for none`);
    if (!existsSync(databaseFile(dataDir))) return failure(`${mistakes}, and the history has no accepted map to start on`);
  }

  // A broken map says nothing about how to listen and store; its aggregator file may still be whole.
  const early = withOptions(loaded.config ?? aggregatorAlone(loaded, references), options);
  const log = createLog(early.log, io.colour, io.stderr);
  const forbidden = mayListen(early.listen, early.auth);
  if (forbidden !== null) return failure(forbidden);
  const taken = await portTaken(early.listen);
  if (taken !== null) return { ...failure(taken), because: "port" };

  let store: Store;
  try {
    store = openStore({
      path: dataDir,
      maxSize: early.storage.maxSize,
      retention: early.retention,
      codec: stateCodec,
      log: (level, text) => log[level](text),
    });
  } catch (error) {
    if (error instanceof StoreOpenError) return failure(error.message);
    throw error;
  }

  const now = Date.now();
  const restored = store.writer.restore(now);
  const settled = settle(loaded, restored, references, store, options, now);
  if ("problems" in settled) {
    store.close();
    if (loaded.errors.length === 0) io.stderr(`${settled.problems.map(sentence).join("\n")}\n`);
    const why = options.strict ? "--strict asks for none" : "the history has no accepted map to start on";
    return failure(`the map has ${count(settled.problems.length, "mistake")}, and ${why}`);
  }
  if (settled.info.refused) log.warn({ revision: settled.info.revision }, "the map on disk was refused; running on the last accepted one");

  const engine = new Engine({
    config: settled.config,
    map: settled.map,
    mapInfo: settled.info,
    mapBefore: settled.before,
    restored,
    writer: store.writer,
    reader: store.reader,
    createPoller: (onObservation) => createPoller({ onObservation, userAgent: `headwater/${VERSION}`, clock: CLOCK }),
    clock: CLOCK,
    log,
    checkMap: (file, text) => checkAlone(loaded, file, text),
  });

  const labels = keepLabels({
    data: databaseFile(dataDir),
    revision: () => engine.mapInfo().revision,
    now: () => Date.now(),
    log,
  });
  const diffs = keepDiffs(databaseFile(dataDir));
  let alerting: Alerting | null = null;
  const webRoot = fileURLToPath(new URL("./web", import.meta.url));
  const app = await buildApp(engine, {
    webRoot: existsSync(path.join(webRoot, "index.html")) ? webRoot : null,
    version: { version: VERSION, commit: null },
    logger: log,
    alerts: () => alerting?.stats() ?? new Map(),
    labels,
    diffs,
  });
  heap.settle();
  let address: string;
  try {
    await app.listen({ host: settled.config.listen.host, port: settled.config.listen.port });
    address = addressOf(app.server.address(), settled.config.listen);
  } catch (error) {
    await app.close();
    await Promise.all([labels.stop(), diffs.stop()]);
    store.close();
    return failure(`cannot listen on ${settled.config.listen.host}:${settled.config.listen.port} (${codeOf(error)}); --port names another`);
  }
  const announced = startAlerts(engine, { log });
  alerting = announced;
  engine.portOpened();
  engine.start();

  const source = createSource(configDir, {
    parse: (files) => parseAside({ files, env: io.env, dir: configDir, today: today() }, engine.snapshot().map),
    handed: loaded.hash,
    onError: (reason) => log.error(reason),
    onLoaded: (read) => {
      const next = adapted(read);
      loaded = next;
      const problems = [...refusals(next, engine.snapshot().map), ...exposes(settled.config, next.config)];
      if (problems.length > 0) {
        for (const problem of problems) log.error({ file: problem.file, line: problem.line, code: problem.code }, problem.message);
        log.error({ problems: problems.length }, "the new map was refused; the running one goes on");
        engine.refuseMap(Date.now(), problems);
        return;
      }
      if (!next.map || !next.config) return;
      const info = accept(next, next.map, engine.snapshot().map, store, Date.now());
      log.info({ revision: info.revision, nodes: next.map.nodes.size }, "a new map is in use");
      const config = withOptions(next.config, options);
      const waiting = unlike(settledAtStart(config), settledAtStart(settled.config));
      if (waiting.length > 0) log.warn({ settings: waiting }, "these settings have changed and take effect at the next start");
      engine.applyMap(next.map, info, keepBound(config, settled.config));
      announced.configure(next.config.alerts);
    },
  });
  source.start();

  const { heartbeat } = settled.config;
  const stopHeartbeat = heartbeat
    ? startHeartbeat({
        ...heartbeat,
        fresh: () => engine.lifecycle() === "running" && !engine.signal().stale,
        onChange: (working, reason) =>
          working ? log.info("the heartbeat is taken again") : log.warn({ reason }, "the heartbeat is not taken"),
      })
    : () => undefined;

  return {
    ok: true,
    address,
    live: engine,
    history: { estimate: estimateSize(settled.map, settled.config.retention), limit: settled.config.storage.maxSize },
    reload: () => source.reload(),
    // Readiness and the deep endpoint say draining and streams end; polls stop; all is written; then the port closes.
    stop: async () => {
      source.stop();
      stopHeartbeat();
      const longest = Math.max(0, ...polledServices(engine.snapshot().map).map((service) => service.timeout));
      await engine.stop(Math.min(GRACE_MS, longest));
      await announced.stop(ALERTS_GRACE_MS);
      // Whoever has not ended a request by then, or does not read the answer, is cut off.
      const cut = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
      await app.close();
      clearTimeout(cut);
      await Promise.all([labels.stop(), diffs.stop()]);
      store.close();
    },
  };
}

const CLOCK = { wall: () => Date.now(), monotonic: () => performance.now() };

function settle(
  loaded: Loaded,
  restored: Restored,
  references: References,
  store: Store,
  options: StartOptions,
  now: number,
): Settled | { problems: readonly Problem[] } {
  const { revision } = restored;
  // Reading a large map takes a second: not where it is the one just read.
  const isSame = loaded.errors.length === 0 && revision?.hash === loaded.hash;
  const before = revision && !isSame ? parseConfig(revision.files, "keep", today()).map : null;
  const problems = refusals(loaded, before);
  if (problems.length === 0 && loaded.map && loaded.config) {
    const config = withOptions(loaded.config, options);
    if (revision && revision.hash === loaded.hash)
      return { config, map: loaded.map, info: infoOf(revision.revision, loaded, now), before: null };
    return { config, map: loaded.map, info: accept(loaded, loaded.map, before, store, now), before };
  }
  if (!revision || options.strict) return { problems };
  const last = parseConfig(revision.files, references, today());
  if (!last.map || !last.config) return { problems };
  return {
    config: withOptions(last.config, options),
    map: last.map,
    info: {
      revision: revision.revision,
      loadedAt: revision.acceptedAt,
      hash: revision.hash,
      commit: revision.commit,
      warnings: last.warnings,
      refused: { at: now, problems },
    },
    before: null,
  };
}

/** Why a configuration must not replace the accepted one: it has mistakes, or polls nothing where that one does. */
function refusals(next: Loaded, accepted: SystemMap | null): readonly Problem[] {
  if (next.errors.length > 0) return next.errors;
  if (next.map && accepted && polledServices(next.map).length === 0 && polledServices(accepted).length > 0) {
    const message = "the new map polls nothing, and the accepted one does: it would blind the board, so it is refused";
    return [{ file: "map", line: 1, column: 1, code: "polls-nothing", message }];
  }
  return [];
}

/** Without a login a port that is open to others stays shut: it was opened by what the start said of `auth`. */
function exposes({ listen }: AggregatorConfig, next: AggregatorConfig | null): readonly Problem[] {
  const message = next && mayListen(listen, next.auth);
  return message ? [{ file: AGGREGATOR_FILE, line: 1, column: 1, code: "listens-without-auth", message }] : [];
}

/** Where we listen was settled at the start; who may ask there is judged by that, whatever a reload says. */
function keepBound(config: AggregatorConfig, running: AggregatorConfig): AggregatorConfig {
  const { host, port, basePath } = running.listen;
  return { ...config, listen: { ...config.listen, host, port, basePath } };
}

/** What of the configuration a reload does not change. */
function settledAtStart({ listen, storage, retention, heartbeat, log }: AggregatorConfig) {
  const { hosts: _hosts, ...address } = listen;
  return { listen: address, storage, retention, heartbeat, log };
}

/** Names of the parts that differ. */
function unlike<T extends object>(a: T, b: T): string[] {
  return (Object.keys(a) as (keyof T & string)[]).filter((key) => !isDeepStrictEqual(a[key], b[key]));
}

function accept(loaded: Loaded, map: SystemMap, before: SystemMap | null, store: Store, now: number): MapInfo {
  const { hash, commit, files } = loaded;
  const revision = store.writer.acceptRevision({ acceptedAt: now, hash, commit, summary: summarise(before, map), files });
  return infoOf(revision, loaded, now);
}

function infoOf(revision: number, loaded: Loaded, now: number): MapInfo {
  const { hash, commit, warnings } = loaded;
  return { revision, loadedAt: now, hash, commit, warnings, refused: null };
}

/** One line for the list of revisions. */
function summarise(before: SystemMap | null, after: SystemMap): string {
  if (!before) return `first map: ${count(after.nodes.size, "node")}, ${count(after.systems.size, "system")}`;
  const added = [...after.nodes.keys()].filter((id) => !before.nodes.has(id)).length;
  const removed = [...before.nodes.keys()].filter((id) => !after.nodes.has(id)).length;
  if (added + removed === 0) return `${count(after.nodes.size, "node")}, none added or removed`;
  return `${count(after.nodes.size, "node")}, ${added} added, ${removed} removed`;
}

/**
 * What the API's check says of one file as if it stood in the folder; nothing is applied. References stay as they are:
 * whoever may ask could else find out which variables and files this machine has.
 */
function checkAlone(loaded: Loaded, file: string, text: string): Pick<Parsed, "errors" | "warnings"> {
  const files = [...loaded.files.filter(({ path: name }) => name !== file), { path: file, text }];
  const { errors, warnings } = parseConfig(files, "keep", today());
  return { errors, warnings };
}

function aggregatorAlone(loaded: Loaded, references: References): AggregatorConfig {
  const own = loaded.files.filter(({ path: name }) => name === AGGREGATOR_FILE);
  const config = parseConfig(own, references, today()).config ?? parseConfig([], references, today()).config;
  if (!config) throw new Error("an empty configuration must have defaults");
  return config;
}

function withOptions(config: AggregatorConfig, { host, port, logLevel }: StartOptions): AggregatorConfig {
  const { listen, log } = config;
  return {
    ...config,
    listen: { ...listen, host: host ?? listen.host, port: port ?? listen.port },
    log: { ...log, level: logLevel ?? log.level },
  };
}

/** A sentence when somebody has the port, null when it can be had; tried before anything on disk is touched. */
function portTaken({ host, port }: AggregatorConfig["listen"]): Promise<string | null> {
  return new Promise((resolve) => {
    const trial = createServer();
    trial.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "somebody else listens there" : (error.code ?? error.message);
      resolve(`cannot listen on ${host}:${port}: ${why}; --port and --host name another place`);
    });
    trial.listen(port, host, () => trial.close(() => resolve(null)));
  });
}

function addressOf(bound: ReturnType<ReturnType<typeof createServer>["address"]>, listen: AggregatorConfig["listen"]): string {
  const port = typeof bound === "object" && bound ? bound.port : listen.port;
  const anywhere = listen.host === "0.0.0.0" || listen.host === "::";
  const host = anywhere ? "127.0.0.1" : listen.host.includes(":") ? `[${listen.host}]` : listen.host;
  return `http://${host}:${port}${listen.basePath.replace(/\/*$/, "/")}`;
}

function sentence({ file, line, column, code, message }: Problem): string {
  return `${file}:${line}:${column}: error ${code}: ${message}`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

function failure(message: string): Extract<Started, { ok: false }> {
  return { ok: false, because: "other", message: `headwater: ${message}` };
}
