import type { DayStrip, StripCell } from "../domain/history.ts";
import type { Live } from "../domain/live.ts";
import { compareStatus, STATUSES, type Status } from "../domain/status.ts";
import { Members, type Payload, payloadOf } from "./payload.ts";
import { inTurns } from "./turns.ts";
import { time } from "./view.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_KEPT = 8;
/** Percentiles as they are, or as they were at a moment. */
type P95 = (at: number | null) => Promise<ReadonlyMap<string, number>>;

/** Strips are dear to make and change slowly: each shape is made once, kept for a while and shared. */
export interface Strips {
  /** The last hours in equal cells, as of `at` (epoch milliseconds) where it is given. */
  cells(hours: number, cells: number, at: number | null): Promise<Payload>;
  /** The last UTC days. */
  days(count: number): Promise<Payload>;
}

export function createStrips(live: Live, p95: P95): Strips {
  return {
    cells: shared(live, 5_000, ([hours, cells, at], now) =>
      p95(at).then((known) => inTurns(writeCells(live, (at ?? now) - hours * HOUR_MS, at ?? now, cells, known))),
    ),
    days: shared(live, 30_000, ([count], now) => p95(null).then((known) => inTurns(writeDays(live, count, now, known)))),
  };
}

function shared<Asked extends (number | null)[]>(
  live: Live,
  keepMs: number,
  make: (asked: Asked, now: number) => Promise<Payload>,
): (...asked: Asked) => Promise<Payload> {
  const kept = new Map<string, { at: number; payload: Promise<Payload> }>();
  return (...asked) => {
    const key = asked.join(" ");
    const now = live.now();
    const old = kept.get(key);
    if (old && Math.abs(now - old.at) < keepMs) return old.payload;
    kept.delete(key);
    for (const other of kept.keys()) if (kept.size >= MAX_KEPT) kept.delete(other);
    const payload = make(asked, now);
    payload.catch(() => kept.delete(key));
    kept.set(key, { at: now, payload });
    return payload;
  };
}

/** An object's JSON with objects of members behind its own, by name. */
function withMembers(head: object, objects: Record<string, Members>): Buffer {
  const parts = Object.entries(objects).flatMap(([name, members]) => [Buffer.from(`,"${name}":`), ...members.between("{", "}")]);
  return Buffer.concat([Buffer.from(JSON.stringify(head).slice(0, -1)), ...parts, Buffer.from("}")]);
}

/** Equal cells in a row are the first of them and how many more there are. */
function member(id: string, cells: readonly string[]): string {
  const parts: string[] = [];
  for (let at = 0, next = 0; at < cells.length; at = next) {
    const cell = cells[at] ?? "null";
    while (next < cells.length && cells[next] === cell) next++;
    parts.push(next - at > 1 ? `${cell},${next - at - 1}` : cell);
  }
  return `${JSON.stringify(id)}:[${parts.join(",")}]`;
}

/** What was not seen in all the time has cells all the same: without them its time would not be known to be a gap. */
function addUnseen(lines: Members, ids: Iterable<string>, cells: number): void {
  const none = cells > 1 ? `[null,${cells - 1}]` : "[null]";
  for (const id of ids) lines.add(`${JSON.stringify(id)}:${none}`);
}

function* writeCells(live: Live, from: number, to: number, cells: number, p95: ReadonlyMap<string, number>): Generator<void, Payload> {
  const { map } = live.snapshot();
  const unseen = new Set(map.nodes.keys());
  const nodes = new Members();
  for (const [id, strip] of live.history().strips(from, to, cells)) {
    if (unseen.delete(id)) nodes.add(member(id, strip.map(cellText)));
    yield;
  }
  addUnseen(nodes, unseen, cells);
  return payloadOf(withMembers({ from: time(from), to: time(to), cells, p95: Object.fromEntries(p95) }, { nodes }));
}

function cellText(cell: StripCell): string {
  return cell ? `["${cell.status}",${Math.round(cell.share * 1_000) / 1_000}]` : "null";
}

function* writeDays(live: Live, count: number, to: number, p95: ReadonlyMap<string, number>): Generator<void, Payload> {
  const { map } = live.snapshot();
  const unseen = { node: new Set(map.nodes.keys()), system: new Set(map.systems.keys()) };
  const lines = { node: new Members(), system: new Members() };
  const uptime = { node: {} as Record<string, number>, system: {} as Record<string, number> };
  const from = (Math.floor(to / DAY_MS) - count + 1) * DAY_MS;
  for (const { subject, id, held } of live.history().days(to, count)) {
    yield;
    if (!unseen[subject].delete(id)) continue;
    lines[subject].add(member(id, dayTexts(held, from, to)));
    const share = uptimeOf(held);
    if (share !== null) uptime[subject][id] = share;
  }
  for (const subject of ["node", "system"] as const) addUnseen(lines[subject], unseen[subject], count);
  const head = {
    from: time(from),
    to: time(to),
    days: count,
    uptime: { nodes: uptime.node, systems: uptime.system },
    p95: Object.fromEntries(p95),
  };
  return payloadOf(withMembers(head, { nodes: lines.node, systems: lines.system }));
}

const KNOWN_WORST_FIRST: readonly Status[] = STATUSES.filter((status) => status !== "unknown").sort((a, b) => compareStatus(b, a));
const HEALTHY = STATUSES.indexOf("healthy");
const DEGRADED = STATUSES.indexOf("degraded");
const UNHEALTHY = STATUSES.indexOf("unhealthy");

/** A cell a day: a moment without sight does not colour a day, unless nothing else is known of it. */
function dayTexts(held: DayStrip["held"], from: number, to: number): string[] {
  const texts: string[] = [];
  for (let at = 0, start = from; at < held.length; at += STATUSES.length, start += DAY_MS) {
    const length = Math.min(DAY_MS, to - start);
    const ms = (word: number): number => Math.round(held[at + word] ?? 0);
    const known = ms(HEALTHY) + ms(DEGRADED) + ms(UNHEALTHY);
    const worst = KNOWN_WORST_FIRST.find((status) => ms(STATUSES.indexOf(status)) > 0) ?? "unknown";
    const share = ms(STATUSES.indexOf(worst)) / Math.max(1, length);
    if (known === 0 && share === 0) texts.push("null");
    else if (known === ms(HEALTHY) && known >= length) texts.push(`["healthy",1]`);
    else {
      const rounded = Math.min(1, Math.round(share * 10_000) / 10_000);
      texts.push(`["${worst}",${rounded},${ms(DEGRADED)},${ms(UNHEALTHY)},${Math.max(0, Math.round(length) - known)}]`);
    }
  }
  return texts;
}

/** Null for what was never seen; six digits, as five nines need them. */
function uptimeOf(held: DayStrip["held"]): number | null {
  let up = 0;
  let seen = 0;
  for (let at = 0; at < held.length; at += STATUSES.length) {
    const works = (held[at + HEALTHY] ?? 0) + (held[at + DEGRADED] ?? 0);
    up += works;
    seen += works + (held[at + UNHEALTHY] ?? 0);
  }
  return seen === 0 ? null : Math.floor((up / seen) * 1e6) / 1e6;
}
