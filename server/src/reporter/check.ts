import type { Criticality } from "../domain/status.ts";
import { reasonOf } from "./reason.ts";

/** One direct dependency and how to ask whether it works: cheaply, over the pool that real traffic uses. */
export interface Check {
  criticality: Criticality;
  /** Resolves when the dependency works, rejects when not. The signal aborts at the deadline: pass it on. */
  run(signal: AbortSignal): Promise<unknown>;
  /** Milliseconds; default the reporter's. */
  timeout?: number;
}

/** What a check found, as the deep endpoint's contract says it. */
export interface ComponentReport {
  name: string;
  status: "up" | "down";
  criticality: Criticality;
  /** How long the last check took. */
  latency_ms: number;
  last_checked: string;
  age_ms: number;
  error?: string;
}

export interface Checker {
  /** Asks once; settles at the deadline at the latest, and never rejects. */
  ask(): Promise<void>;
  /** Null until the first answer. `now` in epoch ms. */
  report(now: number): ComponentReport | null;
}

/** A deadline that fires later than this tells of our own event loop, and nothing of the dependency. */
const STALL_MS = 100;

/** What one attempt found: null when the dependency works, else the reason; `stalled` counts for nothing. */
type Attempt = { failure: string | null } | "stalled";

interface Finding {
  up: boolean;
  at: number;
  latencyMs: number;
  reason: string;
}

/** A check with its memory: the first answer sets the status, later ones change it when `agree` in a row say the same. */
export function createChecker(name: string, check: Check, timeout: number, agree: number, now: () => number): Checker {
  let last: Finding | null = null;
  let up: boolean | null = null;
  let against = 0;
  let reason = "";
  let hanging = false;
  let asking: Promise<void> | null = null;

  function record(finding: Finding): void {
    last = finding;
    against = finding.up === up ? 0 : against + 1;
    if (up === null || against >= agree) {
      up = finding.up;
      against = 0;
    }
    if (!finding.up) reason = finding.reason;
  }

  /** Resolves at the deadline at the latest. */
  function attempt(): Promise<Attempt> {
    return new Promise((resolve) => {
      const controller = new AbortController();
      const started = performance.now();
      const deadline = setTimeout(() => {
        const late = performance.now() - started - timeout;
        resolve(late > STALL_MS ? "stalled" : { failure: `timed out after ${timeout} ms` });
        controller.abort();
      }, timeout);
      const settle = (failure: string | null) => {
        hanging = false;
        clearTimeout(deadline);
        resolve({ failure });
      };
      hanging = true;
      // Through a promise of its own, so that a check that throws at once is a failed check too.
      Promise.resolve()
        .then(() => check.run(controller.signal))
        .then(
          () => settle(null),
          (error: unknown) => settle(reasonOf(error)),
        );
    });
  }

  async function ask(): Promise<void> {
    const started = now();
    // One that ignores its signal and still runs is not started again: it has failed once more.
    const result = hanging ? { failure: `timed out after ${timeout} ms` } : await attempt();
    if (result === "stalled") return;
    const at = now();
    record({ up: result.failure === null, at, latencyMs: Math.max(0, at - started), reason: result.failure ?? "" });
  }

  return {
    ask() {
      asking ??= ask().finally(() => {
        asking = null;
      });
      return asking;
    },
    report(at) {
      if (!last || up === null) return null;
      return {
        name,
        status: up ? "up" : "down",
        criticality: check.criticality,
        latency_ms: Math.round(last.latencyMs),
        last_checked: new Date(last.at).toISOString(),
        age_ms: Math.max(0, Math.round(at - last.at)),
        ...(!up && { error: reason }),
      };
    },
  };
}
