import { z } from "zod";
import { DeepReport, Staleness } from "../contract/index.ts";
import type { Live, Signal } from "../domain/live.ts";
import { startOwnReport } from "./own-report.ts";
import type { App } from "./types.ts";
import { tenthsOrNull, timeOrNull } from "./view.ts";

const OPEN_PROBE = { access: "open", probe: true } as const;
const Readiness = z.object({
  status: z.enum(["ready", "not_ready"]),
  checks: z.object({ map: z.boolean(), store: z.boolean(), scheduler: z.boolean(), port: z.boolean(), draining: z.boolean() }),
});
const Word = z.object({ status: z.string() });

/** Headwater's own probes, local and bounded, from memory alone: none touches a watched service or waits for a poll. */
export function probeRoutes(app: App, live: Live): void {
  let wasReady = false;
  const isReady = (): boolean => Object.values(live.ready()).every(Boolean);
  const hasStarted = (): boolean => {
    wasReady ||= live.lifecycle() === "running" || isReady();
    return wasReady;
  };

  app.get("/livez", { config: OPEN_PROBE, schema: { summary: "The process runs", response: { 200: Word } } }, async () => ({
    status: "ok",
  }));

  app.get(
    "/readyz",
    { config: OPEN_PROBE, schema: { summary: "Able to serve", response: { 200: Readiness, 503: Readiness } } },
    async (_request, reply) => {
      const checks = { ...live.ready(), draining: live.lifecycle() === "draining" };
      const ready = hasStarted() && isReady() && !checks.draining;
      return reply.code(ready ? 200 : 503).send({ status: ready ? "ready" : "not_ready", checks });
    },
  );

  app.get(
    "/startupz",
    { config: OPEN_PROBE, schema: { summary: "Was ready once", response: { 200: Word, 503: Word } } },
    async (_request, reply) => (hasStarted() ? { status: "started" } : reply.code(503).send({ status: "starting" })),
  );

  app.get(
    "/staleness",
    { config: OPEN_PROBE, schema: { summary: "Whether this aggregator can be trusted", response: { 200: Staleness, 503: Staleness } } },
    async (_request, reply) => {
      const signal = live.signal();
      return reply.code(signal.stale ? 503 : 200).send(stalenessView(signal));
    },
  );

  const own = startOwnReport(live);
  app.addHook("onClose", async () => own.stop());
  app.get(
    "/health/deep",
    { config: { access: "viewer" }, schema: { summary: "Our own deep endpoint", response: { 200: DeepReport, 503: DeepReport } } },
    async (_request, reply) => {
      const report = own.read();
      return reply.code(report.status === "healthy" || report.status === "degraded" ? 200 : 503).send(report);
    },
  );
}

function stalenessView(signal: Signal): z.infer<typeof Staleness> {
  return {
    stale: signal.stale,
    because: [...signal.because],
    last_answer_at: timeOrNull(signal.lastAnswerAt),
    age_ms: tenthsOrNull(signal.ageMs),
    limit_ms: signal.limitMs,
    reporting: signal.reporting,
    instances: signal.instances,
    overdue: signal.overdue,
    last_write_at: timeOrNull(signal.lastWriteAt),
    write_age_ms: tenthsOrNull(signal.writeAgeMs),
  };
}
