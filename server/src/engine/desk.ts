import type { ChangeMark } from "../domain/history.ts";
import type { Incident, IncidentEvent } from "../domain/incident.ts";
import type { Actor } from "../domain/live.ts";
import type { AnnouncedWork, Maintenance } from "../domain/map.ts";
import type { Changes } from "./changes.ts";
import type { Judgement } from "./judgement.ts";
import type { Ledger } from "./ledger.ts";
import type { EngineParts } from "./parts.ts";
import type { Works } from "./works.ts";

/** What an operator's act moves, for the engine to carry on with. */
export interface Moved {
  incident(amended: Incident): void;
  context(): void;
  works(): void;
}

/** What operators do: notes, acknowledgements, marked changes and announced work. Durable before it is seen. */
export class Desk {
  readonly #parts: Pick<EngineParts, "reader" | "writer" | "clock" | "log">;
  readonly #judgement: Judgement;
  readonly #ledger: Ledger;
  readonly #works: Works;
  readonly #changes: Changes;
  readonly #moved: Moved;

  constructor(
    parts: Pick<EngineParts, "reader" | "writer" | "clock" | "log">,
    held: { judgement: Judgement; ledger: Ledger; works: Works; changes: Changes },
    moved: Moved,
  ) {
    this.#parts = parts;
    this.#judgement = held.judgement;
    this.#ledger = held.ledger;
    this.#works = held.works;
    this.#changes = held.changes;
    this.#moved = moved;
  }

  note(id: number, text: string, actor: Actor): Incident | null {
    return this.#amend(id, (incident) => incident, { kind: "note", text, by: actor.name });
  }

  acknowledge(id: number, ack: { note: string | null; until: number | null; clear: boolean }, actor: Actor): Incident | null {
    const at = this.#parts.clock.wall();
    const acked = ack.clear ? null : { by: actor.name, at, until: ack.until, note: ack.note };
    return this.#amend(id, (incident) => ({ ...incident, acked }), {
      kind: ack.clear ? "unack" : "ack",
      text: ack.note ?? (ack.clear ? "acknowledgement taken back" : "acknowledged"),
      by: actor.name,
    });
  }

  markChange(change: Omit<ChangeMark, "by">, actor: Actor): void {
    const marked = { ...change, by: actor.name };
    this.#parts.writer.addChange(marked);
    this.#changes.add(marked, this.#parts.clock.wall());
    this.#parts.log.info({ ...marked }, "a change was marked");
    this.#moved.context();
  }

  /** Null when too much is announced already. */
  announceWork(work: Maintenance, actor: Actor): AnnouncedWork | null {
    const now = this.#parts.clock.wall();
    if (!this.#works.hasRoom(now)) return null;
    const announced = this.#parts.writer.addWork({ ...work, by: actor.name, announcedAt: now, endedBy: null });
    this.#works.add(announced, now);
    this.#parts.log.info({ ...announced }, "work was announced");
    this.#moved.works();
    return announced;
  }

  /** Null when there is no such work to end. */
  endWork(id: number, actor: Actor): AnnouncedWork | null {
    const ended = this.#works.end(id, this.#parts.clock.wall(), actor.name);
    if (!ended) return null;
    this.#parts.writer.changeWork(ended);
    this.#parts.log.info({ ...ended }, "announced work was ended");
    this.#moved.works();
    return ended;
  }

  #amend(id: number, change: (incident: Incident) => Incident, event: Pick<IncidentEvent, "kind" | "text" | "by">): Incident | null {
    const listed = this.#judgement.listed(id);
    const incident = listed ?? this.#parts.reader.incident(id);
    if (!incident) return null;
    const amended = change(incident);
    const now = this.#parts.clock.wall();
    this.#ledger.commit(now, [], [amended], [{ incident: id, at: now, node: null, ...event }]);
    if (!listed) return amended;
    this.#judgement.amend(amended);
    this.#moved.incident(amended);
    return amended;
  }
}
