import Sqlite from "better-sqlite3";
import type { ChangeMark, Commit, HistoryWriter, Restored, Revision, Transition } from "../domain/history.ts";
import { type Incident, renameIn } from "../domain/incident.ts";
import type { AnnouncedWork, SystemMap } from "../domain/map.ts";
import { startCheckpointer } from "./checkpoint.ts";
import { CHECKPOINT_AT, type Connection, connect, connectToMemory, isCorrupt, logSize, setAside } from "./database.ts";
import type { History } from "./history.ts";
import { writeEvent, writeIncident } from "./incidents.ts";
import type { Names } from "./names.ts";
import type { Saved } from "./restore.ts";
import type { Retention } from "./retention.ts";
import { writeRevision } from "./revisions.ts";
import { encodeWord } from "./words.ts";
import { renameInWorks, writeWork } from "./works.ts";

/** What waits to be written, in the order in which it came. */
interface Job {
  weight: number;
  run(connection: Connection): void;
}

/** Transitions, incidents and events that wait while nothing can be written; beyond that the oldest are dropped. */
const JOBS = 100_000;
/** Without anything else to write, the sign of life is written this often. */
const ALIVE_EVERY_MS = 4_000;
/** A longer silence between two flushes is time in which Headwater did not run: it was stopped, or the clock jumped. */
const GAP_AFTER_MS = 15_000;
/** After this many failures in a row that waiting does not heal, the file is opened anew. */
const REOPEN_AFTER = 3;

