import { type MapNode, polledServices, type System, type SystemMap } from "../../server/src/domain/map.ts";
import { randomOf } from "./random.ts";
import type { Events } from "./simulate.ts";
import { type MapName, mapFor } from "./simulate-maps.ts";
import { type Fault, START, World } from "./simulate-world.ts";

/** One run to simulate. */
export interface Scenario {
  world: World;
  end: number;
  happens: Events;
  /** Faults move too fast for "named in time" to hold. */
  unsettled: boolean;
}

const AT = 120_000;

/** How a class of trouble is drawn: its faults on a map, and what happens to Headwater meanwhile. */
interface Draw {
  map: SystemMap;
  pick<T>(list: readonly T[]): T | undefined;
  random: () => number;
  /** How long a fault must last to be confirmed by all. */
  long: number;
}

function resources(map: SystemMap, criticality: readonly string[] = ["hard", "soft", "informational"], witnesses = 1): string[] {
  return [...map.nodes.values()]
    .filter(({ kind }) => kind === "resource")
    .map(({ id }) => id)
    .filter((id) => {
      const callers = polledServices(map).flatMap(({ edges }) => edges.filter(({ to }) => to === id));
      return callers.length >= witnesses && callers.every((edge) => criticality.includes(edge.criticality));
    });
}

const services = (map: SystemMap): string[] => polledServices(map).map(({ id }) => id);
const called = (map: SystemMap, least = 1): string[] =>
  services(map).filter((id) => polledServices(map).filter(({ edges }) => edges.some(({ to }) => to === id)).length >= least);

type Drawn = { faults: (Fault | undefined)[]; happens?: Events; unsettled?: boolean; map?: SystemMap };
type Make = (draw: Draw) => Drawn;

const one = (node: string | undefined, how: Fault["how"], draw: Draw, more: Partial<Fault> = {}): Fault | undefined =>
  node === undefined ? undefined : { node, how, from: AT + Math.floor(draw.random() * 10_000), to: AT + 10_000 + draw.long, ...more };

/** The map without one service, and without all that points to it. */
function without(map: SystemMap, id: string | undefined): SystemMap {
  const nodes = [...map.nodes].filter(([key]) => key !== id);
  const left = nodes.map(([key, node]): [string, MapNode] => [
    key,
    node.kind === "service" ? { ...node, edges: node.edges.filter(({ to }) => to !== id) } : node,
  ]);
  const systems = [...map.systems].map(([key, system]): [string, System] => [
    key,
    { ...system, members: system.members.filter(({ node }) => node !== id) },
  ]);
  return { ...map, nodes: new Map(left), systems: new Map(systems) };
}

const anyOf = (draw: Draw): string | undefined => draw.pick([...resources(draw.map), ...services(draw.map)]);

