import type { Maintenance } from "../domain/map.ts";
import { findCarriers, findUnconfirmed } from "./carriers.ts";
import { chooseReasons, type Reasons } from "./choose.ts";
import type { Fact, Facts, Statement } from "./facts.ts";
import { findMute, findShared, findSlow } from "./hidden.ts";
import { WEIGHTS } from "./weights.ts";
import { type Reading, readWitnesses } from "./witnesses.ts";

/** At most so many hidden causes are looked for in one moment. */
const HIDDEN_AT_MOST = 5;

/** The cheapest story that explains all trouble: who is a cause, who suffers from whom, what was set aside. */
export interface Explanation {
  facts: Facts;
  reading: Reading;
  reasons: Reasons;
  /** Causes that nobody reports, with how much cheaper each is than faults apart. */
  shared: Map<Fact, { from: readonly Fact[]; gain: number }>;
  /** A dependency whose slowness makes deep endpoints late. */
  slow: { node: Fact; late: Fact[] } | null;
  /** A whole zone that went silent while others answer. */
  zones: readonly { zone: string; members: Fact[] }[];
  /** Reporters with a local fault, and its statements. */
  local: Map<Fact, Statement[]>;
  announced: ReadonlySet<string>;
}

/** Explains one moment. Pure; the same facts give the same story in whatever order they came. */
export function explain(facts: Facts, maintenance: readonly Maintenance[]): Explanation {
  const announced = new Set(maintenance.filter(({ from, to }) => from <= facts.now && facts.now < to).flatMap(({ nodes }) => nodes));
  const reading = readWitnesses(facts, announced);
  const { active, strays } = reading;
  const forced = new Set<Fact>();
  const shared: Explanation["shared"] = new Map();
  let reasons = chooseReasons(active, forced, announced);
  if (active.size > 0 || strays.size > 0) {
    for (let round = 0; round < HIDDEN_AT_MOST; round++) {
      const found = findShared(facts, reading, reasons, announced);
      if (found === null) break;
      shared.set(found.node, { from: [...found.reporters, ...found.silent], gain: found.gain });
      active.add(found.node);
      forced.add(found.node);
      for (const node of found.cleared) active.delete(node);
      for (const reporter of found.reporters) active.add(reporter);
      for (const stray of strays) if (found.reporters.has(stray.from)) strays.delete(stray);
      reasons = chooseReasons(active, forced, announced);
    }
    for (const find of [findUnconfirmed, findCarriers]) {
      const carriers = find(reading, reasons);
      if (carriers.size === 0) continue;
      for (const carrier of carriers) active.add(carrier);
      reasons = chooseReasons(active, forced, announced);
    }
    for (let round = 0; round < HIDDEN_AT_MOST; round++) {
      const found = findMute(reading, reasons);
      if (found === null) break;
      shared.set(found.node, { from: found.reporters, gain: found.gain });
      active.add(found.node);
      forced.add(found.node);
      reasons = chooseReasons(active, forced, announced);
    }
  }
  const slow = findSlow(facts, active);
  const zones = silentZones(facts);
  return { facts, reading, reasons, shared, slow, zones, local: localFaults(reasons, strays), announced };
}

/** Strays become a local fault of a reporter that has no better reason, or that goes on saying them although it has one. */
function localFaults(reasons: Reasons, strays: ReadonlySet<Statement>): Map<Fact, Statement[]> {
  const local = new Map<Fact, Statement[]>();
  for (const stray of strays) {
    const reporter = stray.from;
    const reason = reasons.get(reporter);
    if (stray.criticality === "informational" || (reason?.via !== null && stray.repeats < WEIGHTS.lasting)) continue;
    const list = local.get(reporter);
    if (list) list.push(stray);
    else local.set(reporter, [stray]);
  }
  return local;
}

/** Zones of two or more polled services that are all silent, while most others answer and nobody sees them up. */
function silentZones({ graph, nodes, factOf }: Facts): { zone: string; members: Fact[] }[] {
  const silent = nodes.filter((fact) => fact.silent).length;
  const found: { zone: string; members: Fact[] }[] = [];
  for (const [zone, vertices] of silent > 0 ? graph.zones : []) {
    if (vertices.length < 2 || vertices.length > silent) continue;
    const members = vertices.map(factOf);
    const seenUp = members.filter((member) => member.ups.length > member.blames.length).length;
    const others = graph.polled - members.length;
    if (members.every((member) => member.silent) && (silent - members.length) * 2 < others && seenUp * 2 < members.length) {
      found.push({ zone, members });
    }
  }
  return found;
}
