import type { Transition } from "../domain/history.ts";
import { COMPONENT_STATUSES, type ComponentStatus, type Outcome, type Status } from "../domain/status.ts";
import type { History } from "./history.ts";
import { eachPoll } from "./latency.ts";
import { SLOT_MS, slotOf } from "./samples.ts";
import { oldestSlot, RAW } from "./tiers.ts";
import { asStatus, type Range } from "./timeline.ts";
import { decodeWord } from "./words.ts";

/** A poll as a recording holds it; `at` in epoch milliseconds. */
export interface ExportedPoll {
  at: number;
  service: string;
  instance: string;
  outcome: Outcome;
  httpStatus: number | null;
  latencyMs: number;
  report: { status: Status; components: { name: string; status: ComponentStatus }[] } | null;
}

/** From when on every single poll is kept; null when there are none. */
export function samplesSince(history: History): number | null {
  const open = [...history.head.slots.keys()];
  const kept = oldestSlot(history.connection, RAW);
  const slots = kept === null ? open : [...open, kept];
  return slots.length === 0 ? null : Math.min(...slots) * SLOT_MS;
}

/** Every poll of a range that is still kept, in the order in which they were asked; a slot at a time in memory. */
export function* pollsIn(history: History, range: Range): Generator<ExportedPoll> {
  const { names } = history;
  const first = Math.max(range.from, samplesSince(history) ?? range.to);
  for (let slot = slotOf(first); slot <= slotOf(range.to - 1); slot++) {
    const part = { from: Math.max(range.from, slot * SLOT_MS), to: Math.min(range.to, (slot + 1) * SLOT_MS) };
    const polls: ExportedPoll[] = [];
    for (const [service, series] of names.all("node")) {
      const reported = new Map(names.components(series).map((component) => [component.n, component.name]));
      eachPoll(history, series, part, (poll) => {
        const components = poll.words.map((word) => ({
          name: reported.get(Math.floor(word / 4)) ?? "",
          status: COMPONENT_STATUSES[word % 4] ?? "unknown",
        }));
        polls.push({
          at: poll.at,
          service,
          instance: poll.instance === null ? service : (names.key(poll.instance)?.key ?? service),
          outcome: poll.outcome,
          httpStatus: poll.httpStatus,
          latencyMs: poll.latencyMs,
          report: poll.status === null ? null : { status: poll.status, components },
        });
      });
    }
    yield* polls.sort((a, b) => a.at - b.at);
  }
}

/** Changes of a range, oldest first, one at a time. */
export function* changesIn({ connection, names }: History, { from, to }: Range): Generator<Transition> {
  const rows = connection
    .sql("SELECT series, at, was, became, reason, incident FROM transition WHERE at >= ? AND at < ? ORDER BY at, id")
    .iterate(from, to) as Iterable<{
    series: number;
    at: number;
    was: number | string | null;
    became: number | string;
    reason: string | null;
    incident: number | null;
  }>;
  for (const row of rows) {
    const subject = names.key(row.series);
    if (!subject) continue;
    const was = row.was === null ? null : decodeWord(row.was);
    yield {
      subject: subject.kind,
      id: subject.key,
      at: row.at,
      from: was,
      to: decodeWord(row.became),
      reason: row.reason,
      incident: row.incident,
    };
  }
}

/** A repeated poll of what did not change, this often: no report grows old before the next. */
const REPEAT_MS = 240_000;

interface Rebuilt {
  instances: Map<string, { status: Status; reason: string | null }>;
  edges: Map<string, ComponentStatus>;
  last: number;
}

/**
 * Polls that lead to the states which history kept, for a time of which single polls are gone: one at every change of a
 * service's instances or dependencies, and often enough between. The states are damped already.
 */
export function* pollsFromChanges(history: History, range: Range): Generator<ExportedPoll> {
  const services = new Map<string, Rebuilt>();
  const gaps = history.memory.gaps(range);
  const inGap = (at: number): boolean => gaps.some((gap) => at >= gap.from && at < gap.to);
  const serviceOf = (id: string): Rebuilt => {
    const known = services.get(id);
    if (known) return known;
    const made: Rebuilt = { instances: new Map(), edges: new Map(), last: Number.NEGATIVE_INFINITY };
    services.set(id, made);
    return made;
  };
  const apply = (change: Pick<Transition, "subject" | "id" | "to" | "reason">): string | null => {
    const end = change.id.search(/[>/]/);
    const service = end === -1 ? change.id : change.id.slice(0, end);
    if (change.subject === "instance") {
      const status = change.to === "removed" ? null : asStatus(change.to);
      if (status) serviceOf(service).instances.set(change.id, { status, reason: change.reason });
      else serviceOf(service).instances.delete(change.id);
    } else if (change.subject === "edge") {
      if ((COMPONENT_STATUSES as readonly string[]).includes(change.to))
        serviceOf(service).edges.set(change.id.slice(end + 1), change.to as ComponentStatus);
      else serviceOf(service).edges.delete(change.id.slice(end + 1));
    } else return null;
    return service;
  };

  const base = history.connection.sql(
    "SELECT at, became, reason FROM transition WHERE series = ? AND at < ? ORDER BY at DESC, id DESC LIMIT 1",
  );
  for (const subject of ["instance", "edge"] as const)
    for (const [id, series] of history.names.all(subject)) {
      const row = base.get(series, range.from) as { became: number | string; reason: string | null } | undefined;
      if (row) apply({ subject, id, to: decodeWord(row.became), reason: row.reason });
    }

  const changes = changesIn(history, range);
  let next = changes.next();
  for (let at = range.from; at < range.to; ) {
    const moved = new Set<string>();
    for (; !next.done && next.value.at <= at; next = changes.next()) {
      const service = apply(next.value);
      if (service) moved.add(service);
    }
    if (!inGap(at))
      for (const [id, service] of services) {
        if (!moved.has(id) && at - service.last < REPEAT_MS) continue;
        service.last = at;
        yield* rebuiltPolls(history, id, service, at);
      }
    const repeat = Math.min(range.to, ...[...services.values()].map((service) => Math.max(at, service.last) + REPEAT_MS));
    at = Math.max(at + 1, Math.min(next.done ? range.to : next.value.at, services.size === 0 ? range.to : repeat));
  }
}

function* rebuiltPolls(history: History, id: string, service: Rebuilt, at: number): Generator<ExportedPoll> {
  const series = history.names.find("node", id);
  const reported = series === null ? [] : history.names.components(series);
  const components = [...service.edges].map(([to, status]) => {
    const target = history.names.find("node", to);
    return { name: reported.find((component) => component.target === target)?.name ?? to, status };
  });
  for (const [instance, { status, reason }] of service.instances) {
    const outcome = status === "unknown" ? outcomeOf(reason) : "report";
    const httpStatus = status === "unknown" ? null : status === "unhealthy" ? 503 : 200;
    yield { at, service: id, instance, outcome, httpStatus, latencyMs: 0, report: status === "unknown" ? null : { status, components } };
  }
}

/** What an unknown instance's reason tells of the poll; connecting failed, where it tells nothing. */
function outcomeOf(reason: string | null): Outcome {
  const text = reason?.toLowerCase() ?? "";
  if (text.includes("refused")) return "refused";
  if (text.includes("timeout") || text.includes("timed out") || text.includes("late")) return "timeout";
  if (text.includes("certificate") || text.includes("tls")) return "tls";
  if (text.includes("reset")) return "reset";
  if (text.includes("resolve") || text.includes("dns")) return "dns";
  return "connect_timeout";
}
