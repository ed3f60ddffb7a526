import { setImmediate as breathe } from "node:timers/promises";
import type { DayStrip, StripCell } from "../domain/history.ts";
import type { Live } from "../domain/live.ts";
import { compareStatus, STATUSES, type Status } from "../domain/status.ts";
import { type Payload, payloadOf } from "./payload.ts";
import { time } from "./view.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_KEPT = 8;
/** Strips are made for this long before polls and other requests get their turn. */
const TURN_MS = 4;

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
      p95(at).then((known) => writeCells(live, (at ?? now) - hours * HOUR_MS, at ?? now, cells, known)),
    ),
    days: shared(live, 30_000, ([count], now) => p95(null).then((known) => writeDays(live, count, now, known))),
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

/** Everything of an iterable that is read bit by bit, with pauses. */
async function* inTurns<T>(all: Iterable<T>): AsyncGenerator<T> {
  let turn = performance.now();
  for (const one of all) {
    yield one;
    if (performance.now() - turn < TURN_MS) continue;
    await breathe();
    turn = performance.now();
  }
}

async function writeCells(live: Live, from: number, to: number, cells: number, p95: ReadonlyMap<string, number>): Promise<Payload> {
  const { map } = live.snapshot();
  const nodes: string[] = [];
  for await (const [id, strip] of inTurns(live.history().strips(from, to, cells)))
    if (map.nodes.has(id)) nodes.push(`${JSON.stringify(id)}:[${strip.map(cellText).join(",")}]`);
  const head = JSON.stringify({ from: time(from), to: time(to), cells, p95: Object.fromEntries(p95) });
  return payloadOf(Buffer.from(`${head.slice(0, -1)},"nodes":{${nodes.join(",")}}}`));
}

function cellText(cell: StripCell): string {
  return cell ? `["${cell.status}",${Math.round(cell.share * 1_000) / 1_000}]` : "null";
}

async function writeDays(live: Live, count: number, to: number, p95: ReadonlyMap<string, number>): Promise<Payload> {
  const { map } = live.snapshot();
  const there = { node: map.nodes, system: map.systems };
  const lines = { node: [] as string[], system: [] as string[] };
  const uptime = { node: {} as Record<string, number>, system: {} as Record<string, number> };
  const from = (Math.floor(to / DAY_MS) - count + 1) * DAY_MS;
  for await (const { subject, id, held } of inTurns(live.history().days(to, count))) {
    if (!there[subject].has(id)) continue;
    lines[subject].push(`${JSON.stringify(id)}:[${dayTexts(held, from, to).join(",")}]`);
    const share = uptimeOf(held);
    if (share !== null) uptime[subject][id] = share;
  }
  const head = JSON.stringify({
    from: time(from),
    to: time(to),
    days: count,
    uptime: { nodes: uptime.node, systems: uptime.system },
    p95: Object.fromEntries(p95),
  });
  return payloadOf(Buffer.from(`${head.slice(0, -1)},"nodes":{${lines.node.join(",")}},"systems":{${lines.system.join(",")}}}`));
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
