// Many services, or a short interval, for long: no poll skipped, none doubled, memory flat.
//
//   pnpm bench:soak [--services 200] [--interval 1000] [--seconds 300] [--log FILE]
//
// The two of the performance guide: `--services 5000 --interval 10000 --seconds 3600` and `--services 1000 --interval 1000
// --seconds 3600`. Prints a JSON line, writes one a minute to FILE, and exits 1 when it fails.
import { appendFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { polledTwice, sleep, startAggregator } from "./aggregator.mjs";
import { rhythm, startFleet } from "./fleet.mjs";

const { values } = parseArgs({
  options: {
    services: { type: "string", default: "200" },
    interval: { type: "string", default: "1000" },
    seconds: { type: "string", default: "300" },
    log: { type: "string" },
  },
});
const [n, interval, seconds] = [Number(values.services), Number(values.interval), Number(values.seconds)];
/** Growth from the middle third of the run to the last, in MB, that still counts as flat. */
const FLAT_MB = 20;
const round = (number) => Math.round(number * 10) / 10;

const fleet = await startFleet({ n });
const headwater = await startAggregator(fleet, { interval });
await fleet.reset();
await polledTwice(fleet, interval);
const skippedAtStart = await headwater.metric("headwater_ticks_skipped_total");
const began = Date.now();
const cpuAtStart = headwater.cpu();
const memory = [];
const minutes = [];
/** The last request of each service, so that the gap over the end of a minute counts too. */
let last = Array.from({ length: n }, () => []);
await fleet.reset();
for (let minute = began; Date.now() - began < seconds * 1_000; minute = Date.now()) {
  const cpu = headwater.cpu();
  while (Date.now() - minute < Math.min(60, seconds) * 1_000 - 5_000) {
    await sleep(5_000);
    memory.push(headwater.memory().now);
  }
  const elapsed = Date.now() - minute;
  const { calls } = await fleet.take();
  const joined = calls.map((times, i) => [...last[i], ...times]);
  last = joined.map((times) => times.slice(-1));
  const seen = rhythm(joined, interval, elapsed);
  const polls = calls.reduce((sum, times) => sum + times.length, 0);
  const line = {
    at_s: Math.round((Date.now() - began) / 1_000),
    polls,
    cpu_s_per_1000: Number((((headwater.cpu() - cpu) / polls) * 1_000).toPrecision(3)),
    rss_mb: Math.round(headwater.memory().now),
    gap_off_p99_ms: round(seen.gap_off_p99_ms),
    gap_max_ms: round(seen.gap_max_ms),
    skipped_or_doubled: seen.skipped_or_doubled,
  };
  minutes.push(line);
  if (values.log) appendFileSync(values.log, `${JSON.stringify(line)}\n`);
}
const skipped = (await headwater.metric("headwater_ticks_skipped_total")) - skippedAtStart;
const polls = minutes.reduce((sum, minute) => sum + minute.polls, 0);
const cpu = headwater.cpu() - cpuAtStart;
const { peak } = headwater.memory();
const third = Math.max(1, Math.floor(memory.length / 3));
const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;
const growth = mean(memory.slice(-third)) - mean(memory.slice(third, 2 * third));
const code = await headwater.stop();
fleet.stop();
const off = minutes.reduce((sum, minute) => sum + minute.skipped_or_doubled, 0);
const ok = skipped === 0 && off === 0 && growth < FLAT_MB && code === 0;
const gaps = minutes.map((minute) => minute.gap_off_p99_ms).sort((a, b) => a - b);
console.log(
  JSON.stringify({
    services: n,
    interval_ms: interval,
    seconds: Math.round((Date.now() - began) / 1_000),
    polls,
    skipped,
    skipped_or_doubled: off,
    cpu_s_per_1000: Number(((cpu / polls) * 1_000).toPrecision(3)),
    gap_off_p99_ms: { median: gaps[Math.floor(gaps.length / 2)], worst_minute: gaps.at(-1) },
    rss_mb: { first: Math.round(memory[0]), last: Math.round(memory.at(-1)), peak: Math.round(peak), growth: round(growth) },
    exit: code,
    ok,
  }),
);
process.exitCode = ok ? 0 : 1;
