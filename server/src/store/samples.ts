import { COMPONENT_STATUSES, type ComponentStatus } from "../domain/status.ts";
import { type Bytes, type Cursor, readVarint } from "./bytes.ts";

/** Samples are kept in slots of ten minutes, by the time at which the poll was asked. */
export const SLOT_MS = 600_000;
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** Keys of the bulk tables: time first, so that they grow at the end and old time leaves in one piece. */
export const SERIES_SPACE = 2 ** 24;

export function slotOf(at: number): number {
  return Math.floor(at / SLOT_MS);
}

export function keyOf(slot: number, series: number): number {
  return slot * SERIES_SPACE + series;
}

/** What a dependency's check said, by the number of its name within the service. */
export interface DependencySample {
  n: number;
  status: ComponentStatus;
  latencyMs: number | null;
}

/** The dependencies of one poll, with the latencies of their checks. */
export function writeDependencies(into: Bytes, at: number, dependencies: readonly DependencySample[]): void {
  into.varint(((at % SLOT_MS) + SLOT_MS) % SLOT_MS);
  into.varint(dependencies.length);
  for (const one of dependencies) {
    into.varint((one.n << 3) | (COMPONENT_STATUSES.indexOf(one.status) << 1) | (one.latencyMs === null ? 0 : 1));
    if (one.latencyMs !== null) into.varint(tenths(one.latencyMs));
  }
}

/** Calls `visit` for each dependency of each poll of a slot: millions a day, so without an object for each. */
export function readDependencies(
  data: Uint8Array,
  slot: number,
  visit: (at: number, n: number, status: ComponentStatus, latencyMs: number | null) => void,
): void {
  const cursor: Cursor = { data, at: 0 };
  while (cursor.at < data.length) {
    const at = slot * SLOT_MS + readVarint(cursor);
    for (let left = readVarint(cursor); left > 0; left--) {
      const head = readVarint(cursor);
      const latencyMs = head & 1 ? readVarint(cursor) / 10 : null;
      visit(at, head >> 3, COMPONENT_STATUSES[(head >> 1) & 3] ?? "unknown", latencyMs);
    }
  }
}

/** What a dependency's check counts as: its latency, null where it failed; undefined where it tells neither. */
export function countedCheck(status: ComponentStatus, latencyMs: number | null): number | null | undefined {
  if (status === "down") return null;
  return status === "unknown" ? undefined : (latencyMs ?? undefined);
}

/** Up to a day in tenths of a millisecond; what is no number counts as 0. */
export function tenths(ms: number): number {
  return ms > 0 ? Math.min(864_000_000, Math.round(ms * 10)) : 0;
}
