import { advance } from "../analysis/incidents.ts";
import { type Moment, momentsOf } from "../analysis/replay.ts";
import type { Incident } from "../domain/incident.ts";
import type { SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import type { Status } from "../domain/status.ts";

/** Recorded time is judged at most so often; of a longer recording every nth moment. */
const MOST_MOMENTS = 5_000;
/** Differences that are told. */
const MOST_SPANS = 200;
const MOST_INCIDENTS = 200;

/** One side of the comparison: a map, and the polls as it names their instances. */
export interface Side {
  map: SystemMap;
  polls: readonly Observation[];
}

/** What a verdict comes to; ids are those of the newer map, sorted. */
export interface Brief {
  status: Status;
  causes: string[];
  impacted: string[];
  systems: Record<string, Status>;
}

/** From one judged moment to the next that is judged alike (exclusive); epoch milliseconds. */
export interface VerdictShift {
  from: number;
  to: number;
  before: Brief;
  after: Brief;
}

export interface IncidentBrief {
  node: string;
  kind: Incident["kind"];
  severity: Incident["severity"];
  opened_at: number;
  resolved_at: number | null;
  impacted: string[];
}

/** An incident that only one map has, or that both have and judge otherwise. */
export interface IncidentShift {
  before: IncidentBrief | null;
  after: IncidentBrief | null;
}

export interface ReplayDiff {
  /** Judged moments, and those whose verdict differs. */
  moments: number;
  differing: number;
  from: number | null;
  to: number | null;
  /** Incidents that either map has; `incidents` lists those that differ. */
  opened: { before: number; after: number };
  incidents: IncidentShift[];
  verdicts: VerdictShift[];
}

/** Judges the same polls by two maps: which past verdicts the newer one would change. `now` gives an old id its new one. */
export function diffReplays(before: Side, after: Side, now: (id: string) => string): ReplayDiff {
  const times = timesOf(after.polls.length > 0 ? after.polls : before.polls);
  const [old, next] = [new Life(before, times, now), new Life(after, times, (id) => id)];
  const verdicts: VerdictShift[] = [];
  let differing = 0;
  const open = { key: "", shift: null as VerdictShift | null };
  for (const [n, at] of times.entries()) {
    const was = old.step();
    const is = next.step();
    if (!was || !is) break;
    const key = JSON.stringify([was, is]);
    if (JSON.stringify(was) === JSON.stringify(is)) {
      open.shift = null;
      continue;
    }
    differing++;
    const to = times[n + 1] ?? at;
    if (open.shift && open.key === key) open.shift.to = to;
    else {
      Object.assign(open, { key, shift: { from: at, to, before: was, after: is } });
      if (open.shift && verdicts.length < MOST_SPANS) verdicts.push(open.shift);
    }
  }
  const [earlier, later] = [old.incidents(), next.incidents()];
  return {
    moments: times.length,
    differing,
    from: times[0] ?? null,
    to: times.at(-1) ?? null,
    opened: { before: earlier.length, after: later.length },
    incidents: incidentShifts(earlier, later).slice(0, MOST_INCIDENTS),
    verdicts,
  };
}

/** Every moment at which polls came, thinned evenly where there are too many; the last always. */
function timesOf(polls: readonly Observation[]): number[] {
  const all = [...new Set(polls.map(({ at }) => at))].sort((a, b) => a - b);
  const every = Math.ceil(all.length / MOST_MOMENTS);
  return all.filter((_, n) => n % every === 0 || n === all.length - 1);
}

/** One map's verdicts and incidents over the recording, moment by moment. */
class Life {
  readonly #moments: Iterator<Moment>;
  readonly #now: (id: string) => string;
  readonly #over: Incident[] = [];
  #incidents: readonly Incident[] = [];
  #nextId = 1;

  constructor({ map, polls }: Side, times: readonly number[], now: (id: string) => string) {
    this.#moments = momentsOf(map, polls, times);
    this.#now = now;
  }

  step(): Brief | null {
    const { value, done } = this.#moments.next();
    if (done) return null;
    const { evidence, verdict, rollup } = value;
    const settings = { settle: null, unreachableAfter: null };
    const advanced = advance({
      incidents: this.#incidents,
      verdict,
      evidence,
      mapRevision: 1,
      nextId: this.#nextId,
      settings,
      frozen: verdict.blind,
    });
    this.#nextId = advanced.nextId;
    // What is over for an hour nothing reopens.
    const isOver = ({ resolvedAt }: Incident): boolean => resolvedAt !== null && evidence.now - resolvedAt > 3_600_000;
    this.#over.push(...advanced.incidents.filter(isOver));
    this.#incidents = advanced.incidents.filter((one) => !isOver(one));
    const impacted = [...verdict.roles].flatMap(([id, { role }]) => (role === "impacted" ? [this.#now(id)] : []));
    return {
      status: rollup.status,
      causes: verdict.causes.map(({ node, link }) => (link ? `${this.#now(link.from)} → ${this.#now(link.to)}` : this.#now(node))).sort(),
      impacted: impacted.sort(),
      systems: Object.fromEntries(
        [...rollup.systems].map(([id, { status }]) => [id, status] as const).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    };
  }

  /** All incidents but those that another took over. */
  incidents(): IncidentBrief[] {
    const all = [...this.#over, ...this.#incidents].filter(({ end }) => end !== "absorbed").sort((a, b) => a.id - b.id);
    return all.map(({ anchor, kind, severity, openedAt, resolvedAt, impacted }) => ({
      node: this.#now(anchor),
      kind,
      severity,
      opened_at: openedAt,
      resolved_at: resolvedAt,
      impacted: impacted.map(({ node }) => this.#now(node)).sort(),
    }));
  }
}

/** Those of one node that overlap in time are the same incident. */
function incidentShifts(before: readonly IncidentBrief[], after: readonly IncidentBrief[]): IncidentShift[] {
  const left = new Set(after);
  const shifts: IncidentShift[] = [];
  for (const old of before) {
    const same = [...left].find((one) => one.node === old.node && overlaps(one, old)) ?? null;
    if (same) left.delete(same);
    const differs = !same || old.kind !== same.kind || old.severity !== same.severity || old.impacted.join() !== same.impacted.join();
    if (differs) shifts.push({ before: old, after: same });
  }
  for (const one of left) shifts.push({ before: null, after: one });
  const opened = ({ before: a, after: b }: IncidentShift): number => a?.opened_at ?? b?.opened_at ?? 0;
  return shifts.sort((a, b) => opened(a) - opened(b));
}

function overlaps(a: IncidentBrief, b: IncidentBrief): boolean {
  const end = ({ resolved_at }: IncidentBrief): number => resolved_at ?? Number.POSITIVE_INFINITY;
  return a.opened_at < end(b) && b.opened_at < end(a);
}
