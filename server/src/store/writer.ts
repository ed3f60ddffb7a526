import { type Misdated, redated } from "../domain/clock.ts";
import type { ChangeMark, Commit, HistoryWriter, Restored, Revision, StoreHealth, Transition } from "../domain/history.ts";
import { type IncidentEvent, redate, renameIn } from "../domain/incident.ts";
import type { AnnouncedWork, SystemMap } from "../domain/map.ts";
import type { Observation } from "../domain/observation.ts";
import { bringBack, cutGaps, forgetAside, writeAside } from "./aside.ts";
import { Commits } from "./commits.ts";
import type { History } from "./history.ts";
import { writeEvent, writeIncident } from "./incidents.ts";
import { Notices, writeChange } from "./notices.ts";
import { type Asks, createPresence, type Presence } from "./presence.ts";
import { type Fact, type Job, Queue } from "./queue.ts";
import { renameIncidents, renameInTimelines, renameSeries } from "./rename.ts";
import type { Saved } from "./restore.ts";
import type { Retention } from "./retention.ts";
import { writeRevision } from "./revisions.ts";
import { slotOf } from "./samples.ts";
import { renameInWorks, writeWork } from "./works.ts";

/** Without anything else to write, the sign of life is written this often. */
const ALIVE_EVERY_MS = 4_000;
/** Incidents that are over for longer than this are not shown any more. */
const LISTED_MS = 3_600_000;

/** The writing side over an open history. */
export class Writer implements HistoryWriter {
  readonly #history: History;
  /** Its states are handed over once: they are large, and whoever took them goes on with others. */
  #saved: Saved;
  readonly #retention: Retention;
  readonly #release: () => void;
  readonly #notices: Notices;
  readonly #queue: Queue;
  readonly #presence: Presence;
  readonly #commits: Commits;
  #revision: Revision | null;
  #lastAnswerAt: number | null;
  #nextWork: number;
  /** Polls that were asked by a clock which turned out wrong. */
  #undated = 0;
  #closed = false;

