import type { Fault } from "./faults.ts";

/** One thing to watch on the board. */
export interface Act {
  title: string;
  /** What the board should make of it. */
  watch: string;
  /** `instance` counts from 0; without it, all instances of a service. */
  faults: readonly { id: string; fault: Fault; instance?: number }[];
  lastsMs: number;
}

/** The first act comes soon; between two the fleet has time to recover, and the board to say so. */
const OPENING_MS = 25_000;
const PAUSE_MS = 50_000;

/** The incidents of the shipped map's fleet, in the order in which they come round. */
export const SCRIPT: readonly Act[] = [
  {
    title: "The shop database is down",
    watch: "Twelve services report it, and those that need them fail too: one incident with one cause, everything else impacted.",
    faults: [{ id: "shop-db", fault: "down" }],
    lastsMs: 75_000,
  },
  {
    title: "Inventory leaks its own database connections",
    watch: "Inventory blames the database, eleven others see it up: a local fault of inventory, and the database stays healthy.",
    faults: [{ id: "inventory", fault: "leak" }],
    lastsMs: 75_000,
  },
  {
    title: "Cart is cut off from Headwater only",
    watch: "No answer from cart, yet its callers use it: unknown, with no role and nobody impacted.",
    faults: [{ id: "cart", fault: "cut-off" }],
    lastsMs: 60_000,
  },
  {
    title: "Recommendations are down, which nobody needs",
    watch: "A soft dependency: the shop is degraded and serves on.",
    faults: [{ id: "recommendations", fault: "down" }],
    lastsMs: 60_000,
  },
  {
    title: "The shop database is slow, and its callers give up first",
    watch: "The database refuses nobody; every caller times out. Still one cause.",
    faults: [{ id: "shop-db", fault: "slow" }],
    lastsMs: 75_000,
  },
  {
    title: "Two faults at once: card gateway and event queue",
    watch: "Two causes that have nothing to do with each other: two incidents, each with its own victims.",
    faults: [
      { id: "card-gateway", fault: "down" },
      { id: "event-queue", fault: "down" },
    ],
    lastsMs: 75_000,
  },
  {
    title: "Identity calls itself healthy and fails its callers",
    watch: "The probe that lies: two callers say down, so the word of identity is disputed.",
    faults: [{ id: "identity", fault: "lying" }],
    lastsMs: 60_000,
  },
  {
    title: "One of two search instances hangs",
    watch: "A fault of one instance: search is degraded, and nobody else notices.",
    faults: [{ id: "search", fault: "hang", instance: 1 }],
    lastsMs: 60_000,
  },
];

export interface Moment {
  /** Index into the script; null in a pause. */
  act: number | null;
  /** Which time round, from 0. */
  round: number;
  /** When this act or pause ends, in the time of the question. */
  until: number;
}

/** Where a script stands `elapsed` ms after its start; it begins again when it is through. */
export function momentAt(script: readonly Act[], elapsed: number): Moment {
  const length = script.reduce((sum, act) => sum + act.lastsMs + PAUSE_MS, 0);
  if (elapsed < OPENING_MS || length === 0) return { act: null, round: 0, until: length === 0 ? Number.POSITIVE_INFINITY : OPENING_MS };
  const round = Math.floor((elapsed - OPENING_MS) / length);
  let at = OPENING_MS + round * length;
  for (const [index, act] of script.entries()) {
    if (elapsed < at + act.lastsMs) return { act: index, round, until: at + act.lastsMs };
    at += act.lastsMs + PAUSE_MS;
    if (elapsed < at) return { act: null, round, until: at };
  }
  return { act: null, round, until: at };
}
