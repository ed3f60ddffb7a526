import { polledServices, type ServiceNode, type SystemMap } from "../../server/src/domain/map.ts";
import type { Component, Observation } from "../../server/src/domain/observation.ts";
import { randomOf } from "./random.ts";

/** How a thing fails. `degraded`, `lies`, `hang`, `refused` and `http500` are for services, `cut_off` is our own path to one. */
type How = "down" | "degraded" | "lies" | "hang" | "refused" | "http500" | "starting" | "slow" | "cut_off";

/** One true fault; times are milliseconds from the start of the run. */
export interface Fault {
  node: string;
  how: How;
  from: number;
  to: number;
  /** The link from `node` to this one is what fails: a pool, a credential. */
  link?: string;
  /** The place of the one instance that fails. */
  instance?: number;
  /** It comes and goes: so long there, so long gone. */
  comesFor?: number;
  goesFor?: number;
}

/** How one service checks what it needs, and how it answers. */
interface Habit {
  /** Milliseconds between its own background checks; 0: it checks when asked. */
  every: number;
  offset: number;
  statesAge: boolean;
  latency: number;
  /** With a slow dependency its own answer is late too. */
  waits: boolean;
}

export const START = 1_800_000_000_000;

/** The truth of one run: a map, faults over time, and the habits of each service, all from a seed. Pure. */
export class World {
  readonly map: SystemMap;
  readonly faults: readonly Fault[];
  readonly #habits = new Map<string, Habit>();
  readonly #phases = new Map<string, number>();
  readonly #polled: readonly ServiceNode[];
  readonly #byReport: boolean;