  /** `release` lets another process write. */
  constructor(history: History, saved: Saved, retention: Retention, release: () => void) {
    this.#history = history;
    this.#saved = saved;
    this.#retention = retention;
    this.#release = release;
    this.#notices = new Notices(saved.works, saved.changes);
    this.#queue = new Queue(
      history,
      () => this.#facts(),
      (now) => this.#carryOver(now),
    );
    this.#commits = new Commits(history, this.#queue, saved);
    this.#presence = createPresence(history, this.#asks());
    this.#revision = saved.revision;
    this.#lastAnswerAt = saved.lastAnswerAt;
    this.#nextWork = saved.nextWork;
  }

  restore(now: number): Restored {
    const { memory, incidents, clock } = this.#history;
    const { state, works } = this.#saved;
    this.#saved = { ...this.#saved, state: null };
    const lastDurableAt = memory.alive;
    for (const incident of this.#saved.incidents) if (incident.status !== "resolved") incidents.set(incident.id, incident);
    this.#presence.begin(now);
    this.#queue.transact(now, [], false);
    const dated = this.#saved.incidents.map((incident) => redate(incident, clock.misdated));
    const changes = this.#saved.changes.map((change) => ({ ...change, at: redated(change.at, clock.misdated) }));
    return {
      state,
      incidents: dated.filter((one) => one.status !== "resolved" || (one.resolvedAt ?? 0) >= now - LISTED_MS),
      nextIncidentId: this.#commits.nextIncident,
      revision: this.#revision,
      works,
      changes,
      lastDurableAt,
      // One that lies ahead was dated by a clock that was set back since: it is as old as can be told, and no younger.
      lastAnswerAt: this.#lastAnswerAt === null ? null : Math.min(this.#lastAnswerAt, now),
    };
  }

  misdated(now: number): Misdated | null {
    this.#presence.seen(now);
    return this.#history.clock.misdated;
  }

  append(observations: readonly Observation[]): void {
    const { clock, head } = this.#history;
    let answered = 0;
    for (const observation of observations) {
      // Asked under the wrong clock, and answered after it.
      if (redated(observation.at, clock.misdated) !== observation.at) this.#undated++;
      else head.append(observation);
      if (observation.report) answered = Math.max(answered, observation.at);
    }
    if (answered > 0) this.#lastAnswerAt = answered;
  }

  commit(batch: Commit): boolean {
    this.#presence.seen(batch.at);
    this.#commits.keep(batch);
    return this.#queue.write(batch.at);
  }

  saveState(...[state, changed]: Parameters<HistoryWriter["saveState"]>): void {
    this.#history.states.note(state, changed, this.#commits.nextTransition - 1);
  }

  acceptRevision(accepted: Omit<Revision, "revision">): number {
    const before = this.#revision;
    if (before?.hash === accepted.hash) return before.revision;
    const next: Revision = { ...accepted, revision: (before?.revision ?? 0) + 1 };
    this.#revision = next;
    this.#queue.add(1, (connection) => writeRevision(connection, next));
    this.#queue.write(accepted.acceptedAt);
    return next.revision;
  }

  renameNode(from: string, to: string): void {
    const { names, incidents, memory, bodies } = this.#history;
    const ended = renameSeries(names, from, to);
    this.#notices.rename(from, to);
    for (const incident of incidents.values()) incidents.set(incident.id, renameIn(incident, from, to));
    this.#queue.add(1, (connection) => {
      for (const [kept, gone] of ended) {
        connection.sql("UPDATE transition SET series = ? WHERE series = ?").run(kept, gone);
        connection.sql("DELETE FROM series WHERE id = ?").run(gone);
      }
      renameIncidents(connection, bodies, from, to);
      renameInWorks(connection, from, to);
      renameInTimelines(connection, from, to);
    });
    if (memory.alive !== null) this.#queue.write(memory.alive);
    memory.reload("node", to);
  }

  addEvent(event: IncidentEvent): boolean {
    this.#queue.add(1, (connection) => writeEvent(connection, event));
    return this.#queue.write(event.at);
  }

  addChange(change: ChangeMark): boolean {
    this.#notices.change(change);
    this.#queue.add(1, (connection) => writeChange(connection, change));
    return this.#queue.write(this.#history.memory.alive ?? change.at);
  }

  addWork(work: Omit<AnnouncedWork, "id">): AnnouncedWork {
    const kept = { ...work, id: this.#nextWork++ };
    this.changeWork(kept);
    return kept;
  }

  changeWork(work: AnnouncedWork): boolean {
    this.#notices.work(work);
    this.#queue.add(1, (connection) => writeWork(connection, work));
    return this.#queue.write(this.#history.memory.alive ?? work.announcedAt);
  }

  /** What has a status and is not in the map any more ends here. */
  follow(map: SystemMap): void {
    const { names, memory } = this.#history;
    names.follow(map);
    const at = memory.alive;
    if (at === null) return;
    const transitions: Transition[] = [];
    for (const [subject, there] of [["node", map.nodes] as const, ["system", map.systems] as const])
      for (const [id] of names.all(subject)) {
        const from = there.has(id) ? null : memory.last(subject, id);
        if (from) transitions.push({ subject, id, at, from, to: "removed", reason: "map", incident: null });
      }
    if (transitions.length > 0) this.commit({ at, transitions, incidents: [], events: [] });
  }

  flush(now: number): void {
    if (this.#closed) return;
    const { states, head } = this.#history;
    this.#presence.seen(now);
    const nodes = states.due(now, "due");
    const idle = this.#queue.waiting() === 0 && head.queued() === 0 && nodes.length === 0;
    if (idle && Math.abs(now - (this.#queue.lastWriteAt() ?? Number.NEGATIVE_INFINITY)) < ALIVE_EVERY_MS) return;
    this.#queue.flush(now, nodes);
  }

  maintain(now: number): boolean {
    if (this.#closed || this.#history.failing) return false;
    return this.#queue.upkeep(now, () => this.#retention.step(now));
  }

  health(): StoreHealth {
    const queue = this.#queue;
    const { head } = this.#history;
    return {
      lastWriteAt: queue.lastWriteAt(),
      queued: queue.waiting() + head.queued(),
      dropped: queue.dropped() + head.dropped() + this.#undated,
      open: queue.isOpen(),
      error: queue.error(),
      sizeBytes: this.#retention.size(),
    };
  }

  close(): void {
    if (this.#closed) return;
    const { memory, states } = this.#history;
    if (memory.alive !== null) this.#queue.transact(memory.alive, states.due(memory.alive, "all"), true);
    this.#closed = true;
    this.#queue.close();
    this.#release();
  }

  /** What goes with every transaction. */
  #facts(): Iterable<Fact> {
    const { memory, clock, states } = this.#history;
    return [
      ["alive", memory.alive],
      ["began", memory.began],
      ["relived", memory.relivedFrom],
      ["set_backs", memory.setBacks.length > 0 ? JSON.stringify(memory.setBacks) : null],
      ["next_incident", this.#commits.nextIncident],
      ["last_answer", this.#lastAnswerAt],
      ["probation", clock.probation],
      ["cannot_tell", states.cannotTell() ? 1 : 0],
    ];
  }

  /** Into a new, empty file goes what memory still knows. */
  #carryOver(now: number): Job {
    const { names, head, states, memory, clock, incidents } = this.#history;
    names.forget();
    head.forget();
    states.forget();
    memory.began = now;
    clock.aside = null;
    const known = this.#revision;
    const open = [...incidents.values()];
    return {
      weight: open.length + 1,
      run: (connection) => {
        if (known) writeRevision(connection, known);
        for (const incident of open) writeIncident(connection, incident, now);
        this.#notices.write(connection, now);
      },
    };
  }

  /** What follows from the signs of life and the clock. */
  #asks(): Asks {
    const { memory, clock, head, incidents, bodies } = this.#history;
    const queue = this.#queue;
    return {
      gap(from, to) {
        memory.addGap({ from, to });
        queue.add(1, ({ sql }) => void sql("INSERT INTO gap(start, stop) VALUES(?, ?)").run(from, to));
      },
      cutGaps(at) {
        memory.cutGaps(at);
        const { aside } = clock;
        queue.add(1, (connection) => cutGaps(connection, at, "id >= ?", aside?.marks?.gap ?? 0));
      },
      changes: (at, transitions) => this.#commits.keep({ at, transitions, incidents: [], events: [] }),
      setAside: (aside) => queue.add(1, (connection) => writeAside(connection, aside)),
      forgetAside: (aside) => queue.add(1, (connection) => forgetAside(connection, aside)),
      // What the wrong clock dated goes, or gets the date at which the clock was right again.
      bringBack: (aside, misdated) => {
        head.drop(slotOf(misdated.from), slotOf(misdated.to));
        for (const [id, incident] of incidents) incidents.set(id, redate(incident, misdated));
        const next = this.#commits.nextTransition;
        queue.add(1, (connection) => bringBack(connection, bodies, aside, misdated, next));
      },
    };
  }
}
