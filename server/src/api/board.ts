import { incidentsByNode } from "../analysis/membership.ts";
import type * as wire from "../contract/index.ts";
import type { Live } from "../domain/live.ts";
import type { MapNode, SystemMap } from "../domain/map.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { NodeState } from "../domain/state.ts";
import type { Role } from "../domain/status.ts";
import { type Payload, payloadOf } from "./payload.ts";
import { ageOf, freshnessView, incidentView, mapStatusView, nodeView, systemViews, time } from "./view.ts";

/** Ages on a board are at most this old. */
const MAX_AGE_MS = 1_000;

/** A node's JSON in two halves with room for its age between them, and what it was made from. Bytes: joining texts costs more. */
interface Written {
  state: NodeState | undefined;
  node: MapNode;
  role: Role | null;
  incident: number | null;
  head: Buffer;
  tail: Buffer;
}

const OPEN = Buffer.from("[");
const COMMA = Buffer.from(",");
const CLOSE = Buffer.from("]");

export interface Board {
  /** The board as it is now: made once per revision and second, however many ask. */
  current(): { payload: Payload; etag: string; unchanged: boolean };
  /** JSON array of whole nodes, in pieces; ids that the map does not know are left out. */
  nodes(snapshot: Snapshot, ids: Iterable<string>, now: number): Buffer[];
}

/**
 * Writes the board. `unchanged` is false where something outside the revision moved (freshness, a refused map), so that
 * nobody is told "not modified" by an aggregator that has gone stale since.
 */
export function createBoard(live: Live): Board {
  const written = new Map<string, Written>();
  let made: { revision: number; facts: string; firstFacts: string; at: number; payload: Payload } | null = null;

  function nodes(snapshot: Snapshot, ids: Iterable<string>, now: number): Buffer[] {
    const incidents = incidentsByNode(snapshot);
    if (written.size > snapshot.map.nodes.size) forgetRemoved(written, snapshot.map);
    const parts: Buffer[] = [OPEN];
    for (const id of ids) {
      const node = snapshot.map.nodes.get(id);
      if (!node) continue;
      const state = snapshot.state.nodes.get(id);
      const role = snapshot.verdict.roles.get(id)?.role ?? null;
      const incident = incidents.get(id) ?? null;
      let entry = written.get(id);
      if (!entry || entry.state !== state || entry.node !== node || entry.role !== role || entry.incident !== incident) {
        entry = { state, node, role, incident, ...write(nodeView(node, state, role, incident, now)) };
        written.set(id, entry);
      }
      if (parts.length > 1) parts.push(COMMA);
      parts.push(entry.head, Buffer.from(String(ageOf(state?.lastChecked ?? null, now))), entry.tail);
    }
    parts.push(CLOSE);
    return parts;
  }

  function current(): { payload: Payload; etag: string; unchanged: boolean } {
    const snapshot = live.snapshot();
    const now = live.now();
    const facts = outsideFacts(live, snapshot);
    if (made?.revision !== snapshot.revision || made.facts !== facts || Math.abs(now - made.at) >= MAX_AGE_MS) {
      const firstFacts = made?.revision === snapshot.revision ? made.firstFacts : facts;
      const rest = JSON.stringify(boardWithoutNodes(live, snapshot, now));
      const payload = payloadOf(joinNodes(rest, nodes(snapshot, snapshot.map.nodes.keys(), now)));
      made = { revision: snapshot.revision, facts, firstFacts, at: now, payload };
    }
    return { payload: made.payload, etag: `W/"${live.boot}-${snapshot.revision}"`, unchanged: facts === made.firstFacts };
  }

  return { current, nodes };
}

/** Closes an object's JSON with its nodes. */
export function joinNodes(json: string, nodes: readonly Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(`${json.slice(0, -1)},"nodes":`), ...nodes, Buffer.from("}")]);
}

function boardWithoutNodes(live: Live, snapshot: Snapshot, now: number): Omit<wire.Board, "nodes"> {
  return {
    boot: live.boot,
    revision: snapshot.revision,
    generated_at: time(now),
    site: live.config.site,
    status: snapshot.rollup.status,
    coverage: { known: snapshot.rollup.coverage.known, total: snapshot.rollup.coverage.total },
    freshness: freshnessView(live, now),
    map: mapStatusView(live),
    systems: systemViews(snapshot.map, snapshot.rollup),
    incidents: snapshot.incidents.map(incidentView),
  };
}

/** What the board says that no revision counts. */
function outsideFacts(live: Live, snapshot: Snapshot): string {
  const { revision, refused } = live.mapInfo();
  return JSON.stringify([live.signal().because, snapshot.state.blind?.since, revision, refused?.at]);
}

function write(view: wire.NodeView): { head: Buffer; tail: Buffer } {
  const { age_ms: _age, stale, pending, marks, last_known, latency_ms, tags, ...first } = view;
  const last = { stale, pending, marks, ...(last_known ? { last_known } : {}), latency_ms, tags };
  return { head: Buffer.from(`${JSON.stringify(first).slice(0, -1)},"age_ms":`), tail: Buffer.from(`,${JSON.stringify(last).slice(1)}`) };
}

function forgetRemoved(written: Map<string, Written>, map: SystemMap): void {
  for (const id of written.keys()) if (!map.nodes.has(id)) written.delete(id);
}
