import { expect, test } from "vitest";
import type { SystemMap } from "../../server/src/domain/map.ts";
import type { SystemState } from "../../server/src/domain/state.ts";
import { stateCodec } from "../../server/src/state/serialise.ts";
import { randomOf } from "../support/random.ts";
import { type Look, simulate } from "../support/simulate.ts";
import { CLASSES, scenarioOf } from "../support/simulate-cases.ts";
import { type Fault, World } from "../support/simulate-world.ts";

/** Twenty-four hours under faults, in virtual time: what is held in memory must not grow with the hours. */

const HOUR = 3_600_000;
const HOURS = 24;
const HOWS = ["down", "degraded", "hang", "refused", "http500", "slow", "cut_off"] as const;

/** Two or three faults an hour, each for three to fifteen minutes, over by the hour's end. */
function faultsOf(map: SystemMap, random: () => number): Fault[] {
  const nodes = [...map.nodes.values()];
  return Array.from({ length: HOURS }, (_, hour) =>
    Array.from({ length: 2 + Math.floor(random() * 2) }, () => {
      const node = nodes[Math.floor(random() * nodes.length)] ?? nodes[0];
      const from = hour * HOUR + 300_000 + random() * 1_500_000;
      const how = node?.kind === "service" ? (HOWS[Math.floor(random() * HOWS.length)] ?? "down") : "down";
      const comes = random() < 0.3 ? { comesFor: 40_000, goesFor: 40_000 } : {};
      return { node: node?.id ?? "", how, from, to: from + 180_000 + random() * 720_000, ...comes };
    }),
  ).flat();
}

/** Bytes of a state as it is saved, and how many things it holds. */
function sizeOf({ instances, edges, nodes }: SystemState): { bytes: number; entries: number } {
  const texts = [
    ...[...instances.values()].map((one) => stateCodec.encode("instance", one)),
    ...[...edges.values()].map((one) => stateCodec.encode("edge", one)),
    ...[...nodes.values()].map((one) => stateCodec.encode("node", one)),
  ];
  return { bytes: texts.reduce((sum, text) => sum + text.length, 0), entries: texts.length };
}

test.each([1])(
  "a day of faults leaves nothing behind: incidents end, and the state of each evening is as large as that of the first (seed %i)",
  (seed) => {
    const [anyClass = ""] = Object.keys(CLASSES);
    const map = scenarioOf(anyClass, "shop", seed, { flipAfter: 3, mixed: false })?.world.map;
    if (!map) throw new Error("no map");
    const world = new World(map, faultsOf(map, randomOf(`day ${seed}`)), `day ${seed}`);
    const evenings: { bytes: number; entries: number; open: number; causes: number }[] = [];
    let last: Look | null = null;
    let looks = 0;
    const run = simulate(world, HOURS * HOUR, {}, undefined, (look) => {
      looks++;
      if (last && Math.floor(look.t / HOUR) > Math.floor(last.t / HOUR)) {
        const open = last.incidents.filter(({ status }) => status !== "resolved").length;
        evenings.push({ ...sizeOf(last.state), open, causes: last.verdict.causes.length });
      }
      last = look;
    });
    expect(looks).toBeGreaterThan(10_000);
    expect(evenings.length).toBe(HOURS - 1);
    const [first] = evenings;
    for (const evening of evenings) {
      expect(evening).toMatchObject({ open: 0, causes: 0, entries: first?.entries });
      expect(evening.bytes).toBeLessThan((first?.bytes ?? 0) * 1.15);
    }
    expect(run.incidents.length).toBeGreaterThan(HOURS / 2);
    expect(run.incidents.filter(({ status }) => status !== "resolved")).toEqual([]);
  },
  400_000,
);