/** The writing side over an open history. */
export function createWriter(history: History, saved: Saved, retention: Retention, release: () => void): HistoryWriter {
  const { names, head, memory, states } = history;
  const checkpointer = startCheckpointer(history.file);
  let jobs: Job[] = [];
  let waiting = 0;
  let dropped = 0;
  let error: string | null = null;
  let failures = 0;
  /** What waits holds something that the file refuses: each job is tried by itself, and what fails is dropped. */
  let careful = false;
  /** The file cannot be opened; an empty database in memory stands in for reads. */
  let detached = false;
  let lastWriteAt: number | null = null;
  let aliveWritten = Number.NEGATIVE_INFINITY;
  let { lastAnswerAt, nextIncident, nextTransition, nextWork, revision } = saved;
  let closed = false;

  function enqueue(weight: number, run: (connection: Connection) => void): void {
    jobs.push({ weight, run });
    waiting += weight;
    while (waiting > JOBS && jobs.length > 1) {
      const oldest = jobs.shift();
      waiting -= oldest?.weight ?? 0;
      dropped += oldest?.weight ?? 0;
    }
  }

  /** One transaction with all that waits; false, with the reason kept, when the file does not take it. */
  function transact(now: number, nodes: readonly string[], samples: boolean): boolean {
    if (detached) reopen(now, false);
    if (detached) {
      failures++;
      return false;
    }
    const { connection } = history;
    try {
      connection.db
        .transaction(() => {
          for (const job of jobs) if (!careful) job.run(connection);
          if (careful) runEach(connection);
          if (samples) head.write(connection);
          states.write(connection, nodes);
          names.write(connection);
          const set = connection.sql("INSERT INTO meta(key, value) VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value");
          set.run("alive", now);
          set.run("next_incident", nextIncident);
          if (lastAnswerAt !== null) set.run("last_answer", lastAnswerAt);
          if (memory.began !== null) set.run("began", memory.began);
        })
        .immediate();
    } catch (reason) {
      failed(reason, now);
      return false;
    }
    jobs = [];
    waiting = 0;
    if (samples) head.written();
    names.written();
    states.written(nodes, now);
    lastWriteAt = now;
    aliveWritten = now;
    if (samples && logSize(history.file) > CHECKPOINT_AT) checkpointer.run();
    if (error !== null) history.log("info", `The history is written again after ${failures} failed attempts.`);
    error = null;
    failures = 0;
    careful = false;
    history.failing = false;
    for (const [id, incident] of history.incidents) if (incident.status === "resolved") history.incidents.delete(id);
    return true;
  }

  function runEach(connection: Connection): void {
    for (const job of jobs)
      try {
        connection.db.transaction(() => job.run(connection))();
      } catch (reason) {
        dropped += job.weight;
        history.log("error", `A change could not be kept: ${describe(reason)}`);
      }
  }

  function failed(reason: unknown, now: number): void {
    const sentence = describe(reason);
    if (error !== sentence) history.log("error", `The history is not written: ${sentence}`);
    error = sentence;
    history.failing = true;
    failures++;
    if (!(reason instanceof Sqlite.SqliteError) || reason.code.startsWith("SQLITE_CONSTRAINT")) careful = true;
    else if (isCorrupt(reason) || (!heals(reason.code) && failures % REOPEN_AFTER === 0)) reopen(now, isCorrupt(reason));
  }

  /** Goes on with the file opened anew: a damaged one is put aside first. Closed before, as closing removes `-wal` by name. */
  function reopen(now: number, damaged: boolean): void {
    checkpointer.settle();
    history.connection.db.close();
    try {
      if (damaged) {
        const aside = setAside(history.file);
        history.log("error", `The history ${history.file} is damaged; it is kept as ${aside} and a new one has begun.`);
      }
      history.connection = connect(history.file, false);
      detached = false;
    } catch (reason) {
      error = describe(reason);
      history.connection = connectToMemory();
      detached = true;
      return;
    }
    if (history.connection.sql("SELECT 1 FROM series LIMIT 1").get() === undefined) carryOver(now);
  }

  /** Into a new, empty file goes what memory still knows. */
  function carryOver(now: number): void {
    names.forget();
    head.forget();
    states.forget();
    memory.began = now;
    const known = revision;
    const open = [...history.incidents.values()];
    jobs.unshift({
      weight: open.length + 1,
      run(connection) {
        if (known) writeRevision(connection, known);
        for (const incident of open) writeIncident(connection, incident, now);
      },
    });
    waiting += open.length + 1;
  }

  function sawGap(from: number, to: number): void {
    if (to <= from) return;
    memory.addGap({ from, to });
    enqueue(1, ({ sql }) => void sql("INSERT INTO gap(start, stop) VALUES(?, ?)").run(from, to));
  }

  /** At once where possible; while writing fails, with the next flush that succeeds. */
  function write(now: number, nodes: readonly string[] = []): boolean {
    return !closed && !history.failing && transact(now, nodes, false);
  }

  function commit(batch: Commit): boolean {
    const subjects = new Set<string>();
    const rows = batch.transitions.map((transition) => {
      memory.note(transition);
      subjects.add(ownerOf(transition));
      return { id: nextTransition++, series: names.series(transition.subject, transition.id), transition };
    });
    for (const incident of batch.incidents) {
      history.incidents.set(incident.id, incident);
      nextIncident = Math.max(nextIncident, incident.id + 1);
    }
    const weight = rows.length + batch.incidents.length + batch.events.length;
    if (weight > 0)
      enqueue(weight, (connection) => {
        const insert = connection.sql(
          "INSERT OR IGNORE INTO transition(id, series, at, was, became, reason, incident) VALUES(?, ?, ?, ?, ?, ?, ?)",
        );
        for (const { id, series, transition: t } of rows)
          insert.run(id, series, t.at, t.from === null ? null : encodeWord(t.from), encodeWord(t.to), t.reason, t.incident);
        for (const incident of batch.incidents) writeIncident(connection, incident, batch.at);
        for (const event of batch.events) writeEvent(connection, event);
      });
    memory.alive = batch.at;
    return write(batch.at, states.due(batch.at, subjects));
  }

  function changeWork(work: AnnouncedWork): boolean {
    enqueue(1, (connection) => writeWork(connection, work));
    return write(memory.alive ?? work.announcedAt);
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
      for (const incident of saved.incidents) if (incident.status !== "resolved") history.incidents.set(incident.id, incident);
      if (lastDurableAt !== null) sawGap(lastDurableAt, now);
      else memory.began = now;
      memory.alive = now;
      transact(now, [], false);
      const recent = saved.incidents.filter((one) => one.status !== "resolved" || (one.resolvedAt ?? 0) >= now - 3_600_000);
      const { state, works, changes } = saved;
      return { state, incidents: recent, nextIncidentId: nextIncident, revision, works, changes, lastDurableAt, lastAnswerAt };
    },
    append(observations) {
      for (const observation of observations) {
        head.append(observation);
        if (observation.report) lastAnswerAt = Math.max(lastAnswerAt ?? 0, observation.at);
      }
    },
    commit,
    saveState: (state, changed) => states.note(state, changed, nextTransition - 1),
    acceptRevision(accepted) {
      if (revision?.hash === accepted.hash) return revision.revision;
      const next: Revision = { ...accepted, revision: (revision?.revision ?? 0) + 1 };
      revision = next;
      enqueue(1, (connection) => writeRevision(connection, next));
      write(accepted.acceptedAt);
      return next.revision;
    },
    renameNode(from, to) {
      const ended = renameSeries(names, from, to);
      for (const incident of history.incidents.values()) history.incidents.set(incident.id, renameIn(incident, from, to));
      enqueue(1, (connection) => {
        for (const [kept, gone] of ended) {
          connection.sql("UPDATE transition SET series = ? WHERE series = ?").run(kept, gone);
          connection.sql("DELETE FROM series WHERE id = ?").run(gone);
        }
        renameIncidents(connection, from, to);
        renameInWorks(connection, from, to);
      });
      if (memory.alive !== null) write(memory.alive);
      memory.reload("node", to);
    },
    addEvent(event) {
      enqueue(1, (connection) => writeEvent(connection, event));
      return write(event.at);
    },
    addChange(change: ChangeMark) {
      enqueue(1, ({ sql }) => {
        sql("INSERT INTO change(at, node, text, link, by) VALUES(?, ?, ?, ?, ?)").run(
          change.at,
          change.node,
          change.text,
          change.link,
          change.by,
        );
      });
      return write(memory.alive ?? change.at);
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
      if (memory.alive !== null && now - memory.alive > GAP_AFTER_MS) sawGap(memory.alive, now);
      memory.alive = now;
      const nodes = states.due(now, "due");
      const idle = jobs.length === 0 && head.queued() === 0 && nodes.length === 0;
      if (idle && Math.abs(now - aliveWritten) < ALIVE_EVERY_MS) return;
      transact(now, nodes, true);
    },
    maintain(now) {
      if (closed || history.failing) return false;
      try {
        return retention.step(now);
      } catch (reason) {
        failed(reason, now);
        return false;
      }
    },
    health: () => ({
      lastWriteAt,
      queued: waiting + head.queued(),
      dropped: dropped + head.dropped(),
      open: !closed && !detached,
      error,
      sizeBytes: retention.size(),
    }),
    close() {
      if (closed) return;
      if (memory.alive !== null) transact(memory.alive, states.due(memory.alive, "all"), true);
      closed = true;
      checkpointer.close();
      try {
        history.connection.db.close();
      } catch {
        // A connection that an error already closed.
      }
      release();
    },
  };
}

