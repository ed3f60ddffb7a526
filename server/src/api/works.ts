import type { Live } from "../domain/live.ts";
import type { AnnouncedWork, Maintenance } from "../domain/map.ts";

/** More than this is not listed at once. */
export const MOST_WORKS = 500;

/**
 * All work that overlaps [from, to), the map's and the announced, on any of `on` where some are given; the latest to begin
 * first. What is held in memory wins over the history, which may not have been written yet.
 */
export function worksWithin(live: Live, from: number, to: number, on?: readonly string[]): (Maintenance | AnnouncedWork)[] {
  const held = live.snapshot().map.maintenance;
  const known = new Set(held.flatMap((work) => (isAnnounced(work) ? [work.id] : [])));
  const past = live.history().works(from, to, MOST_WORKS, on);
  return [
    ...held.filter((work) => work.to > from && work.from < to && (!on || work.nodes.some((id) => on.includes(id)))),
    ...past.filter(({ id }) => !known.has(id)),
  ].sort((a, b) => b.from - a.from);
}

export function isAnnounced(work: Maintenance | AnnouncedWork): work is AnnouncedWork {
  return "id" in work;
}
