import type { Case, Seen } from "./cases.ts";
import { PythonRandom } from "./python-random.ts";

/**
 * lag: a service is seen up to a step late, its checks aged accordingly; drop: a quarter of the component entries is
 * never reported; flip: 4 % of them are wrong for a step; blind: 10 % of the services are unreachable for a step each;
 * shallow: 30 % of the services always call themselves healthy; mixed: lag, drop, flip and blind at half strength.
 */
export const MODES = ["lag", "drop", "flip", "blind", "shallow", "mixed"] as const;
export type Mode = (typeof MODES)[number];

/** By how many steps a service may be late; more than one is seen as one. */
const LATE = { 0.5: [0, 0, 0, 1], 1: [0, 0, 1, 1, 2] } as const;

/**
 * The case as seen through noise; what is expected stays, so a label at the very step of a change can be out of reach. The same seed
 * gives the same noise as in the generator that came with the incidents, number by number.
 */
export function perturb(one: Case, mode: Mode, seed: number): Case {
  const random = new PythonRandom(`${one.name}:${mode}:${seed}`);
  const strength = mode === "mixed" ? 0.5 : 1;
  const has = (...modes: Mode[]): boolean => modes.includes(mode);
  const full: Record<string, Seen>[] = [];
  let current: Record<string, Seen> = {};
  for (const { observations } of one.timeline) {
    current = { ...current, ...observations };
    full.push(current);
  }
  const late = new Set(has("lag", "mixed") ? one.instrumented.filter(() => random.choice(LATE[strength]) > 0) : []);
  const dropped = new Set<string>();
  if (has("drop", "mixed"))
    for (const { from, to } of one.topology.edges) if (random.random() < 0.25 * strength) dropped.add(`${from}>${to}`);
  const shallow = new Set(has("shallow") ? one.instrumented.filter(() => random.random() < 0.3) : []);
  const seenAt = (service: string, step: number): Seen => {
    const from = late.has(service) ? Math.max(0, step - 1) : step;
    const seen = structuredClone(full[from]?.[service] ?? { reachable: false });
    if (step > 0 && has("blind", "mixed") && random.random() < 0.1 * strength) return { reachable: false };
    if (!seen.reachable) return seen;
    const components = seen.components ?? {};
    for (const [name, component] of Object.entries(components)) {
      if (from !== step) component.age_ms = (component.age_ms ?? 0) + one.interval_s * 1000;
      if (dropped.has(`${service}>${name}`)) delete components[name];
      else if (step > 0 && has("flip", "mixed") && random.random() < 0.04 * strength) {
        components[name] = component.status === "down" ? { status: "up" } : { status: "down", error: "timeout" };
      }
    }
    return { ...seen, components, ...(shallow.has(service) ? { status: "healthy" as const } : {}) };
  };
  const timeline = one.timeline.map(({ t }, step) => ({
    t,
    observations: Object.fromEntries(one.instrumented.map((service) => [service, seenAt(service, step)])),
  }));
  return { ...one, timeline };
}
