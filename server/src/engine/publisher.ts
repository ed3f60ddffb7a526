import type { Incident } from "../domain/incident.ts";
import type { Publication } from "../domain/live.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { Step } from "../state/reduce.ts";
import type { Attempts } from "./attempts.ts";
import type { Clock } from "./parts.ts";
import { isQuiet, publicationOf } from "./publication.ts";

/** What was published last, and what has moved since: subscribers get one publication a revision. */
export class Publisher {
  readonly #clock: Clock;
  readonly #attempts: Attempts;
  readonly #listeners = new Set<(publication: Publication) => void>();
  #snapshot: Snapshot;
  /** When the oldest poll was done that is not in the published snapshot yet, monotonic; null when all are. */
  #waitingSince: number | null = null;
  /** Nodes whose state is another than the published one, and whether anything moved by more than its times. */
  #touched = new Set<string>();
  #moved = true;

  constructor(clock: Clock, attempts: Attempts, first: Snapshot) {
    this.#clock = clock;
    this.#attempts = attempts;
    this.#snapshot = first;
  }

  get snapshot(): Snapshot {
    return this.#snapshot;
  }

  get waitingSince(): number | null {
    return this.#waitingSince;
  }

  subscribe(listener: (publication: Publication) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A poll was completed that no snapshot holds yet. */
  polled(): void {
    this.#waitingSince ??= this.#clock.monotonic();
  }

  note({ changed, seen }: Pick<Step, "changed" | "seen">): void {
    for (const id of changed.nodes) this.#touched.add(id);
    for (const id of seen) this.#touched.add(id);
    if (changed.nodes.size > 0) this.#moved = true;
  }

  /** Roles, roll-up or incidents may be others now. */
  judged(): void {
    this.#moved = true;
  }

  /** A revision for what moved; times alone wait for the next second, when `timePassed`. */
  publish(photograph: (revision: number) => Snapshot, incidents: readonly Incident[], timePassed: boolean): void {
    if (!this.#moved && incidents.length === 0 && !timePassed) return;
    const before = this.#snapshot;
    const next = photograph(before.revision + 1);
    const publication = publicationOf(before, next, this.#touched, incidents);
    this.#moved = false;
    if (isQuiet(publication) && !timePassed) return;
    this.#snapshot = next;
    this.#touched = new Set();
    this.#waitingSince = null;
    for (const listener of this.#listeners) this.#attempts.run("listener", () => listener(publication));
  }
}
