/**
 * Label drift on simulated histories, at full size: months without a wrong label, with incidents and noise, and weeks in
 * which one label of each kind is wrong. Prints one JSON line a run and a table; exits 1 for a false or a missing finding.
 *
 *     pnpm bench:drift [--seeds 4] [--from 1] [--days 30]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { drift, lookedUp } from "../../server/src/analysis/drift.ts";
import { polledServices, type ServiceNode, type SystemMap } from "../../server/src/domain/map.ts";
import { stateCodec } from "../../server/src/state/serialise.ts";
import { openStore } from "../../server/src/store/index.ts";
import { readLabelHistory } from "../../server/src/store/label-facts.ts";
import { loadTopologies, mapObjectOf } from "../support/cases.ts";
import { DAY, type DriftWorld, failuresOf, live, mapOf, truthOf } from "../support/drift-world.ts";
import { randomOf } from "../support/random.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "3" },
    from: { type: "string", default: "1" },
    days: { type: "string", default: "30" },
  },
});
const START = Date.UTC(2026, 9, 1);
const KEEP = { raw: DAY, minutes: 7 * DAY, hours: 90 * DAY, changes: 400 * DAY };
const TOPOLOGIES = ["google-online-boutique", "sock-shop", "bank-of-anthos"];
const WRONG = ["hard_unharmed", "soft_hurts", "not_declared", "not_reported"] as const;

interface Run {
  topology: string;
  kind: "clean" | "drifted";
  seed: number;
  days: number;
  services: number;
  failures: number;
  findings: string[];
  missing: string[];
  false: string[];
  seconds: number;
}

function findingsOf(world: DriftWorld, days: number): { found: Map<string, number>; confidence: Map<string, number> } {
  const folder = mkdtempSync(path.join(tmpdir(), "headwater-drift-"));
  try {
    const store = openStore({ path: folder, maxSize: 4_000_000_000, retention: KEEP, codec: stateCodec });
    const now = live(store, world, START, days * DAY);
    store.close();
    const map = mapOf(world.text);
    const { state, facts } = readLabelHistory(folder, 30 * DAY, stateCodec, (_revision, saved, at) =>
      saved ? lookedUp(map, saved, at) : [],
    );
    if (!state) throw new Error("no state was kept");
    const found = drift({ map, state, facts, now, reviewAfter: 180 * DAY }).filter(({ kind }) =>
      (WRONG as readonly string[]).includes(kind),
    );
    const key = ({ kind, from, to, component }: (typeof found)[number]): string => `${kind} ${from}>${to ?? component}`;
    for (const one of found) console.error(`  ${one.text} (${one.level} ${one.confidence}; ${one.evidence.notes.join("; ")})`);
    return { found: new Map(found.map((one) => [key(one), 1])), confidence: new Map(found.map((one) => [key(one), one.confidence])) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One wrong label of each kind, at random, on services that have enough to choose from. */
