import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type Alerting, startAlerts } from "./alerts/index.ts";
import { buildApp } from "./api/app.ts";
import { mayListen } from "./api/auth.ts";
import { type Parsed, parseConfig } from "./config/parse.ts";
import { parseAside } from "./config/parse-aside.ts";
import { createSource, environmentReferences, type Found, findConfig, loadedOf } from "./config/source.ts";
import { type Problem, polledServices } from "./domain/map.ts";
import { count } from "./domain/phrases.ts";
import { Engine } from "./engine/engine.ts";
import { heap } from "./heap.ts";
import { keepLabels } from "./labels/keeper.ts";
import { createLog } from "./log.ts";
import { startHeartbeat } from "./poller/heartbeat.ts";
import { createPoller } from "./poller/poller.ts";
import { keepDiffs } from "./revisions/keeper.ts";
import { failure, type Started, type StartOptions, withOptions } from "./start/options.ts";
import { addressOf, Port } from "./start/port.ts";
import { exposes, keepBound, waitingForStart } from "./start/reload.ts";
import { accept, aggregatorAlone, checkAlone, defaultConfig, refusals, settle } from "./start/settle.ts";
import { codeOf, located, sentence, today } from "./start/words.ts";
import { stateCodec } from "./state/serialise.ts";
import { databaseFile } from "./store/database.ts";
import { estimateSize, openStore, type Store, StoreOpenError } from "./store/index.ts";
import { VERSION } from "./version.ts";

/** Characters of a map that a start reads on a thread. */
const LARGE_MAP = 1_000_000;
/** Polls under way get this long at a shutdown, or their own timeout where all are shorter. */
const GRACE_MS = 5_000;
/** And alerts that wait for their receivers this long. */
const ALERTS_GRACE_MS = 2_000;
/** Requests under way get this long after that. */
const CLOSE_MS = 1_000;

/**
 * Builds and starts the whole aggregator, and touches nothing before it is known to work:
 * 1. may we listen there, and is the port free: it is open from now on, and says that we start; 2. read the map;
 * 3. open the history; 4. settle on a map; 5. restore the state; 6. serve; 7. poll. Expected failures come back as one
 * sentence each.
 */
export async function startHeadwater(options: StartOptions): Promise<Started> {
  const port = new Port();
  const started = await start(options, port);
  if (!started.ok) await port.close(0);
  return started;
}

