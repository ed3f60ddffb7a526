import type { Place } from "../domain/map.ts";
import type { DraftEdge } from "./collect.ts";
import type { Context } from "./context.ts";
import { comparePlaces } from "./problems.ts";
import { textOf } from "./tree.ts";

/** Cycles that are told; in a tangle, more say nothing new. */
const MOST_CYCLES = 50;

interface Arc {
  from: string;
  to: string;
  place: Place;
}

/**
 * Warns of cycles of hard dependencies, each as a path with the place of every edge. Alternatives count only where all
 * of them are needed: otherwise one failure does not go round.
 */
export function hardCycles(context: Context, edges: ReadonlyMap<string, readonly DraftEdge[]>): void {
  const arcs = new Map<string, Arc[]>();
  for (const [from, list] of edges) arcs.set(from, arcsOf(from, list));
  const component = stronglyConnected(arcs);
  const covered = new Set<Arc>();
  let told = 0;
  for (const list of arcs.values()) {
    for (const arc of list) {
      if (covered.has(arc) || component.get(arc.from) !== component.get(arc.to)) continue;
      if (told++ >= MOST_CYCLES) return;
      const cycle = shortestThrough(arc, arcs, component);
      for (const part of cycle) covered.add(part);
      report(context, cycle);
    }
  }
}

function arcsOf(from: string, edges: readonly DraftEdge[]): Arc[] {
  const arcs: Arc[] = [];
  for (const edge of edges) {
    const need = typeof edge.need?.value === "number" ? edge.need.value : 1;
    if (edge.criticality !== "hard" || (edge.group && need < edge.targets.length)) continue;
    for (const target of edge.targets) if (textOf(target) !== from) arcs.push({ from, to: textOf(target), place: edge.place });
  }
  return arcs;
}

/** Begins at the edge that stands first in the files. */
function report(context: Context, cycle: readonly Arc[]): void {
  let start = 0;
  cycle.forEach((arc, index) => {
    const best = cycle[start];
    if (best && comparePlaces(arc.place, best.place) < 0) start = index;
  });
  const turned = [...cycle.slice(start), ...cycle.slice(0, start)];
  const first = turned[0];
  if (!first) return;
  const path = turned.map((arc) => ` → ${arc.to} (${arc.place.file}:${arc.place.line})`).join("");
  context.findings.warning(
    first.place,
    "hard-cycle",
    `cycle of hard dependencies: ${first.from}${path}; one failure in it takes all of them down`,
  );
}

/** The shortest cycle that begins with the arc, within its component. */
function shortestThrough(arc: Arc, arcs: ReadonlyMap<string, readonly Arc[]>, component: ReadonlyMap<string, number>): Arc[] {
  const cameBy = new Map<string, Arc>();
  const queue = [arc.to];
  for (const node of queue) {
    for (const next of arcs.get(node) ?? []) {
      if (cameBy.has(next.to) || component.get(next.to) !== component.get(arc.from)) continue;
      cameBy.set(next.to, next);
      if (next.to === arc.from) return [arc, ...trace(arc.to, arc.from, cameBy)];
      queue.push(next.to);
    }
  }
  return [arc];
}

function trace(from: string, to: string, cameBy: ReadonlyMap<string, Arc>): Arc[] {
  const path: Arc[] = [];
  for (let at = to; at !== from; ) {
    const arc = cameBy.get(at);
    if (!arc) break;
    path.unshift(arc);
    at = arc.from;
  }
  return path;
}

/** Node → number of its strongly connected component (Tarjan's algorithm, without recursion). */
function stronglyConnected(arcs: ReadonlyMap<string, readonly Arc[]>): Map<string, number> {
  const component = new Map<string, number>();
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  let components = 0;
  for (const root of arcs.keys()) {
    if (order.has(root)) continue;
    const work: { node: string; next: number }[] = [{ node: root, next: 0 }];
    for (let frame = work.at(-1); frame; frame = work.at(-1)) {
      const { node } = frame;
      if (frame.next === 0) {
        order.set(node, order.size);
        low.set(node, order.size - 1);
        open.push(node);
      }
      const arc = (arcs.get(node) ?? [])[frame.next++];
      if (arc) {
        if (!order.has(arc.to)) work.push({ node: arc.to, next: 0 });
        else if (!component.has(arc.to)) low.set(node, Math.min(low.get(node) ?? 0, order.get(arc.to) ?? 0));
        continue;
      }
      work.pop();
      const parent = work.at(-1)?.node;
      if (parent !== undefined) low.set(parent, Math.min(low.get(parent) ?? 0, low.get(node) ?? 0));
      if (low.get(node) !== order.get(node)) continue;
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        component.set(member, components);
        if (member === node) break;
      }
      components++;
    }
  }
  return component;
}
