import { type Misdated, redated } from "../domain/clock.ts";
import { type ChangeMark, renameInChange } from "../domain/history.ts";

/** Marked changes are at hand for the reasons of causes this long, and so many of them. */
const KEPT_MS = 86_400_000;
const MOST = 500;

/** Deploys and other changes that somebody marked lately, newest first. */
export class Changes {
  #held: readonly ChangeMark[];

  constructor(restored: readonly ChangeMark[]) {
    this.#held = restored;
  }

  get latest(): readonly ChangeMark[] {
    return this.#held;
  }

  add(change: ChangeMark, now: number): void {
    this.#held = [change, ...this.#held.filter(({ at }) => at > now - KEPT_MS)].slice(0, MOST);
  }

  /** What a wrong clock dated gets the moment at which that showed. */
  followClock(misdated: Misdated | null): void {
    this.#held = this.#held.map((change) => ({ ...change, at: redated(change.at, misdated) }));
  }

  rename(from: string, to: string): void {
    this.#held = this.#held.map((change) => renameInChange(change, from, to));
  }
}
