import { setImmediate as breathe } from "node:timers/promises";
import type { StripCell } from "../domain/history.ts";
import type { Live } from "../domain/live.ts";
import { type Payload, payloadOf } from "./payload.ts";
import { time } from "./view.ts";

const HOUR_MS = 3_600_000;
const KEPT_FOR_MS = 5_000;
const MAX_KEPT = 8;
/** Nodes that are written before polls and other requests get their turn. */
const AT_ONCE = 200;

/** Strips are dear to make and change slowly: each shape is made once, kept for a few seconds and shared. */
export function createStrips(
  live: Live,
  p95: () => Promise<ReadonlyMap<string, number>>,
): (hours: number, cells: number) => Promise<Payload> {
  const kept = new Map<string, { at: number; payload: Promise<Payload> }>();
  return (hours, cells) => {
    const key = `${hours} ${cells}`;
    const now = live.now();
    const old = kept.get(key);
    if (old && Math.abs(now - old.at) < KEPT_FOR_MS) return old.payload;
    kept.delete(key);
    for (const other of kept.keys()) if (kept.size >= MAX_KEPT) kept.delete(other);
    const payload = p95().then((known) => write(live, now - hours * HOUR_MS, now, cells, known));
    payload.catch(() => kept.delete(key));
    kept.set(key, { at: now, payload });
    return payload;
  };
}

async function write(live: Live, from: number, to: number, cells: number, p95: ReadonlyMap<string, number>): Promise<Payload> {
  const { map } = live.snapshot();
  const nodes: string[] = [];
  for (const [id, strip] of live.history().strips(from, to, cells)) {
    if (!map.nodes.has(id)) continue;
    nodes.push(`${JSON.stringify(id)}:[${strip.map(cellText).join(",")}]`);
    if (nodes.length % AT_ONCE === 0) await breathe();
  }
  const head = JSON.stringify({ from: time(from), to: time(to), cells, p95: Object.fromEntries(p95) });
  return payloadOf(Buffer.from(`${head.slice(0, -1)},"nodes":{${nodes.join(",")}}}`));
}

function cellText(cell: StripCell): string {
  return cell ? `["${cell.status}",${Math.round(cell.share * 1_000) / 1_000}]` : "null";
}