async function start(options: StartOptions, port: Port): Promise<Started> {
  const { io } = options;
  heap.begin();
  const configDir = path.resolve(io.cwd, options.configDir);
  const dataDir = path.resolve(io.cwd, options.dataDir);
  const references = environmentReferences(io.env, configDir);

  const facts = statSync(configDir, { throwIfNoEntry: false });
  if (facts ? !facts.isDirectory() : !existsSync(databaseFile(dataDir)))
    return failure(
      facts
        ? `${options.configDir} is not a folder; --config names another`
        : `there is no configuration folder ${options.configDir}; --config names another`,
    );
  const tell = (problems: readonly Problem[]) => io.stderr(`${problems.map((one) => sentence(options.configDir, one)).join("\n")}\n`);
  const adapted = <T extends Parsed>(parsed: T): T =>
    parsed.map && options.adapt ? { ...parsed, map: options.adapt(parsed.map) } : parsed;
  let found: Found;
  try {
    found = await findConfig(configDir);
  } catch (error) {
    return failure(`the configuration folder ${options.configDir} cannot be read (${codeOf(error)}); --config names another`);
  }
  // How to listen stands in a file of its own, which may be whole where the map is broken.
  const { files } = found.set;
  const own = aggregatorAlone(files, references);
  const early = withOptions(own ?? defaultConfig(), options);
  const forbidden = mayListen(early.listen, early.auth);
  if (forbidden !== null) return failure(forbidden);
  const taken = own && (await port.open(early.listen));

  // A thread costs memory of its own, and no poll waits yet: worth it where a probe would wait for a second or more.
  const size = files.reduce((sum, { text }) => sum + text.length, 0);
  const question = { files, env: io.env, dir: configDir, today: today() };
  const parsed = size > LARGE_MAP ? await parseAside(question, null) : parseConfig(files, references, question.today);
  let loaded = adapted(loadedOf(found, parsed));
  if (loaded.errors.length > 0) tell(loaded.errors);
  const mistakes = `the map has ${count(loaded.errors.length, "mistake")}`;
  // Whoever mends one of both would else learn of the other at the next start.
  if (taken) return { ...failure(loaded.errors.length > 0 ? `${taken}; and ${mistakes}` : taken), because: "port" };
  if (loaded.errors.length > 0) {
    if (options.strict) return failure(`${mistakes}, and --strict asks for none`);
    if (!existsSync(databaseFile(dataDir))) return failure(`${mistakes}, and the history has no accepted map to start on`);
  }
  const log = createLog(early.log, io.colour, io.stderr);

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
    if (loaded.errors.length === 0) tell(settled.problems);
    const why = options.strict ? "--strict asks for none" : "the history has no accepted map to start on";
    return failure(`the map has ${count(settled.problems.length, "mistake")}, and ${why}`);
  }
  if (settled.info.refused) log.warn({ revision: settled.info.revision }, "the map on disk was refused; running on the last accepted one");

  // Closures hold no more than this of it: the first map goes when another one comes.
  const startedWith = settled.config;
  const engine = new Engine({
    config: startedWith,
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
    server: port.adopt,
    webRoot: existsSync(path.join(webRoot, "index.html")) ? webRoot : null,
    version: { version: VERSION, commit: null },
    logger: log,
    alerts: () => alerting?.stats() ?? new Map(),
    labels,
    diffs,
  });
  heap.settle();
  const unopened = await port.open(startedWith.listen);
  if (unopened) {
    await app.close();
    await Promise.all([labels.stop(), diffs.stop()]);
    store.close();
    return { ...failure(unopened), because: "port" };
  }
  port.handOver();
  const announced = startAlerts(engine, { log });
  alerting = announced;
  engine.portOpened();
  engine.start();

  const source = createSource(configDir, {
    parse: (files) => parseAside({ files, env: io.env, dir: configDir, today: today() }, engine.snapshot().map),
    handed: loaded.hash,
    onError: (reason) => log.error(reason),
    onLoaded: async (read) => {
      const next = adapted(read);
      loaded = next;
      const problems = [...refusals(next, engine.snapshot().map), ...exposes(startedWith, next.config)];
      if (problems.length > 0) {
        for (const { file, line, column, code, message } of problems)
          log.error({ file: located(options.configDir, file), line, column, code }, message);
        log.error({ problems: problems.length }, "the new map was refused; the running one goes on");
        engine.refuseMap(Date.now(), problems);
        return;
      }
      if (!next.map || !next.config) return;
      const info = accept(next, next.map, engine.snapshot().map, store, Date.now());
      log.info({ revision: info.revision, nodes: next.map.nodes.size }, "a new map is in use");
      const config = withOptions(next.config, options);
      const waiting = waitingForStart(config, startedWith);
      if (waiting.length > 0) log.warn({ settings: waiting }, "these settings have changed and take effect at the next start");
      await engine.applyMap(next.map, info, keepBound(config, startedWith));
      announced.configure(next.config.alerts);
    },
  });
  source.start();

  const { heartbeat } = startedWith;
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
    address: addressOf(port.server.address(), startedWith.listen),
    live: engine,
    history: { estimate: estimateSize(settled.map, startedWith.retention), limit: startedWith.storage.maxSize },
    reload: () => source.reload(),
    // Readiness and the deep endpoint say draining and streams end; polls stop; all is written; then the port closes.
    stop: async () => {
      source.stop();
      stopHeartbeat();
      const longest = Math.max(0, ...polledServices(engine.snapshot().map).map((service) => service.timeout));
      await engine.stop(Math.min(GRACE_MS, longest));
      await announced.stop(ALERTS_GRACE_MS);
      // Whoever has not ended a request by then, or does not read the answer, is cut off.
      const cut = setTimeout(() => port.server.closeAllConnections(), CLOSE_MS);
      await app.close();
      await port.close(CLOSE_MS);
      clearTimeout(cut);
      await Promise.all([labels.stop(), diffs.stop()]);
      store.close();
    },
  };
}

const CLOCK = { wall: () => Date.now(), monotonic: () => performance.now() };
