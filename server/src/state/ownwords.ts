import type { Transition } from "../domain/history.ts";
import { OWN_WORD_KEPT_MS } from "../domain/label.ts";
import { edgeKey, type SystemMap } from "../domain/map.ts";
import type { SystemState } from "../domain/state.ts";
import type { Status } from "../domain/status.ts";

/** The word last kept of a service, and when that was. */
interface Told {
  word: Status | "none";
  at: number;
}

/** By service; only of those for which something they need is down. */
export type ToldWords = ReadonlyMap<string, Told>;

/** Words that come and go are kept at most this often. */
const SPACING_MS = 60_000;

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
    const since = suffersSince(id, map, state);
    if (since === null) {
      if (known) put(id, null);
      continue;
    }
    const word = at - since >= OWN_WORD_KEPT_MS ? "none" : (state.nodes.get(id)?.ownWord ?? "unknown");
    if (!known || (word !== known.word && (word === "none" || Math.abs(at - known.at) >= SPACING_MS))) put(id, { word, at });
  }
  return { told: after ?? before, rows };
}

function servicesOf(edges: Iterable<string>, told: ToldWords): ReadonlySet<string> {
  const services = new Set(told.keys());
  for (const key of edges) services.add(key.slice(0, key.indexOf(">")));
  return services;
}

/** When the latest of what a service needs and is down went down; null where nothing is. */
function suffersSince(id: string, map: SystemMap, state: SystemState): number | null {
  const node = map.nodes.get(id);
  if (node?.kind !== "service" || node.instances.length === 0) return null;
  let latest: number | null = null;
  for (const { to } of node.edges) {
    const damped = state.edges.get(edgeKey(id, to))?.damped;
    if (damped?.status === "down" && (latest === null || damped.since > latest)) latest = damped.since;
  }
  return latest;
}
