import { judgeRun, namedTime, simulate } from "../support/simulate.ts";
import { CLASSES, scenarioOf } from "../support/simulate-cases.ts";
import { MAPS, type MapName } from "../support/simulate-maps.ts";
import { START } from "../support/simulate-world.ts";

/**
 * Sweeps simulated incidents over maps, phases and damping, and prints what went wrong by class and rule.
 * `pnpm bench:simulate`; SEEDS=3 FLIP=1,2,3 MAPS=shop,chain CLASS=flapping MIXED=1 SHOW="false incident" tunes it.
 */
function main(): void {
  const { SEEDS = "3", FLIP = "1,2,3", MAPS: maps = MAPS.slice(0, 5).join(), CLASS = "", MIXED = "", SHOW = "", DUMP = "" } = process.env;
  const table = new Map<string, Map<string, number>>();
  const named: Record<string, { right: number; wrong: number }> = {};
  const runsOf = new Map<string, number>();
  const started = Date.now();
  for (const name of Object.keys(CLASSES)) {
    if (CLASS && !name.includes(CLASS)) continue;
    const row = new Map<string, number>();
    table.set(name, row);
    for (const mapName of maps.split(",") as MapName[]) {
      for (const flipAfter of FLIP.split(",").map(Number)) {
        for (let seed = 1; seed <= Number(SEEDS); seed++) {
          const scenario = scenarioOf(name, mapName, seed, { flipAfter, mixed: MIXED !== "" });
          if (!scenario) continue;
          const { world, end, happens, unsettled } = scenario;
          runsOf.set(name, (runsOf.get(name) ?? 0) + 1);
          const run = simulate(world, end, happens);
          const seen = new Set<string>();
          if (DUMP)
            for (const { incident, at, kind, text, node } of run.events)
              console.log(`  ${at - START} #${incident} ${kind} ${node}: ${text}`);
          for (const { rule, t, text } of judgeRun(world, run, end, { unsettled })) {
            if (SHOW && rule.includes(SHOW)) {
              const faults = world.faults
                .map((fault) => `${fault.node}${fault.link ? `>${fault.link}` : ""} ${fault.how} ${fault.from}..${fault.to}`)
                .slice(0, 3);
              console.log(`${name} | ${mapName} flip ${flipAfter} seed ${seed} | ${rule} | ${t} ${text} | ${faults.join("; ")}`);
            }
            if (seen.has(rule)) continue;
            seen.add(rule);
            row.set(rule, (row.get(rule) ?? 0) + 1);
          }
          for (const [level, { right, wrong }] of Object.entries(namedTime(world, run))) {
            const sum = named[level] ?? { right: 0, wrong: 0 };
            named[level] = sum;
            sum.right += right;
            sum.wrong += wrong;
          }
        }
      }
    }
  }
  const totals = new Map<string, number>();
  for (const [name, row] of table) {
    const parts = [...row].sort(([a], [b]) => (a < b ? -1 : 1)).map(([rule, count]) => `${rule} ${count}`);
    for (const [rule, count] of row) totals.set(rule, (totals.get(rule) ?? 0) + count);
    console.log(`${name} (${runsOf.get(name) ?? 0} runs): ${parts.join(", ") || "clean"}`);
  }
  const runs = [...runsOf.values()].reduce((sum, count) => sum + count, 0);
  console.log(`\n${runs} runs in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  for (const [rule, count] of [...totals].sort((a, b) => b[1] - a[1])) console.log(`${String(count).padStart(5)} ${rule}`);
  for (const [level, { right, wrong }] of Object.entries(named))
    console.log(`${level}: right for ${((100 * right) / (right + wrong)).toFixed(2)} % of the time it was named`);
}

main();
