import { renameIn } from "../domain/incident.ts";
import type { Bodies } from "./bodies.ts";
import type { Connection } from "./database.ts";
import type { Names } from "./names.ts";

/** Gives the series of a node, its role, its own words, its edges and its only instance the new name; returns [kept, ended] where both existed. */
export function renameSeries(names: Names, from: string, to: string): [kept: number, ended: number][] {
  const moves: ["node" | "role" | "instance" | "edge" | "word", string, string][] = [
    ["node", from, to],
    ["role", from, to],
    ["instance", from, to],
    ["word", from, to],
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

/** Gives the node its new name in the changes that were marked on it and in the events of incidents. */
export function renameInTimelines({ sql }: Connection, from: string, to: string): void {
  sql("UPDATE change SET node = ? WHERE node = ?").run(to, from);
  sql("UPDATE incident_event SET node = ? WHERE node = ?").run(to, from);
}

/** Gives the node its new name in all incidents that touch it. */
export function renameIncidents({ sql }: Connection, bodies: Bodies, from: string, to: string): void {
  const touched = sql("SELECT id, body FROM incident WHERE id IN (SELECT incident FROM incident_of WHERE kind = 0 AND key = ?)").all(from);
  for (const { id, body } of touched as { id: number; body: string }[]) {
    const incident = bodies(id, body);
    if (incident) sql("UPDATE incident SET body = ? WHERE id = ?").run(JSON.stringify(renameIn(incident, from, to)), id);
  }
  sql("INSERT OR IGNORE INTO incident_of(kind, key, incident) SELECT kind, ?, incident FROM incident_of WHERE kind = 0 AND key = ?").run(
    to,
    from,
  );
  sql("DELETE FROM incident_of WHERE kind = 0 AND key = ?").run(from);
}