  /** `lockstep`: all are polled in the same moments and check when asked. */
  constructor(map: SystemMap, faults: readonly Fault[], seed: string, options: { lockstep?: boolean } = {}) {
    const random = randomOf(seed);
    this.map = map;
    this.faults = faults;
    this.#polled = polledServices(map);
    this.#byReport = random() < 0.5;
    for (const service of this.#polled) {
      const caches = options.lockstep || random() < 0.4 ? 0 : 1_000 + Math.floor(random() * Math.min(service.interval * 1.5, 30_000));
      this.#habits.set(service.id, {
        every: caches,
        offset: Math.floor(random() * (caches || 1)),
        statesAge: random() < 0.8 || caches > 5_000,
        latency: options.lockstep ? 5 : 3 + Math.floor(random() ** 3 * service.timeout * 0.6),
        waits: random() < 0.5,
      });
      for (const { id } of service.instances) this.#phases.set(id, options.lockstep ? 0 : Math.floor(random() * service.interval));
    }
  }

  isOn(fault: Fault, t: number): boolean {
    if (t < fault.from || t >= fault.to) return false;
    if (!fault.comesFor || !fault.goesFor) return true;
    return (t - fault.from) % (fault.comesFor + fault.goesFor) < fault.comesFor;
  }

  /** When the service last looked at what it needs, as of an answer at `t`. */
  checkedAt(service: string, t: number): number {
    const habit = this.#habits.get(service);
    if (!habit || habit.every === 0) return t;
    return Math.floor((t - habit.offset) / habit.every) * habit.every + habit.offset;
  }

  /** The longest time between a fact and a service's own look at it. */
  checksEvery(service: string): number {
    return this.#habits.get(service)?.every ?? 0;
  }

  #own(node: string, t: number): Fault | undefined {
    return this.faults.find(
      (fault) => fault.node === node && !fault.link && fault.instance === undefined && fault.how !== "cut_off" && this.isOn(fault, t),
    );
  }

  #linkFails(from: string, to: string, t: number): boolean {
    return this.faults.some((fault) => fault.node === from && fault.link === to && this.isOn(fault, t));
  }

  /** True when a call to the node at `t` fails. */
  fails(node: string, t: number, visiting: ReadonlySet<string> = new Set()): boolean {
    if (visiting.has(node)) return false;
    const own = this.#own(node, t);
    if (own && own.how !== "degraded") return true;
    const declared = this.map.nodes.get(node);
    if (declared?.kind !== "service") return false;
    const inside = new Set([...visiting, node]);
    const seenAt = this.#byReport ? this.checkedAt(node, t) : t;
    return declared.edges.some(
      (edge) => edge.criticality === "hard" && (this.#linkFails(node, edge.to, seenAt) || this.fails(edge.to, seenAt, inside)),
    );
  }

  /** Every finished poll up to `end`, in the order in which the answers come; `at` is START based. */
  polls(end: number): Observation[] {
    const polls: Observation[] = [];
    for (const service of this.#polled) {
      service.instances.forEach(({ id }, place) => {
        for (let t = this.#phases.get(id) ?? 0; t < end; t += service.interval) polls.push(this.#poll(service, id, place, t));
      });
    }
    return polls.sort((a, b) => a.at + a.latencyMs - b.at - b.latencyMs || (a.instance < b.instance ? -1 : 1));
  }

  #poll(service: ServiceNode, instance: string, place: number, t: number): Observation {
    const habit = this.#habits.get(service.id);
    const base = {
      service: service.id,
      instance,
      at: START + t,
      latencyMs: habit?.latency ?? 5,
      httpStatus: null,
      report: null,
      format: null,
      error: null,
      date: null,
      httpAge: null,
      warnings: [],
      body: null,
    };
    const hits = (fault: Fault): boolean => fault.instance === undefined || fault.instance === place;
    const on = this.faults.filter((fault) => fault.node === service.id && !fault.link && hits(fault) && this.isOn(fault, t));
    const how = on[0]?.how;
    const silent = { latencyMs: service.timeout, error: "no answer" };
    if (on.some((fault) => fault.how === "cut_off")) return { ...base, ...silent, outcome: "connect_timeout" };
    if (how === "refused") return { ...base, outcome: "refused", error: "connection refused" };
    if (how === "hang") return { ...base, ...silent, outcome: "timeout" };
    if (how === "http500")
      return {
        ...base,
        outcome: "http_error",
        httpStatus: 500,
        format: "http-status",
        report: { status: "unhealthy", components: [], maybeGateway: true },
      };
    if (how === "starting")
      return {
        ...base,
        outcome: "report",
        httpStatus: 503,
        format: "headwater",
        report: { status: "unknown", components: [], phase: "starting" },
      };
    const checked = this.checkedAt(service.id, t);
    let bad: "healthy" | "degraded" | "unhealthy" = how === "down" ? "unhealthy" : how === "degraded" ? "degraded" : "healthy";
    let slow = false;
    const components: Component[] = service.edges.map(({ to, criticality, components: [name = to] }) => {
      const link = this.#linkFails(service.id, to, checked);
      const down = link || this.fails(to, checked);
      const late = !link && down && this.#own(to, checked)?.how === "slow";
      if (late && habit?.every === 0 && habit.waits) slow = true;
      if (down && criticality === "hard") bad = "unhealthy";
      if (down && criticality === "soft" && bad === "healthy") bad = "degraded";
      return {
        name,
        status: down ? "down" : "up",
        criticality,
        ...(habit?.statesAge && { ageMs: t - checked }),
        ...(down && { error: late ? "timed out" : "refused", category: late ? ("timeout" as const) : ("refused" as const) }),
      };
    });
    if (slow) return { ...base, ...silent, outcome: "timeout" };
    if (how === "lies") bad = "healthy";
    const httpStatus = bad === "unhealthy" ? 503 : 200;
    return { ...base, outcome: "report", httpStatus, format: "headwater", report: { status: bad, components } };
  }

  /** Nodes whose trouble a fault may be, by declared edges that carry: itself, and all that need it hard or soft, at any distance. */
  reach(fault: Fault): Set<string> {
    const reached = new Set([fault.node]);
    const waiting = [fault.node];
    for (let node = waiting.pop(); node !== undefined; node = waiting.pop())
      for (const { id, edges } of this.#services())
        if (!reached.has(id) && edges.some(({ to, criticality }) => to === node && criticality !== "informational")) {
          reached.add(id);
          waiting.push(id);
        }
    return reached;
  }

  #services(): ServiceNode[] {
    return [...this.map.nodes.values()].filter((node): node is ServiceNode => node.kind === "service");
  }

  /** Polled services that need the node directly. */
  witnesses(node: string): ServiceNode[] {
    return this.#polled.filter(({ id, edges }) => id !== node && edges.some(({ to }) => to === node));
  }

  isPolled(node: string): boolean {
    return this.#polled.some(({ id }) => id === node);
  }

  /** The nodes that may be named for a fault: itself where anybody sees it, else the deepest that is seen failing; and both ends of one witness. */
  mayName(fault: Fault): Set<string> {
    if (fault.how === "cut_off") return new Set();
    const names = new Set([fault.node]);
    if (fault.link) {
      if (this.witnesses(fault.link).length <= 2) names.add(fault.link);
      return names;
    }
    let edge = [fault.node];
    const seen = new Set(edge);
    const speaks = (node: string): boolean =>
      this.isPolled(node) && !(node === fault.node && ["hang", "refused", "starting", "lies"].includes(fault.how));
    while (edge.length > 0) {
      const next: string[] = [];
      for (const node of edge) {
        const witnesses = this.witnesses(node);
        names.add(node);
        if (speaks(node) || witnesses.length > 1) continue;
        for (const { id } of witnesses) names.add(id);
        if (witnesses.length > 0) continue;
        for (const { id, edges } of this.#services())
          if (!seen.has(id) && edges.some(({ to, criticality }) => to === node && criticality !== "informational")) {
            seen.add(id);
            next.push(id);
          }
      }
      edge = next;
    }
    return names;
  }

  /** Whether anybody that we poll can tell of the fault at all. */
  isSeen(fault: Fault): boolean {
    if (fault.how === "cut_off") return false;
    if (fault.link) return true;
    const silent = ["hang", "refused", "starting", "lies"].includes(fault.how);
    return (this.isPolled(fault.node) && !silent) || (fault.how !== "degraded" && this.witnesses(fault.node).length > 0);
  }
}
