import { polledServices, type SystemMap } from "../domain/map.ts";
import type { Criticality } from "../domain/status.ts";
import { type Fault, isResourceFault, isServiceFault } from "./faults.ts";
import { type Resource, startResource } from "./resource.ts";
import { type Address, type SimulatedService, startService } from "./service.ts";

export interface FleetOptions {
  /** Every polled service of it is started on the port of its url, every resource on a free one. */
  map: SystemMap;
  /** By service: components that it reports though the map does not know them, or criticalities that it states otherwise. */
  quirks?: Readonly<Record<string, Readonly<Record<string, Criticality>>>>;
  /** Milliseconds between the checks of each service; default 1,000. */
  checkEvery?: number;
}

export interface Fleet {
  /** Running instances: `id` as in the map, `url` as it is reached. */
  readonly services: readonly { id: string; service: string; port: number; url: string }[];
  readonly resources: readonly { id: string; port: number }[];
  /** The faults in force, by the id of an instance or resource. */
  faults(): ReadonlyMap<string, Fault>;
  /** Breaks a resource, an instance, or all instances of a service. Throws on an id or a fault that does not fit. */
  break(id: string, fault: Fault): Promise<void>;
  heal(id: string): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a simulated fleet on loopback: real servers, real connections between them, and a dial on each. */
export async function startFleet({ map, quirks = {}, checkEvery = 1_000 }: FleetOptions): Promise<Fleet> {
  const resources = new Map<string, Resource>();
  const services: SimulatedService[] = [];

  function addressOf(id: string): Address | null {
    const resource = resources.get(id);
    if (resource) return { kind: "resource", port: resource.port };
    const pings = services.filter(({ service }) => service === id).map(({ url }) => new URL("/ping", url).href);
    return pings.length > 0 ? { kind: "service", pings } : null;
  }

  async function stop(): Promise<void> {
    await Promise.all([...services, ...resources.values()].map((each) => each.stop()));
  }

  try {
    for (const node of map.nodes.values()) if (node.kind === "resource") resources.set(node.id, await startResource(node.id));
    for (const node of polledServices(map)) {
      for (const instance of node.instances) {
        services.push(await startService({ node, instance, addressOf, quirks: quirks[node.id] ?? {}, checkEvery }));
      }
    }
  } catch (error) {
    await stop();
    throw error;
  }
  for (const service of services) service.begin();

  // One after the other: a port cannot be opened while it is being closed.
  let turn: Promise<unknown> = Promise.resolve();
  function set(id: string, fault: Fault | null): Promise<void> {
    const mine = turn.then(() => apply(id, fault));
    turn = mine.catch(() => {});
    return mine;
  }

  async function apply(id: string, fault: Fault | null): Promise<void> {
    const resource = resources.get(id);
    if (resource) {
      if (fault !== null && !isResourceFault(fault)) throw new RangeError(`a resource cannot be "${fault}"`);
      await resource.setFault(fault);
      return;
    }
    const instances = services.filter((service) => service.id === id || service.service === id);
    if (instances.length === 0) throw new RangeError(`there is no "${id}" in this fleet`);
    if (fault !== null && !isServiceFault(fault)) throw new RangeError(`a service cannot be "${fault}"`);
    for (const instance of instances) await instance.setFault(fault);
  }

  return {
    services: services.map(({ id, service, port, url }) => ({ id, service, port, url })),
    resources: [...resources.values()].map(({ id, port }) => ({ id, port })),
    faults: () => new Map([...resources.values(), ...services].flatMap(({ id, fault }) => (fault ? [[id, fault] as const] : []))),
    break: set,
    heal: (id) => set(id, null),
    stop,
  };
}

/** The map with the addresses under which the fleet is really reached. */
export function withAddresses(map: SystemMap, fleet: Fleet): SystemMap {
  const urls = new Map(fleet.services.map(({ id, url }) => [id, url]));
  const nodes = new Map(map.nodes);
  for (const node of polledServices(map)) {
    const instances = node.instances.map((instance) => ({ ...instance, url: urls.get(instance.id) ?? instance.url }));
    nodes.set(node.id, { ...node, instances });
  }
  return { ...map, nodes };
}
