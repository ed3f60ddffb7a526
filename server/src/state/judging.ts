import type { EdgeState, NodeState } from "../domain/state.ts";
import { corroborateEdge } from "./edges.ts";
import { judgeWitnessed } from "./hearing.ts";
import type { MapIndex } from "./mapindex.ts";
import { hasMoved, type Moment } from "./nodes.ts";
import { judgePolled } from "./polled.ts";
import type { Sheet } from "./sheet.ts";
import { blamesMost, corroborated } from "./witnesses.ts";

/** Statements about one node that are pending flip at once where enough witnesses newly agree. */
export function corroborate(sheet: Sheet, target: number): void {
  if (sheet.blind) return;
  const witnesses = sheet.index.witnesses[target] as MapIndex["witnesses"][number];
  const position = (n: number): number => witnesses[n]?.edge as number;
  const flips = corroborated(
    witnesses.length,
    (n) => sheet.edges.at(position(n)),
    (n) => witnesses[n]?.service.node.interval ?? 0,
  );
  for (const n of flips) {
    const edge = sheet.edges.at(position(n));
    sheet.putEdge(position(n), edge, corroborateEdge(edge));
  }
}

function heard(sheet: Sheet, position: number): readonly EdgeState[] {
  return (sheet.index.witnesses[position] ?? []).map(({ edge }) => sheet.edges.at(edge));
}

function isBlamingMost(sheet: Sheet, reporter: string): boolean {
  const service = sheet.index.service[sheet.index.nodes.position.get(reporter) ?? -1];
  return service ? blamesMost(service.edges.map((_, offset) => sheet.edges.at(service.firstEdge + offset))) : false;
}

/** A node that was healthy undisputed is disputed only by two who say down, and only once some witness speaks anew. */
function mayBeDisputed(sheet: Sheet, position: number, before: NodeState): boolean {
  // Whoever disputed it also dates the end of the dispute.
  if (before.marks.includes("disputed")) return true;
  if (before.status === "healthy" && !sheet.spokenOf.has(position)) return false;
  let blames = 0;
  for (const { edge } of sheet.index.witnesses[position] ?? []) if (sheet.edges.at(edge).damped.status === "down") blames++;
  return blames >= 2;
}

/** Judges one node by all that is known of it now. */
export function judgeNode(sheet: Sheet, position: number, moment: Moment): void {
  const before = sheet.nodes.at(position);
  const node = sheet.index.node[position] as MapIndex["node"][number];
  const service = sheet.index.service[position];
  const works = sheet.index.maintenance.get(before.id);
  const after =
    node.kind === "service" && service && service.instances.length > 0
      ? judgePolled(
          before,
          node,
          service.instances.map((at) => sheet.instances.at(at)),
          mayBeDisputed(sheet, position, before) ? heard(sheet, position) : [],
          works,
          moment,
        )
      : judgeWitnessed(before, heard(sheet, position), (reporter) => isBlamingMost(sheet, reporter), works, moment);
  sheet.nodes.put(position, after, Number.POSITIVE_INFINITY);
  if (hasMoved(before, after)) {
    sheet.changed.nodes.add(before.id);
    sheet.seen.delete(before.id);
    sheet.report("node", before.id, before.status, after.status, after.reason);
  } else if (before.lastChecked !== after.lastChecked || before.latencyMs !== after.latencyMs) sheet.seen.add(before.id);
}
