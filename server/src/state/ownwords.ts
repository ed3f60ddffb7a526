import type { Transition } from "../domain/history.ts";
import { edgeKey, type SystemMap } from "../domain/map.ts";
import type { SystemState } from "../domain/state.ts";
import type { Status } from "../domain/status.ts";

/** The word last kept of a service, when that was, and since when something it needs is down. */
interface Told {
  word: Status | "none";
  at: number;
  since: number;
}

/** By service; only of those for which something they need is down. */
export type ToldWords = ReadonlyMap<string, Told>;

/** Words that come and go are kept at most this often, and for this long of one outage: time tells enough by then. */
const SPACING_MS = 60_000;
const LONGEST_MS = 86_400_000;

/**
 * What services say of themselves while something they need is down, as rows for the history: by it labels are judged
 * later, whatever the labels made of the roll-up. `told` is null at the start, when all edges are looked at; `edges` are
 * those that moved since. Costs nothing while nothing is down.
 */
export function ownWords(
  told: ToldWords | null,
  map: SystemMap,
  state: SystemState,
  edges: Iterable<string>,
  at: number,
): { told: ToldWords; rows: Transition[] } {
  const rows: Transition[] = [];
  const before: ToldWords = told ?? new Map();
  let after: Map<string, Told> | null = null;
  const put = (id: string, next: Told | null): void => {
    const was = before.get(id)?.word ?? null;
    const to = next?.word ?? "none";
    if (was !== to) rows.push({ subject: "word", id, at, from: was, to, reason: null, incident: null });
    after ??= new Map(before);
    if (next) after.set(id, next);
    else after.delete(id);
  };
  for (const id of servicesOf(told ? edges : state.edges.keys(), before)) {
    const known = before.get(id);
    if (!suffers(id, map, state)) {
      if (known) put(id, null);
      continue;
    }
    const word = state.nodes.get(id)?.ownWord ?? "unknown";
    if (!known) put(id, { word, at, since: at });
    else if (known.word === "none") continue;
    else if (at - known.since >= LONGEST_MS) put(id, { ...known, word: "none" });
    else if (word !== known.word && at - known.at >= SPACING_MS) put(id, { word, at, since: known.since });
  }
  return { told: after ?? before, rows };
}

function servicesOf(edges: Iterable<string>, told: ToldWords): ReadonlySet<string> {
  const services = new Set(told.keys());
  for (const key of edges) services.add(key.slice(0, key.indexOf(">")));
  return services;
}

function suffers(id: string, map: SystemMap, state: SystemState): boolean {
  const node = map.nodes.get(id);
  if (node?.kind !== "service" || node.instances.length === 0) return false;
  return node.edges.some(({ to }) => state.edges.get(edgeKey(id, to))?.damped.status === "down");
}
