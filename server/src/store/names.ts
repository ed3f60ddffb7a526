import { TRANSITION_SUBJECTS, type TransitionSubject } from "../domain/history.ts";
import { edgeKey, type SystemMap } from "../domain/map.ts";
import type { Connection } from "./database.ts";
import { ensure } from "./ensure.ts";

/** A name that a service reports: its number within the service, and the series of the node it means. */
interface ComponentName {
  n: number;
  name: string;
  target: number;
}

/** More names than this from one service are noise, such as names with a time in them. */
const COMPONENTS_PER_SERVICE = 256;

/**
 * Small whole numbers for the names in history. Given out in memory and written with the next transaction, so that a
 * write that fails leaves nothing behind that the database does not know.
 */
export interface Names {
  series(kind: TransitionSubject, key: string): number;
  /** The series if history knows it. */
  find(kind: TransitionSubject, key: string): number | null;
  /** Key of a series, or null. */
  key(series: number): { kind: TransitionSubject; key: string } | null;
  all(kind: TransitionSubject): Iterable<[key: string, series: number]>;
  /** Null for a name beyond the bound. */
  component(service: number, name: string): ComponentName | null;
  components(service: number): readonly ComponentName[];
  /** Numbers of the names by which a service reports one node. */
  numbersOf(service: number, target: number): ReadonlySet<number>;
  /** The reported names' meaning by this map, from now on. */
  follow(map: SystemMap): void;
  rename(kind: TransitionSubject, from: string, to: string): void;
  /** Writes what is new; inside a transaction. */
  write(connection: Connection): void;
  /** The transaction was committed. */
  written(): void;
  /** Everything has to be written again, into a new database. */
  forget(): void;
}

export function loadNames(connection: Connection): Names {
  const byKey = TRANSITION_SUBJECTS.map(() => new Map<string, number>());
  const bySeries = new Map<number, { kind: TransitionSubject; key: string }>();
  const reported = new Map<number, Map<string, ComponentName>>();
  let freshSeries = new Set<number>();
  let freshComponents = new Set<ComponentName & { series: number }>();
  /** By service and name, where that is not the node's id. */
  let meaning: ReadonlyMap<string, string> = new Map();
  let last = 0;

  for (const row of connection.sql("SELECT id, kind, key FROM series").all() as { id: number; kind: number; key: string }[]) {
    remember(row.id, TRANSITION_SUBJECTS[row.kind] ?? "node", row.key);
  }
  for (const row of connection.sql("SELECT series, n, name, target FROM component").all() as (ComponentName & { series: number })[]) {
    componentsOf(row.series).set(row.name, { n: row.n, name: row.name, target: row.target });
  }

  function remember(id: number, kind: TransitionSubject, key: string): void {
    byKey[TRANSITION_SUBJECTS.indexOf(kind)]?.set(key, id);
    bySeries.set(id, { kind, key });
    if (id > last) last = id;
  }

  function series(kind: TransitionSubject, key: string): number {
    const known = find(kind, key);
    if (known !== null) return known;
    remember(last + 1, kind, key);
    freshSeries.add(last);
    return last;
  }

  function find(kind: TransitionSubject, key: string): number | null {
    return byKey[TRANSITION_SUBJECTS.indexOf(kind)]?.get(key) ?? null;
  }

  function componentsOf(service: number): Map<string, ComponentName> {
    return ensure(reported, service, () => new Map());
  }

  function targetOf(service: number, name: string): number {
    const id = bySeries.get(service)?.key ?? "";
    return series("node", meaning.get(edgeKey(id, name)) ?? name);
  }

  return {
    series,
    find,
    key: (id) => bySeries.get(id) ?? null,
    all: (kind) => byKey[TRANSITION_SUBJECTS.indexOf(kind)] ?? [],
    component(service, name) {
      const names = componentsOf(service);
      const known = names.get(name);
      if (known) return known;
      if (names.size >= COMPONENTS_PER_SERVICE) return null;
      const made = { n: names.size, name, target: targetOf(service, name) };
      names.set(name, made);
      freshComponents.add({ ...made, series: service });
      return made;
    },
    components: (service) => [...(reported.get(service)?.values() ?? [])],
    numbersOf(service, target) {
      const numbers = new Set<number>();
      for (const known of reported.get(service)?.values() ?? []) if (known.target === target) numbers.add(known.n);
      return numbers;
    },
    follow(map) {
      const meant = new Map<string, string>();
      for (const node of map.nodes.values())
        if (node.kind === "service")
          for (const edge of node.edges)
            for (const name of edge.components) if (name !== edge.to) meant.set(edgeKey(node.id, name), edge.to);
      meaning = meant;
      for (const [service, names] of reported)
        for (const known of names.values()) {
          const target = targetOf(service, known.name);
          if (target === known.target) continue;
          known.target = target;
          freshComponents.add({ ...known, series: service });
        }
    },
    rename(kind, from, to) {
      const id = find(kind, from);
      if (id === null) return;
      byKey[TRANSITION_SUBJECTS.indexOf(kind)]?.delete(from);
      const other = find(kind, to);
      if (other !== null) bySeries.delete(other);
      remember(id, kind, to);
      freshSeries.add(id);
    },
    write({ sql }) {
      const insert = sql("INSERT INTO series(id, kind, key) VALUES(?, ?, ?) ON CONFLICT(id) DO UPDATE SET key = excluded.key");
      for (const id of freshSeries) {
        const name = bySeries.get(id);
        if (name) insert.run(id, TRANSITION_SUBJECTS.indexOf(name.kind), name.key);
      }
      const name = sql("INSERT OR REPLACE INTO component(series, n, name, target) VALUES(?, ?, ?, ?)");
      for (const made of freshComponents) name.run(made.series, made.n, made.name, made.target);
    },
    written() {
      if (freshSeries.size > 0) freshSeries = new Set();
      if (freshComponents.size > 0) freshComponents = new Set();
    },
    forget() {
      freshSeries = new Set(bySeries.keys());
      freshComponents = new Set();
      for (const [service, names] of reported) for (const known of names.values()) freshComponents.add({ ...known, series: service });
    },
  };
}