export const CLASSES: Record<string, Make> = {
  "resource down": (draw) => ({ faults: [one(draw.pick(resources(draw.map)), "down", draw)] }),
  "resource slow": (draw) => ({ faults: [one(draw.pick(resources(draw.map, undefined, 2)), "slow", draw)] }),
  "service unhealthy by itself": (draw) => ({ faults: [one(draw.pick(services(draw.map)), "down", draw)] }),
  "service degraded by itself": (draw) => ({ faults: [one(draw.pick(services(draw.map)), "degraded", draw)] }),
  "service answers 500": (draw) => ({ faults: [one(draw.pick(services(draw.map)), "http500", draw)] }),
  "service refuses": (draw) => ({ faults: [one(draw.pick(services(draw.map)), "refused", draw)] }),
  "service hangs": (draw) => ({ faults: [one(draw.pick(services(draw.map)), "hang", draw)] }),
  "service starts again": (draw) => ({ faults: [one(draw.pick(services(draw.map)), "starting", draw)] }),
  "probe lies": (draw) => ({ faults: [one(draw.pick(called(draw.map, 2)), "lies", draw)] }),
  "own pool": (draw) => {
    const edges = polledServices(draw.map).flatMap(({ edges }) => edges.filter(({ criticality }) => criticality !== "informational"));
    const shared = edges.filter(
      ({ to }) => polledServices(draw.map).filter((other) => other.edges.some((edge) => edge.to === to)).length >= 3,
    );
    const edge = draw.pick(shared.length > 0 ? shared : edges);
    return { faults: [one(edge?.from, "down", draw, { link: edge?.to ?? "" })] };
  },
  "one instance": (draw) => {
    const several = polledServices(draw.map).find(({ instances }) => instances.length > 1);
    return { faults: [one(several?.id, "down", draw, { instance: 1 })] };
  },
  "soft dependency": (draw) => ({ faults: [one(draw.pick(resources(draw.map, ["soft"])), "down", draw)] }),
  "informational dependency": (draw) => {
    const edge = draw.pick(polledServices(draw.map).flatMap(({ edges }) => edges.filter((one) => one.criticality === "informational")));
    return { faults: [one(edge?.to, "down", draw)] };
  },
  "two faults overlap": (draw) => ({
    faults: [
      one(anyOf(draw), "down", draw, { to: AT + 1.5 * draw.long }),
      one(anyOf(draw), "down", draw, { from: AT + draw.long, to: AT + 2 * draw.long }),
    ],
  }),
  "victim's own fault outlasts": (draw) => {
    const resource = draw.pick(resources(draw.map, ["hard"]));
    const victim = draw.pick(polledServices(draw.map).filter(({ edges }) => edges.some(({ to }) => to === resource)))?.id;
    return { faults: [one(resource, "down", draw), one(victim, "http500", draw, { from: AT + 60_000, to: AT + 120_000 + 2 * draw.long })] };
  },
  flapping: (draw) => ({ faults: [one(anyOf(draw), "down", draw, { comesFor: 25_000, goesFor: 25_000 })], unsettled: true }),
  intermittent: (draw) => ({
    faults: [one(draw.pick(services(draw.map)), "down", draw, { comesFor: 11_000, goesFor: 19_000 })],
    unsettled: true,
  }),
  "one cut off from us": (draw) => ({ faults: [one(draw.pick(services(draw.map)), "cut_off", draw)] }),
  "several cut off from us": (draw) => ({
    faults: services(draw.map)
      .filter(() => draw.random() < 0.35)
      .map((id) => one(id, "cut_off", draw)),
  }),
  "all cut off from us": (draw) => ({ faults: services(draw.map).map((id) => one(id, "cut_off", draw, { from: AT })) }),
  "resource down while all are cut off": (draw) => ({
    faults: [
      one(draw.pick(resources(draw.map)), "down", draw, { to: AT + 60_000 + 2 * draw.long }),
      ...services(draw.map).map((id) => one(id, "cut_off", draw, { from: AT + 60_000, to: AT + 60_000 + draw.long })),
    ],
    unsettled: true,
  }),
  "brief fault": (draw) => ({ faults: [one(anyOf(draw), "down", draw, { to: AT + 22_000 })], unsettled: true }),
  "restart in the middle": (draw) => ({
    faults: [one(anyOf(draw), "down", draw)],
    happens: { restart: { from: AT + draw.long / 2, to: AT + draw.long / 2 + 40_000 } },
  }),
  "fault ends while Headwater is down": (draw) => ({
    faults: [one(anyOf(draw), "down", draw)],
    happens: { restart: { from: AT + draw.long - 20_000, to: AT + draw.long + 40_000 } },
    unsettled: true,
  }),
  "fault begins while Headwater is down": (draw) => ({
    faults: [one(anyOf(draw), "down", draw, { from: AT })],
    happens: { restart: { from: AT - 20_000, to: AT + 20_000 } },
    unsettled: true,
  }),
  "reload in the middle": (draw) => ({
    faults: [one(anyOf(draw), "down", draw)],
    happens: { reload: { at: AT + draw.long / 2, map: { ...draw.map, nodes: new Map(draw.map.nodes) } } },
  }),
  "an unrelated service leaves the map in the middle": (draw) => {
    const node = anyOf(draw);
    const fault = one(node, "down", draw);
    const reach = fault ? new World(draw.map, [fault], "reach").reach(fault) : new Set<string>();
    const leaving = draw.pick(services(draw.map).filter((id) => !reach.has(id)));
    return {
      faults: [leaving === undefined ? undefined : fault],
      happens: { reload: { at: AT + draw.long / 2, map: without(draw.map, leaving) } },
    };
  },
  "announced work": (draw) => {
    const node = anyOf(draw);
    const work = {
      nodes: [node ?? ""],
      from: START + AT - 10_000,
      to: START + AT + 3 * draw.long + 120_000,
      reason: "upgrade",
      zone: null,
    };
    return { faults: [one(node, "down", draw)], map: { ...draw.map, maintenance: [work] } };
  },
  "work that outlasts what was announced": (draw) => {
    const node = anyOf(draw);
    const work = { nodes: [node ?? ""], from: START + AT - 10_000, to: START + AT + 10_000 + draw.long / 2, reason: "upgrade" };
    return { faults: [one(node, "down", draw)], map: { ...draw.map, maintenance: [work] } };
  },
  "two faults recover apart": (draw) => {
    const list = resources(draw.map, ["hard"]);
    const first = draw.pick(list);
    const second = draw.pick(list.filter((id) => id !== first));
    return { faults: [one(first, "down", draw), one(second, "down", draw, { to: AT + 70_000 + draw.long })] };
  },
  "fault returns": (draw) => {
    const node = anyOf(draw);
    return {
      faults: [one(node, "down", draw), one(node, "down", draw, { from: AT + 2 * draw.long + 120_000, to: AT + 3 * draw.long + 120_000 })],
    };
  },
};

/** A scenario by its class, map and seed; null where the map has no place for it. */
export function scenarioOf(
  name: string,
  mapName: MapName,
  seed: number,
  choice: { flipAfter: number; mixed?: boolean; lockstep?: boolean },
): Scenario | null {
  const label = `${name}:${mapName}:${seed}`;
  const map = mapFor(mapName, { flipAfter: choice.flipAfter, mixed: choice.mixed ?? false }, label);
  const random = randomOf(label);
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const slowest = Math.max(...polledServices(map).map(({ interval, instances }) => interval * instances.length));
  const make = CLASSES[name];
  if (!make) throw new Error(`no class ${name}`);
  const long = Math.max(80_000, (choice.flipAfter + 3) * slowest + 30_000);
  const drawn = make({ map, pick, random, long });
  const faults = drawn.faults.filter((fault): fault is Fault => fault !== undefined);
  if (faults.length === 0 || faults.length < Math.min(2, drawn.faults.length)) return null;
  const world = new World(drawn.map ?? map, faults, label, { lockstep: choice.lockstep ?? false });
  const last = Math.max(...faults.map(({ to }) => to));
  return { world, end: last + long + 120_000, happens: drawn.happens ?? {}, unsettled: drawn.unsettled ?? false };
}
