import { redated } from "../domain/clock.ts";
import type { Commit, Transition } from "../domain/history.ts";
import { type Incident, redate } from "../domain/incident.ts";
import type { Connection } from "./database.ts";
import type { History } from "./history.ts";
import { writeEvent, writeIncident } from "./incidents.ts";
import type { Queue } from "./queue.ts";
import type { Saved } from "./restore.ts";
import { encodeWord } from "./words.ts";

interface Row {
  id: number;
  series: number;
  transition: Transition;
}

/** Changes, incidents and events, each batch on its way into memory and among what waits to be written. */
export class Commits {
  readonly #history: History;
  readonly #queue: Queue;
  nextIncident: number;
  nextTransition: number;

  constructor(history: History, queue: Queue, { nextIncident, nextTransition }: Pick<Saved, "nextIncident" | "nextTransition">) {
    this.#history = history;
    this.#queue = queue;
    this.nextIncident = nextIncident;
    this.nextTransition = nextTransition;
  }

  keep(batch: Commit): void {
    const { memory, names, clock } = this.#history;
    const { misdated } = clock;
    const incidents = batch.incidents.map((incident) => redate(incident, misdated));
    const events = batch.events.map((event) => ({ ...event, at: redated(event.at, misdated) }));
    const rows = batch.transitions.map((given) => {
      // Polls asked before the clock was set are over after it: what they changed was so by now at the latest.
      const transition = { ...given, at: Math.min(batch.at, redated(given.at, misdated)) };
      memory.note(transition);
      return { id: this.nextTransition++, series: names.series(transition.subject, transition.id), transition };
    });
    for (const incident of incidents) this.#hold(incident);
    const weight = rows.length + incidents.length + events.length;
    if (weight === 0) return;
    this.#queue.add(weight, (connection) => {
      writeRows(connection, rows);
      for (const incident of incidents) writeIncident(connection, incident, batch.at);
      for (const event of events) writeEvent(connection, event);
    });
  }

  #hold(incident: Incident): void {
    this.#history.incidents.set(incident.id, incident);
    this.nextIncident = Math.max(this.nextIncident, incident.id + 1);
  }
}

function writeRows({ sql }: Connection, rows: readonly Row[]): void {
  const insert = sql("INSERT OR IGNORE INTO transition(id, series, at, was, became, reason, incident) VALUES(?, ?, ?, ?, ?, ?, ?)");
  for (const { id, series, transition: t } of rows)
    insert.run(id, series, t.at, t.from === null ? null : encodeWord(t.from), encodeWord(t.to), t.reason, t.incident);
}