/** The node in whose row the subject's state is saved. */
function ownerOf(transition: Transition): string {
  const end = transition.id.search(/[>/]/);
  return end === -1 ? transition.id : transition.id.slice(0, end);
}

/** Gives the series of a node, its role, its edges and its only instance the new name; returns [kept, ended] where both existed. */
function renameSeries(names: Names, from: string, to: string): [kept: number, ended: number][] {
  const moves: ["node" | "role" | "instance" | "edge", string, string][] = [
    ["node", from, to],
    ["role", from, to],
    ["instance", from, to],
  ];
  for (const [key] of names.all("edge")) {
    const [service = "", target = ""] = key.split(">");
    if (service === from || target === from)
      moves.push(["edge", key, `${service === from ? to : service}>${target === from ? to : target}`]);
  }
  const ended: [number, number][] = [];
  for (const [kind, old, renamed] of moves) {
    const kept = names.find(kind, old);
    const gone = names.find(kind, renamed);
    names.rename(kind, old, renamed);
    if (kept !== null && gone !== null) ended.push([kept, gone]);
  }
  return ended;
}

function renameIncidents(connection: Connection, from: string, to: string): void {
  const { sql } = connection;
  const touched = sql("SELECT id, body FROM incident WHERE id IN (SELECT incident FROM incident_of WHERE kind = 0 AND key = ?)").all(from);
  for (const { id, body } of touched as { id: number; body: string }[])
    sql("UPDATE incident SET body = ? WHERE id = ?").run(JSON.stringify(renameIn(JSON.parse(body) as Incident, from, to)), id);
  sql("INSERT OR IGNORE INTO incident_of(kind, key, incident) SELECT kind, ?, incident FROM incident_of WHERE kind = 0 AND key = ?").run(
    to,
    from,
  );
  sql("DELETE FROM incident_of WHERE kind = 0 AND key = ?").run(from);
}

/** Waiting heals it: another process lets go of its lock, or somebody makes room. */
function heals(code: string): boolean {
  return code.startsWith("SQLITE_BUSY") || code === "SQLITE_FULL";
}

/** One short sentence for people. */
function describe(reason: unknown): string {
  if (!(reason instanceof Sqlite.SqliteError)) return `writing failed (${reason instanceof Error ? reason.message : String(reason)}).`;
  const { code } = reason;
  if (code === "SQLITE_FULL") return "the disk is full.";
  if (code.startsWith("SQLITE_BUSY") || code === "SQLITE_LOCKED") return "the database is locked by another process.";
  if (code.startsWith("SQLITE_READONLY")) return "the database is read-only.";
  if (code.startsWith("SQLITE_IOERR") || code === "SQLITE_CANTOPEN") return `the disk reports errors (${code}).`;
  if (isCorrupt(reason)) return "the database is damaged.";
  return `writing failed (${code}).`;
}
