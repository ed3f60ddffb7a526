import { vi } from "vitest";
import { parseConfig } from "../../server/src/config/parse.ts";
import type { MapFile } from "../../server/src/domain/history.ts";
import type { SystemMap } from "../../server/src/domain/map.ts";
import type { Observation } from "../../server/src/domain/observation.ts";
import { Engine } from "../../server/src/engine/engine.ts";
import { stateCodec } from "../../server/src/state/serialise.ts";
import { openStore, type Store } from "../../server/src/store/index.ts";

const DAY = 86_400_000;

/** The real engine on a real history file, polled by hand, on a clock that the test moves. */
export class Aggregator {
  readonly map: SystemMap;
  readonly store: Store;
  readonly engine: Engine;
  now: number;
  /** By how much somebody has set the clock so far. */
  #set = 0;
  #receive: (observation: Observation) => void = () => undefined;

  /** Fake timers have to be on, and stand at `now`. */
  constructor(path: string, files: readonly MapFile[], now: number, raw = DAY) {
    const { map, config, errors } = parseConfig(files, "keep", "2026-10-24");
    if (!map || !config) throw new Error(JSON.stringify(errors));
    this.map = map;
    this.now = now;
    const retention = { raw, minutes: 7 * DAY, hours: 90 * DAY, changes: 400 * DAY };
    this.store = openStore({ path, maxSize: 1e9, retention, codec: stateCodec });
    const restored = this.store.writer.restore(now);
    const revision = this.store.writer.acceptRevision({ acceptedAt: now, hash: JSON.stringify(files), commit: null, summary: "", files });
    const quiet = (): void => undefined;
    this.engine = new Engine({
      config,
      map,
      mapInfo: { revision, loadedAt: now, hash: "", commit: null, warnings: [], refused: null },
      mapBefore: null,
      restored,
      writer: this.store.writer,
      reader: this.store.reader,
      createPoller: (onObservation) => {
        this.#receive = onObservation;
        return {
          setTargets: quiet,
          start: quiet,
          stop: async () => undefined,
          stats: () => ({ polls: {}, skipped: 0, inFlight: 0, lagMs: 0, overdue: 0 }),
          progress: () => [],
          canary: async () => true,
          connections: () => 0,
          running: () => true,
          lastAnswer: () => null,
        };
      },
      clock: { wall: () => this.now, monotonic: () => this.now - this.#set },
      log: {
        debug: quiet,
        info: quiet,
        warn: quiet,
        error: (fields, text) => {
          throw new Error(`${text} ${JSON.stringify(fields)}`);
        },
      },
      checkMap: () => ({ errors: [], warnings: [] }),
    });
    this.engine.start();
  }

  /** Lets time pass up to a moment, with every timer that is due. */
  passTo(at: number): void {
    while (this.now < at) {
      const by = Math.min(1_000 - (this.now % 1_000), at - this.now);
      this.now += by;
      vi.advanceTimersByTime(by);
    }
  }

  /** Somebody sets the clock: no time passes by it. */
  setClock(now: number): void {
    this.#set += now - this.now;
    this.now = now;
  }

  /** A poll that is done at this moment. */
  receive(observation: Observation): void {
    this.#receive(observation);
  }

  async stop(): Promise<void> {
    await this.engine.stop(0);
    this.store.close();
  }
}
