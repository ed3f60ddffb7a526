import type { ChangeMark, Commit, HistoryWriter, Restored, Revision, Transition } from "../domain/history.ts";
import { renameIn } from "../domain/incident.ts";
import type { AnnouncedWork, SystemMap } from "../domain/map.ts";
import { bringBack, cutGaps as endGaps, forgetAside, redate, writeAside } from "./aside.ts";
import { type Aside, type Misdated, redated } from "./clock.ts";
import type { History } from "./history.ts";
import { writeEvent, writeIncident } from "./incidents.ts";
import { Notices, writeChange } from "./notices.ts";
import { createPresence } from "./presence.ts";
import { createQueue } from "./queue.ts";
import { renameIncidents, renameInTimelines, renameSeries } from "./rename.ts";
import type { Saved } from "./restore.ts";
import type { Retention } from "./retention.ts";
import { writeRevision } from "./revisions.ts";
import { slotOf } from "./samples.ts";
import { encodeWord } from "./words.ts";
import { renameInWorks, writeWork } from "./works.ts";

/** Without anything else to write, the sign of life is written this often. */
const ALIVE_EVERY_MS = 4_000;

/** The writing side over an open history. */
export function createWriter(history: History, saved: Saved, retention: Retention, release: () => void): HistoryWriter {
  const { names, head, memory, states } = history;
  let { lastAnswerAt, nextIncident, nextTransition, nextWork, revision } = saved;
  const { incidents: savedIncidents, works, changes: marked } = saved;
  /** Handed over once: it is large, and whoever took it goes on with another. */
  let state = saved.state;
  const notices = new Notices(works, marked);
  let closed = false;
  let undated = 0;
  const queue = createQueue(history, facts, carryOver);
  const presence = createPresence(history, {
    gap,
    cutGaps,
    changes,
    setAside: (aside) => queue.add(1, (connection) => writeAside(connection, aside)),
    forgetAside: (aside) => queue.add(1, (connection) => forgetAside(connection, aside)),
    bringBack: undoSince,
  });

  function facts(): [string, number | null][] {
    return [
      ["alive", memory.alive],
      ["began", memory.began],
      ["relived", memory.relivedFrom],
      ["next_incident", nextIncident],
      ["last_answer", lastAnswerAt],
      ["probation", history.clock.probation],
      ["cannot_tell", states.cannotTell() ? 1 : 0],
    ];
  }

  /** Into a new, empty file goes what memory still knows. */
  function carryOver(now: number): { weight: number; run: Parameters<typeof queue.add>[1] } {
    names.forget();
    head.forget();
    states.forget();
    memory.began = now;
    history.clock.aside = null;
    const known = revision;
    const open = [...history.incidents.values()];
    return {
      weight: open.length + 1,
      run(connection) {
        if (known) writeRevision(connection, known);
        for (const incident of open) writeIncident(connection, incident, now);
        notices.write(connection, now);
      },
    };
  }

  function gap(from: number, to: number): void {
    memory.addGap({ from, to });
    queue.add(1, ({ sql }) => void sql("INSERT INTO gap(start, stop) VALUES(?, ?)").run(from, to));
  }

  function cutGaps(at: number): void {
    memory.cutGaps(at);
    const { aside } = history.clock;
    queue.add(1, (connection) => endGaps(connection, at, "id >= ?", aside?.marks?.gap ?? 0));
  }

  /** What the wrong clock dated goes, or gets the date at which the clock was right again. */
  function undoSince(aside: Aside, misdated: Misdated): void {
    head.drop(slotOf(misdated.from), slotOf(misdated.to));
    for (const [id, incident] of history.incidents) history.incidents.set(id, redate(incident, misdated));
    const next = nextTransition;
    queue.add(1, (connection) => bringBack(connection, aside, misdated, next));
  }

  function changes(at: number, transitions: readonly Transition[]): void {
    keep({ at, transitions, incidents: [], events: [] });
  }

  /** Puts a batch into memory and among what waits. */
  function keep(batch: Commit): void {
    const { misdated } = history.clock;
    const incidents = batch.incidents.map((incident) => redate(incident, misdated));
    const events = batch.events.map((event) => ({ ...event, at: redated(event.at, misdated) }));
    const rows = batch.transitions.map((given) => {
      // Polls asked before the clock was set are over after it: what they changed was so by now at the latest.
      const transition = { ...given, at: Math.min(batch.at, redated(given.at, misdated)) };
      memory.note(transition);
      return { id: nextTransition++, series: names.series(transition.subject, transition.id), transition };
    });
    for (const incident of incidents) {
      history.incidents.set(incident.id, incident);
      nextIncident = Math.max(nextIncident, incident.id + 1);
    }
    const weight = rows.length + incidents.length + events.length;
    if (weight === 0) return;
    queue.add(weight, (connection) => {
      const insert = connection.sql(
        "INSERT OR IGNORE INTO transition(id, series, at, was, became, reason, incident) VALUES(?, ?, ?, ?, ?, ?, ?)",
      );
      for (const { id, series, transition: t } of rows)
        insert.run(id, series, t.at, t.from === null ? null : encodeWord(t.from), encodeWord(t.to), t.reason, t.incident);
      for (const incident of incidents) writeIncident(connection, incident, batch.at);
      for (const event of events) writeEvent(connection, event);
    });
  }

  function commit(batch: Commit): boolean {
    presence.seen(batch.at);
    keep(batch);
    return queue.write(batch.at);
  }

  function changeWork(work: AnnouncedWork): boolean {
    notices.work(work);
    queue.add(1, (connection) => writeWork(connection, work));
    return queue.write(memory.alive ?? work.announcedAt);
  }

  /** What has a status and is not in the map any more ends here. */
  function endRemoved(map: SystemMap): void {
    const at = memory.alive;
    if (at === null) return;
    const transitions: Transition[] = [];
    for (const [subject, there] of [["node", map.nodes] as const, ["system", map.systems] as const])
      for (const [id] of names.all(subject)) {
        const from = there.has(id) ? null : memory.last(subject, id);
        if (from) transitions.push({ subject, id, at, from, to: "removed", reason: "map", incident: null });
      }
    if (transitions.length > 0) commit({ at, transitions, incidents: [], events: [] });
  }

  return {
    restore(now): Restored {
      const lastDurableAt = memory.alive;
      // One that lies ahead was dated by a clock that was set back since: it is as old as can be told, and no younger.
      const answered = lastAnswerAt === null ? null : Math.min(lastAnswerAt, now);
      for (const incident of savedIncidents) if (incident.status !== "resolved") history.incidents.set(incident.id, incident);
      presence.begin(now);
      queue.transact(now, [], false);
      const recent = savedIncidents.filter((one) => one.status !== "resolved" || (one.resolvedAt ?? 0) >= now - 3_600_000);
      const restored = { state, incidents: recent, nextIncidentId: nextIncident, revision, works, changes: marked };
      state = null;
      return { ...restored, lastDurableAt, lastAnswerAt: answered };
    },
    append(observations) {
      const { misdated } = history.clock;
      let answered = 0;
      for (const observation of observations) {
        // Asked under the wrong clock, and answered after it.
        if (redated(observation.at, misdated) !== observation.at) undated++;
        else head.append(observation);
        if (observation.report) answered = Math.max(answered, observation.at);
      }
      if (answered > 0) lastAnswerAt = answered;
    },
    commit,
    saveState: (state, changed) => states.note(state, changed, nextTransition - 1),
    acceptRevision(accepted) {
      if (revision?.hash === accepted.hash) return revision.revision;
      const next: Revision = { ...accepted, revision: (revision?.revision ?? 0) + 1 };
      revision = next;
      queue.add(1, (connection) => writeRevision(connection, next));
      queue.write(accepted.acceptedAt);
      return next.revision;
    },
    renameNode(from, to) {
      const ended = renameSeries(names, from, to);
      notices.rename(from, to);
      for (const incident of history.incidents.values()) history.incidents.set(incident.id, renameIn(incident, from, to));
      queue.add(1, (connection) => {
        for (const [kept, gone] of ended) {
          connection.sql("UPDATE transition SET series = ? WHERE series = ?").run(kept, gone);
          connection.sql("DELETE FROM series WHERE id = ?").run(gone);
        }
        renameIncidents(connection, from, to);
        renameInWorks(connection, from, to);
        renameInTimelines(connection, from, to);
      });
      if (memory.alive !== null) queue.write(memory.alive);
      memory.reload("node", to);
    },
    addEvent(event) {
      queue.add(1, (connection) => writeEvent(connection, event));
      return queue.write(event.at);
    },
    addChange(change: ChangeMark) {
      notices.change(change);
      queue.add(1, (connection) => writeChange(connection, change));
      return queue.write(memory.alive ?? change.at);
    },
    addWork(work) {
      const kept = { ...work, id: nextWork++ };
      changeWork(kept);
      return kept;
    },
    changeWork,
    follow(map) {
      names.follow(map);
      endRemoved(map);
    },
    flush(now) {
      if (closed) return;
      presence.seen(now);
      const nodes = states.due(now, "due");
      const idle = queue.waiting() === 0 && head.queued() === 0 && nodes.length === 0;
      if (idle && Math.abs(now - (queue.lastWriteAt() ?? Number.NEGATIVE_INFINITY)) < ALIVE_EVERY_MS) return;
      queue.transact(now, nodes, true);
    },
    maintain(now) {
      if (closed || history.failing) return false;
      try {
        return retention.step(now);
      } catch (reason) {
        queue.failed(reason, now);
        return false;
      }
    },
    health: () => ({
      lastWriteAt: queue.lastWriteAt(),
      queued: queue.waiting() + head.queued(),
      dropped: queue.dropped() + head.dropped() + undated,
      open: queue.isOpen(),
      error: queue.error(),
      sizeBytes: retention.size(),
    }),
    close() {
      if (closed) return;
      if (memory.alive !== null) queue.transact(memory.alive, states.due(memory.alive, "all"), true);
      closed = true;
      queue.close();
      release();
    },
  };
}
