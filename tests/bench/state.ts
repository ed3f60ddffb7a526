/**
 * What the reducer costs: microseconds per observation at 5,000 services with eight dependencies each, and one `age()`.
 * By hand: `npx tsx tests/bench/state.ts [services] [dependencies]`. Medians over batches: the machine may be busy.
 */

import type { Component, Observation } from "../../server/src/domain/observation.ts";
import type { SystemState } from "../../server/src/domain/state.ts";
import { age, initialState, observe } from "../../server/src/state/reduce.ts";
import { mapOf, resource, says, service, T0 } from "../server/state/make.ts";

const services = Number(process.argv[2] ?? 5_000);
const needs = Number(process.argv[3] ?? 8);
const BATCH = 50;
const ROUNDS = 8;

/** Microseconds of CPU since `begun`: the machine may be busy with other things. */
function cpu(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun);
  return user + system;
}

const ids = Array.from({ length: services }, (_, n) => `s${n}`);
const shared = Array.from({ length: Math.ceil(services / 10) }, (_, n) => `db${n}`);
const dependencies = (n: number): string[] =>
  Array.from({ length: needs }, (_, k) => (k % 2 === 0 ? `s${(n * 7 + k * 131 + 1) % services}` : `db${(n * 3 + k * 17) % shared.length}`));
const needed = ids.map((id, n) => [...new Set(dependencies(n).filter((to) => to !== id))]);
const map = mapOf([...ids.map((id, n) => service(id, needed[n])), ...shared.map(resource)]);

/** The polls of services `from` to `to` in the round that begins at `seconds`. */
function polls(seconds: number, from: number, to: number, down: (n: number) => boolean): Observation[] {
  return ids.slice(from, to).map((id, offset) => {
    const n = from + offset;
    const status = down(n) ? "down" : "up";
    const words: Record<string, Partial<Component>> = {};
    for (const name of needed[n] ?? [])
      words[name] = { status, latencyMs: (n + seconds) % 40, lastChecked: T0 + seconds * 1_000 - 500, ageMs: 500 };
    return says(id, seconds + (n / services) * 10, "healthy", words);
  });
}

function run(name: string, from: SystemState, start: number, down: (n: number, round: number) => boolean): SystemState {
  let state = from;
  const times: number[] = [];
  let count = 0;
  let moved = 0;
  for (let turn = 0; turn < ROUNDS; turn++) {
    for (let at = 0; at < services; at += BATCH) {
      const batch = polls(start + turn * 10, at, at + BATCH, (n) => down(n, turn));
      const begun = performance.now();
      const step = observe(state, map, batch, batch.at(-1)?.at ?? 0);
      times.push(((performance.now() - begun) * 1_000) / batch.length);
      moved += step.changed.edges.size;
      state = step.state;
    }
    count += services;
  }
  times.sort((a, b) => a - b);
  const [quick, median] = [0.1, 0.5].map((share) => times[Math.floor(times.length * share)]?.toFixed(1));
  console.log(`${name}: ${median} µs an observation (${quick} at the tenth percentile), ${(moved / count).toFixed(2)} edges moved by each`);
  return state;
}

const body = JSON.stringify(polls(0, 0, 1, () => false)[0]?.report);
const parsing = process.cpuUsage();
for (let n = 0; n < 50_000; n++) JSON.parse(body);
console.log(`for scale, JSON.parse of a report of ${body.length} bytes: ${(cpu(parsing) / 50_000).toFixed(1)} µs`);

let state = run("first rounds", initialState(map), 0, () => false);
state = run("warm", state, 1_000, () => false);
state = run("quiet", state, 2_000, () => false);
state = run("one in ten changes each round", state, 3_000, (n, turn) => (n + turn) % 10 === 0);
state = run("one in a hundred down", state, 4_000, (n) => n % 100 === 0);

for (let turn = 0; turn < 3; turn++) {
  const before = process.memoryUsage().heapUsed;
  const begun = process.cpuUsage();
  for (let second = 0; second < 20; second++) state = age(state, map, T0 + (4_080 + turn + second / 20) * 1_000).state;
  console.log(`age(): ${(cpu(begun) / 20_000).toFixed(3)} ms, ${((process.memoryUsage().heapUsed - before) / 1e6).toFixed(1)} MB`);
}
let begun = process.cpuUsage();
age(state, map, T0 + 4_130_000 + 10_000);
console.log(`age() that makes half of it stale: ${(cpu(begun) / 1_000).toFixed(1)} ms`);
begun = process.cpuUsage();
age(state, map, T0 + 5_000_000);
console.log(`age() that makes everything stale: ${(cpu(begun) / 1_000).toFixed(1)} ms`);
