import type { z } from "zod";
import type { DeepReport } from "../contract/index.ts";
import type { Live } from "../domain/live.ts";
import { type Check, CheckFailure, createReporter } from "../reporter/index.ts";

const CHECK_EVERY_MS = 1_000;

export interface OwnReport {
  /** What the deep endpoint answers now, as checked within the last second. */
  read(): z.infer<typeof DeepReport>;
  stop(): void;
}

/**
 * Headwater's own deep report, by the reporter that it offers to others: polling is hard, history and map are soft. What
 * makes the whole stale without either failing is degraded.
 */
export function startOwnReport(live: Live): OwnReport {
  const check = (criticality: Check["criticality"], failure: () => string | null): Check => ({
    criticality,
    async run() {
      const reason = failure();
      if (reason !== null) throw new CheckFailure(reason);
    },
  });
  const reporter = createReporter({
    checks: {
      scheduler: check("hard", () => schedulerFailure(live)),
      history: check("soft", () => historyFailure(live)),
      map: check("soft", () => mapFailure(live)),
    },
    interval: CHECK_EVERY_MS,
    // What is asked is damped already, each in its own way.
    agree: 1,
    started: () => live.lifecycle() !== "starting",
    now: () => live.now(),
  });
  reporter.start();
  return {
    read() {
      if (live.lifecycle() === "draining") reporter.drain();
      const { report } = reporter.snapshot();
      return report.status === "healthy" && live.signal().stale ? { ...report, status: "degraded" } : report;
    },
    stop: () => reporter.stop(),
  };
}

function schedulerFailure(live: Live): string | null {
  if (!live.ready().scheduler) return "not started";
  const stuck = live.signal().because.filter((code) => code === "overdue" || code === "frozen");
  return stuck.length > 0 ? stuck.join(", ") : null;
}

function historyFailure(live: Live): string | null {
  if (!live.ready().store) return "not open";
  return live.store().error ?? (live.signal().because.includes("history") ? "nothing written for too long" : null);
}

function mapFailure(live: Live): string | null {
  if (!live.ready().map) return "none accepted";
  return live.mapInfo().refused ? "the newest map was refused" : null;
}
