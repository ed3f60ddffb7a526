import { setImmediate as breathe } from "node:timers/promises";
import type * as wire from "../contract/index.ts";
import { Stats } from "../contract/index.ts";
import type { HistoryReader, Range } from "../domain/history.ts";
import type { Incident } from "../domain/incident.ts";
import type { Live } from "../domain/live.ts";
import type { SystemMap } from "../domain/map.ts";
import { RangeQuery, rangeOf } from "./range.ts";
import type { App } from "./types.ts";
import { time } from "./view.ts";

const MONTH_MS = 30 * 86_400_000;
const PAGE = 100;
const MAX_PAGES = 50;
const MAX_CAUSES = 100;

export function statsRoutes(app: App, live: Live): void {
  app.get(
    "/api/v1/stats",
    {
      config: { access: "viewer" },
      schema: {
        summary: "Causes, time to notice and time to mend; the last 30 days where no range is given",
        querystring: RangeQuery,
        response: { 200: Stats },
      },
    },
    async (request) => {
      const range = rangeOf(request.query, live.now(), MONTH_MS);
      const { incidents, truncated } = await openedWithin(live.history(), range);
      return { ...statsOf(incidents, range, live.snapshot().map), truncated };
    },
  );
}

async function openedWithin(history: HistoryReader, { from, to }: Range): Promise<{ incidents: Incident[]; truncated: boolean }> {
  const incidents: Incident[] = [];
  let cursor: number | null = null;
  for (let page = 0; page < MAX_PAGES; page++) {
    const found = history.incidents({ from, to, limit: PAGE, ...(cursor === null ? {} : { cursor }) });
    incidents.push(...found.incidents.filter(({ openedAt }) => openedAt >= from && openedAt < to));
    cursor = found.next;
    if (cursor === null) return { incidents, truncated: false };
    await breathe();
  }
  return { incidents, truncated: true };
}

/**
 * Announced work is nobody's trouble, an absorbed incident is counted with the one that absorbed it, and one that a
 * changed map ended was mended by nobody.
 */
export function statsOf(all: readonly Incident[], { from, to }: Range, map: SystemMap): Omit<wire.Stats, "truncated"> {
  const incidents = all.filter(({ kind, end }) => kind !== "maintenance" && end !== "absorbed");
  const byNode = new Map<string, Incident[]>();
  for (const incident of incidents) {
    const node = incident.cause?.node ?? incident.anchor;
    const known = byNode.get(node);
    if (known) known.push(incident);
    else byNode.set(node, [incident]);
  }
  const causes = [...byNode].map(([node, some]) => ({
    node,
    team: map.nodes.get(node)?.team ?? null,
    incidents: some.length,
    open_ms: some.reduce((sum, { openedAt, resolvedAt }) => sum + Math.max(0, Math.min(resolvedAt ?? to, to) - openedAt), 0),
    mttr_ms: meanToMend(some),
    last_opened_at: time(some.reduce((last, { openedAt }) => Math.max(last, openedAt), 0)),
  }));
  const count = (severity: Incident["severity"]) => incidents.filter((incident) => incident.severity === severity).length;
  return {
    from: time(from),
    to: time(to),
    incidents: incidents.length,
    by_severity: { page: count("page"), ticket: count("ticket"), info: count("info") },
    mttd_ms: mean(incidents.map(({ openedAt, detectedAt }) => Math.max(0, detectedAt - openedAt))),
    mttr_ms: meanToMend(incidents),
    distinct_causes: causes.length,
    causes: causes.sort((a, b) => b.incidents - a.incidents || b.open_ms - a.open_ms).slice(0, MAX_CAUSES),
  };
}

function meanToMend(incidents: readonly Incident[]): number | null {
  return mean(
    incidents.flatMap(({ openedAt, resolvedAt, end }) =>
      resolvedAt === null || end === "removed_from_map" ? [] : [resolvedAt - openedAt],
    ),
  );
}

function mean(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : Math.round(numbers.reduce((sum, one) => sum + one, 0) / numbers.length);
}