function drifted(map: SystemMap, text: string, seed: number, days: number): { world: DriftWorld; expected: string[] } {
  const random = randomOf(`wrong ${seed}`);
  const pick = <T>(from: readonly T[]): T => {
    const one = from[Math.floor(random() * from.length)];
    if (one === undefined) throw new Error("the topology has no such label");
    return one;
  };
  const services = polledServices(map);
  const edges = services.flatMap((service: ServiceNode) => service.edges.filter(({ group }) => group === null));
  const leaf = (id: string): boolean => {
    const node = map.nodes.get(id);
    return node?.kind === "resource" || (node?.kind === "service" && node.edges.length === 0);
  };
  const hard = pick(
    edges.filter(({ criticality, from, to }) => {
      const truths = [{ from, to, criticality: "informational" as const }];
      // The service must have no second way to suffer from it.
      return criticality === "hard" && leaf(to) && truthOf(map, truths, new Set([to])).get(from) === "healthy";
    }),
  );
  const soft = pick(
    edges.filter(({ criticality, from, to }) => {
      const felled = truthOf(map, [], new Set([to]));
      const others = services.find(({ id }) => id === from)?.edges.filter((edge) => edge.to !== to) ?? [];
      return criticality === "soft" && from !== hard.from && to !== hard.to && others.every((edge) => felled.get(edge.to) === "healthy");
    }),
  );
  const ghost = pick(
    edges.filter(({ from }) => from !== hard.from && from !== soft.from && services.some((one) => one.id === from && one.edges.length > 1)),
  );
  const unmapped = pick(services.filter(({ id }) => ![hard.from, soft.from, ghost.from].includes(id)));
  const nodes = [...map.nodes.keys()];
  const random2 = failuresOf(nodes, 0.12, days * DAY, seed);
  const often = failuresOf([hard.to, soft.to], 0.9, days * DAY, seed + 1_000);
  return {
    world: {
      text,
      truths: [
        { from: hard.from, to: hard.to, criticality: "informational" },
        { from: soft.from, to: soft.to, criticality: "hard" },
      ],
      reports: [
        { service: ghost.from, adds: {}, leavesOut: [ghost.to] },
        { service: unmapped.id, adds: { "new-thing": "soft" } },
      ],
      failures: [...random2, ...often],
      noise: 0.003,
      seed,
    },
    expected: [
      `hard_unharmed ${hard.from}>${hard.to}`,
      `soft_hurts ${soft.from}>${soft.to}`,
      `not_reported ${ghost.from}>${ghost.to}`,
      `not_declared ${unmapped.id}>new-thing`,
    ],
  };
}

const first = Number(values.from);
const last = first + Number(values.seeds) - 1;
const days = Number(values.days);
let failed = false;
const runs: Run[] = [];
for (const topology of loadTopologies().filter(({ name }) => TOPOLOGIES.includes(name))) {
  const { name, nodes } = topology;
  const polled = new Set(nodes.filter(({ kind }) => kind === "service").map(({ id }) => id));
  // JSON is YAML.
  const object = { ...mapObjectOf(topology, polled, 60), defaults: { interval: "60s", timeout: "2s" } };
  const text = JSON.stringify(object, null, 1);
  const map = mapOf(text);
  for (let seed = first; seed <= last; seed++)
    for (const kind of ["clean", "drifted"] as const) {
      const began = process.cpuUsage();
      const length = kind === "clean" ? days : 7;
      const failures = failuresOf([...map.nodes.keys()], 0.12, length * DAY, seed);
      const { world, expected } =
        kind === "clean" ? { world: { text, failures, noise: 0.003, seed }, expected: [] } : drifted(map, text, seed, length);
      const { found } = findingsOf(world, length);
      const used = process.cpuUsage(began);
      const run: Run = {
        topology: name,
        kind,
        seed,
        days: length,
        services: polledServices(map).length,
        failures: world.failures.length,
        findings: [...found.keys()],
        missing: expected.filter((one) => !found.has(one)),
        false: [...found.keys()].filter((one) => !expected.includes(one)),
        seconds: Math.round((used.user + used.system) / 1e4) / 100,
      };
      runs.push(run);
      failed ||= run.missing.length + run.false.length > 0;
      console.log(JSON.stringify(run));
    }
}
const sum = (kind: Run["kind"], count: (run: Run) => number): number =>
  runs.filter((run) => run.kind === kind).reduce((n, run) => n + count(run), 0);
console.log(
  `\nclean: ${sum("clean", () => 1)} months of ${days} days, ${sum("clean", (run) => run.failures)} failures, ${sum("clean", (run) => run.false.length)} false findings`,
);
console.log(
  `drifted: ${sum("drifted", () => 1)} weeks, ${sum("drifted", () => 4)} wrong labels, ${sum("drifted", (run) => run.missing.length)} missed, ${sum("drifted", (run) => run.false.length)} false`,
);
process.exitCode = failed ? 1 : 0;
