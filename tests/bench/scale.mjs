// How cost grows: by services, by components of each report, and by viewers of the stream. One curve a dimension; the others
// stay at 1,000 services, 8 components, no viewer.
//
//   pnpm bench:scale [--interval 10000] [--seconds 20] [--services 100,300,1000,3000,5000] [--components 0,8,16,32,64]
//     [--viewers 0,100,300,1000] [--short]
import { parseArgs } from "node:util";
import { polledTwice, sleep, startAggregator } from "./aggregator.mjs";
import { figure, table } from "./figures.mjs";
import { rhythm, startFleet } from "./fleet.mjs";
import { openViewer } from "./viewer.mjs";

const { values } = parseArgs({
  options: {
    interval: { type: "string", default: "10000" },
    seconds: { type: "string", default: "20" },
    services: { type: "string", default: "100,300,1000,3000,5000" },
    components: { type: "string", default: "0,8,16,32,64" },
    viewers: { type: "string", default: "0,100,300,1000" },
    short: { type: "boolean", default: false },
  },
});
const list = (text) => text.split(",").filter(Boolean).map(Number);
const { interval, seconds, usual, curves } = values.short
  ? { interval: 1_000, seconds: 2, usual: 30, curves: { services: [10, 30], components: [0, 8], viewers: [0, 10] } }
  : {
      interval: Number(values.interval),
      seconds: Number(values.seconds),
      usual: 1_000,
      curves: { services: list(values.services), components: list(values.components), viewers: list(values.viewers) },
    };

for (const n of curves.services) await measure({ n, components: 8, viewers: [0] }, { services: n });
for (const components of curves.components) await measure({ n: usual, components, viewers: [0] }, { components });
await measure({ n: usual, components: 8, viewers: curves.viewers }, {});
table();
process.exit();

async function measure({ n, components, viewers }, where) {
  const fleet = await startFleet({ n, components });
  const headwater = await startAggregator(fleet, { interval, components });
  await fleet.reset();
  await polledTwice(fleet, interval);
  const open = [];
  for (const count of viewers) {
    while (open.length < count) {
      const more = Math.min(50, count - open.length);
      open.push(...(await Promise.all(Array.from({ length: more }, () => openViewer(headwater.address)))));
    }
    await fleet.reset();
    const [cpu, began] = [headwater.cpu(), Date.now()];
    await sleep(seconds * 1_000);
    const [spent, elapsed] = [headwater.cpu() - cpu, Date.now() - began];
    const seen = rhythm((await fleet.calls()).calls, interval, elapsed);
    const here = viewers.length > 1 ? { viewers: count } : where;
    figure("cpu_s_per_1000_polls", (spent / seen.polls) * 1_000, "s", here);
    figure("cpu_of_a_core", spent / (elapsed / 1_000), "", here);
    figure("memory_peak", headwater.memory().peak, "MB", here);
    figure("gap_off_p99", seen.gap_off_p99_ms, "ms", here);
    figure("busiest_100ms", seen.burst_x, "x mean", here);
  }
  for (const viewer of open) viewer.close();
  await headwater.stop();
  fleet.stop();
}
