import type { AggregatorConfig } from "../domain/config.ts";
import type { Live, Publication } from "../domain/live.ts";
import { advanceBook, type Book, EMPTY_BOOK, repetitions, withoutRevived } from "./book.ts";
import { Courier, type CourierOptions, type CourierStats } from "./courier.ts";
import { targetsOf } from "./targets.ts";

export interface Alerting {
  /** Receivers as the configuration has them now; what waits for one that stays is kept. */
  configure: (alerts: AggregatorConfig["alerts"]) => void;
  /** By receiver. */
  stats: () => ReadonlyMap<string, CourierStats>;
  /** Brings what waits, for at most so many milliseconds, and ends. */
  stop: (graceMs: number) => Promise<void>;
}

/** Well within the five minutes after which an Alertmanager takes what it does not hear of for over. */
const REPEAT_MS = 60_000;

/** Tells the configured receivers of incidents as they are published; what was open before a restart is told again. */
export function startAlerts(live: Live, options: Pick<CourierOptions, "log"> & { repeatMs?: number }): Alerting {
  const { log } = options;
  const now = () => live.now();
  let couriers: readonly Courier[] = [];
  let book: Book = EMPTY_BOOK;

  function look(): void {
    const { incidents, map } = live.snapshot();
    const step = advanceBook(book, incidents, { site: live.config.site, map, now: now() });
    book = step.book;
    const revived = withoutRevived(step.alerts, book.firing.values());
    for (const courier of couriers) courier.offer(courier.target.repeat ? revived : step.alerts);
  }

  function configure(alerts: AggregatorConfig["alerts"]): void {
    const wanted = targetsOf(alerts);
    const next = wanted.map((target) => couriers.find((known) => known.target.key === target.key) ?? new Courier({ target, log, now }));
    for (const gone of couriers.filter((courier) => !next.includes(courier))) void gone.stop(0);
    const known = new Set(couriers);
    couriers = next;
    // A receiver that joins later is told what fires.
    for (const courier of next) if (!known.has(courier)) courier.offer([...book.firing.values()]);
  }

  configure(live.config.alerts);
  look();
  const unsubscribe = live.subscribe(({ incidents, snapshot, before }: Publication) => {
    if (incidents.length > 0 || snapshot.map !== before?.map) look();
  });
  const timer = setInterval(() => {
    for (const courier of couriers) if (courier.target.repeat) courier.repeat(repetitions(book));
  }, options.repeatMs ?? REPEAT_MS);
  timer.unref();

  return {
    configure,
    stats: () => new Map(couriers.map((courier) => [courier.target.name, courier.stats()])),
    async stop(graceMs) {
      clearInterval(timer);
      unsubscribe();
      await Promise.all(couriers.map((courier) => courier.stop(graceMs)));
    },
  };
}
