import { readFileSync, writeFileSync } from "node:fs";
import { judge } from "../../server/src/analysis/verdict.ts";
import type { Evidence } from "../../server/src/domain/snapshot.ts";
import { MODES } from "../support/perturb.ts";
import { fleetScene, unread } from "./verdict-fleet.ts";
import { dayOfChanges } from "./verdict-memory.ts";
import { type Named, type Score, type Scores, scoreAll } from "./verdict-score.ts";

/**
 * `bench:verdict`: scores the verdict clean and under noise, measures its time, and rewrites the tables of docs/verdict.md. With
 * `SEEDS=100` it only prints what mixed noise of so many seeds gives.
 */
const DOC = new URL("../../docs/verdict.md", import.meta.url);
const SORTS = ["postmortem", "adversarial", "constructed", "independent"] as const;

const share = (part: number, whole: number): string => (whole === 0 ? "–" : (part / whole).toFixed(2));

function scoreTable({ table }: Scores): string {
  const head = [
    "| noise | cases | checkpoints | exact causes | floor | false flags | floor | calm kept calm | changes per incident |",
    "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
  ];
  const row = (mode: string, sort: string, s: Score): string =>
    `| ${mode} | ${sort} | ${s.points} | ${share(s.exact, s.points)} | ${share(s.naiveExact, s.points)} | ${share(s.falseFlags, s.points)} | ${share(s.naiveFalseFlags, s.points)} | ${share(s.calmRight, s.calm)} | ${(s.changes / s.incidents).toFixed(2)} |`;
  const lines = ["clean" as const, ...MODES].flatMap((mode) =>
    SORTS.flatMap((sort) => {
      const score = table.get(mode)?.[sort];
      return score ? [row(mode, sort, score)] : [];
    }),
  );
  return [...head, ...lines].join("\n");
}

function reliabilityTable(named: readonly Named[]): string {
  const lines = ["| said | named | right |", "| --- | --- | --- |"];
  for (const level of ["confirmed", "likely", "suspected"]) {
    const those = named.filter((one) => one.level === level);
    lines.push(`| ${level} | ${those.length} | ${share(those.filter(({ right }) => right).length, those.length)} |`);
  }
  for (let low = 0.5; low < 0.99; low += 0.1) {
    const those = named.filter(({ confidence }) => confidence >= low - 1e-9 && confidence < low + 0.1 - 1e-9);
    if (those.length > 0) {
      lines.push(
        `| ${low.toFixed(1)} to ${(low + 0.1).toFixed(1)} | ${those.length} | ${share(those.filter(({ right }) => right).length, those.length)} |`,
      );
    }
  }
  return lines.join("\n");
}

/** Median CPU time of one verdict over thirty, milliseconds. */
function medianCpu(evidence: () => Evidence): number {
  const times = Array.from({ length: 40 }, () => {
    const given = evidence();
    const from = process.cpuUsage();
    judge(given);
    const { user, system } = process.cpuUsage(from);
    return (user + system) / 1000;
  });
  return times.slice(10).sort((a, b) => a - b)[15] ?? 0;
}

function speedTable(): string {
  const lines = ["| nodes | edges | failing | after a sweep, CPU ms | nothing changed since, CPU ms |", "| --- | --- | --- | --- | --- |"];
  for (const nodes of [300, 5_000]) {
    for (const scene of fleetScene(nodes)) {
      const cold = medianCpu(() => unread(scene.evidence));
      const warm = medianCpu(() => scene.evidence);
      lines.push(`| ${nodes} | ${scene.edges} | ${scene.failing} | ${cold.toFixed(1)} | ${warm.toFixed(1)} |`);
    }
  }
  return lines.join("\n");
}

function memoryTable(): string {
  const lines = ["| hour | live heap MB | incidents so far | held |", "| --- | --- | --- | --- |"];
  for (const { hour, heap, opened, held } of dayOfChanges()) lines.push(`| ${hour} | ${heap.toFixed(1)} | ${opened} | ${held} |`);
  return lines.join("\n");
}

function replaceBetween(text: string, name: string, table: string): string {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < 0) throw new Error(`docs/verdict.md lacks ${begin}`);
  return `${text.slice(0, from + begin.length)}\n${table}\n${text.slice(to)}`;
}

function writeTables(): void {
  const scores = scoreAll();
  const tables = { scores: scoreTable(scores), reliability: reliabilityTable(scores.named), speed: speedTable(), memory: memoryTable() };
  let doc = readFileSync(DOC, "utf8");
  for (const [name, table] of Object.entries(tables)) {
    console.log(`${table}\n`);
    doc = replaceBetween(doc, name, table);
  }
  writeFileSync(DOC, doc);
}

function printMixed(seeds: number): void {
  const numbers = Array.from({ length: seeds }, (_, n) => n + 1);
  console.log(scoreTable(scoreAll(undefined, ["mixed"], numbers)));
}

const { SEEDS } = process.env;
if (SEEDS === undefined) writeTables();
else if (/^[1-9]\d{0,3}$/.test(SEEDS)) printMixed(Number(SEEDS));
else throw new Error(`SEEDS is "${SEEDS}": give a whole number from 1 to 9999.`);
