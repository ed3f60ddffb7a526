import { CRITICALITIES, effectOf, worstStatus } from "../domain/status.ts";
import { type Check, type ComponentReport, createChecker } from "./check.ts";
import { ask, type Handler, type LocalCheck, NotLocal, respondLocally, respondWith } from "./handlers.ts";

export type { Check, ComponentReport } from "./check.ts";
export { reporterPlugin } from "./fastify.ts";
export type { Handler, LocalCheck } from "./handlers.ts";
export { CheckFailure } from "./reason.ts";
export { type OwnPaths, type ReporterPaths, reporterHandler } from "./routes.ts";

/** The body of a deep endpoint. */
export interface DeepReport {
  status: "healthy" | "degraded" | "unhealthy" | "starting" | "draining";
  components: ComponentReport[];
}

export interface ReporterOptions {
  /** By the name under which the dependency appears in the report: direct dependencies only, never another's deep check. */
  checks: Readonly<Record<string, Check>>;
  /** Milliseconds between rounds; default 5,000. */
  interval?: number;
  /** Milliseconds that one check may take, well below the timeout of whoever polls; default 500. */
  timeout?: number;
  /** Results in a row that must agree before a status changes; default 3. Detection takes up to agree × interval + timeout. */
  agree?: number;
  /** May this instance get traffic, once it has started? About itself alone: warm, not full, not stuck. Default: yes. */
  ready?: LocalCheck;
  /** Has it finished starting? Default: yes. Until then the deep endpoint says `starting`. */
  started?: LocalCheck;
  /** Epoch milliseconds; for tests. */
  now?: () => number;
}

export interface Reporter {
  /** Runs the first round at once, then one per interval. The timer keeps no process alive. */
  start(): void;
  stop(): void;
  /** One round: all checks at the same time; resolves when the slowest is done. The timer calls it. */
  round(): Promise<void>;
  /** What the deep endpoint answers right now, from memory. 503 when a hard dependency is down, while starting and draining. */
  snapshot(): { httpStatus: 200 | 503; report: DeepReport };
  /** From now on the deep endpoint says `draining` and readiness says no; liveness stays as it is. For good. */
  drain(): void;
  readonly handlers: {
    /** For an aggregator and for people, on an internal port. Never for a probe. */
    readonly deep: Handler;
    /** Restart me? 200 as long as the process answers, also while draining. */
    readonly live: Handler;
    /** Send me traffic? */
    readonly ready: Handler;
    /** Have I started? */
    readonly startup: Handler;
  };
}

/**
 * A service's deep endpoint, with its checks off the request path, and the three probe handlers beside it. Checks feed
 * the deep report only: no probe handler takes one.
 */
export function createReporter(options: ReporterOptions): Reporter {
  const { checks, interval = 5_000, timeout = 500, agree = 3, now = Date.now } = options;
  const { ready = () => true, started = () => true } = options;
  for (const [name, check] of Object.entries(checks)) {
    if (!CRITICALITIES.includes(check.criticality))
      throw new RangeError(`check "${name}": its criticality must be one of ${CRITICALITIES.join(", ")}`);
    if ((check.timeout ?? timeout) < interval) continue;
    throw new RangeError(`check "${name}": its timeout must be shorter than the interval of ${interval} ms`);
  }
  const checkers = Object.entries(checks).map(([name, check]) => createChecker(name, check, check.timeout ?? timeout, agree, now));
  let timer: NodeJS.Timeout | null = null;
  let draining = false;
  let local = false;

  /** A local check that reads the report would hand a shared outage to whoever restarts and routes: it has no answer then. */
  const alone = (check: LocalCheck) => () => {
    local = true;
    try {
      return check();
    } finally {
      local = false;
    }
  };
  const hasStarted = alone(started);
  const isReady = alone(ready);

  async function round(): Promise<void> {
    await Promise.all(checkers.map((checker) => checker.ask()));
  }

  function snapshot(): ReturnType<Reporter["snapshot"]> {
    if (local) throw new NotLocal("a local check must not ask the deep report");
    const at = now();
    const components = checkers.flatMap((checker) => checker.report(at) ?? []);
    if (draining) return { httpStatus: 503, report: { status: "draining", components } };
    if (components.length < checkers.length || ask(hasStarted) !== true)
      return { httpStatus: 503, report: { status: "starting", components } };
    const status = rollUp(components);
    return { httpStatus: status === "unhealthy" ? 503 : 200, report: { status, components } };
  }

  return {
    start() {
      if (timer) return;
      timer = setInterval(round, interval).unref();
      void round();
    },
    stop() {
      if (timer) clearInterval(timer);
      timer = null;
    },
    round,
    snapshot,
    drain() {
      draining = true;
    },
    handlers: {
      deep: respondWith(() => {
        const { httpStatus, report } = snapshot();
        return { code: httpStatus, body: report };
      }),
      live: respondLocally(() => true),
      ready: respondLocally(() => {
        const up = !draining && hasStarted();
        return up === true ? isReady() : up;
      }),
      startup: respondLocally(hasStarted),
    },
  };
}

/** The worst effect of any component: what is soft degrades, what is informational does nothing. */
function rollUp(components: readonly ComponentReport[]): "healthy" | "degraded" | "unhealthy" {
  const status = worstStatus(components.map((component) => effectOf(component.status, component.criticality)));
  return status === "unknown" ? "healthy" : status;
}
