import { type AnnouncedWork, renameInWork, type SystemMap } from "../domain/map.ts";

/** More work than this is not announced at once. */
const MOST = 200;
/** Work that is over is held so long, so that its marks are seen to go. */
const KEPT_MS = 3_600_000;

/** Work announced while running, laid over the map's own: to everything below, it is the map's. */
export class Works {
  #held: readonly AnnouncedWork[];
  /** The map last asked for, with what was held then laid over it: what is worked out of a map is kept by that very value. */
  #laid: { map: SystemMap; held: readonly AnnouncedWork[]; over: SystemMap } | null = null;

  constructor(restored: readonly AnnouncedWork[]) {
    this.#held = restored;
  }

  /** The map with the announced work; the very map where none concerns it. */
  onto(map: SystemMap): SystemMap {
    if (this.#laid?.map === map && this.#laid.held === this.#held) return this.#laid.over;
    this.#laid = { map, held: this.#held, over: this.#layOver(map) };
    return this.#laid.over;
  }

  #layOver(map: SystemMap): SystemMap {
    const works = this.#held.flatMap((work) => {
      const nodes = work.nodes.filter((id) => map.nodes.has(id));
      return nodes.length > 0 ? [{ ...work, nodes }] : [];
    });
    return works.length > 0 ? { ...map, maintenance: [...map.maintenance, ...works] } : map;
  }

  /** Whether more can be announced. */
  hasRoom(now: number): boolean {
    return this.#held.filter(({ to }) => to > now).length < MOST;
  }

  add(work: AnnouncedWork, now: number): void {
    this.#held = [...this.#held.filter(({ to }) => to > now - KEPT_MS), work];
  }

  /** The work as it ends now, or as it is called off before it began; null where there is none to end. */
  end(id: number, now: number, by: string): AnnouncedWork | null {
    const work = this.#held.find((one) => one.id === id && one.to > now);
    if (!work) return null;
    const ended = { ...work, from: Math.min(work.from, now), to: now, endedBy: by };
    this.#held = this.#held.map((one) => (one === work ? ended : one));
    return ended;
  }

  rename(from: string, to: string): void {
    this.#held = this.#held.map((work) => renameInWork(work, from, to));
  }
}
