// Kills a writer of history (-9) at random instants and looks at what is left; needs `pnpm build`.
//   node tests/bench/kills.mjs [--times 100]
// The writer polls fifty services a tick and shows an incident with each; exit code 1 when a start was not clean, when
// something that had been shown is gone, or when more than the last tick's samples are missing.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openStore } from "../../server/dist/store/index.js";

const { values } = parseArgs({ options: { times: { type: "string", default: "100" } } });
const times = Number(values.times);
const DAY = 86_400_000;
const KEEP = { raw: DAY, minutes: 7 * DAY, hours: 90 * DAY, changes: 400 * DAY };
const path = mkdtempSync(join(tmpdir(), "headwater-kills-"));
const writer = new URL("../integration/store-child.mjs", import.meta.url).pathname;

function saidUntilKilled(start, after) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [writer, path, String(start)], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    let armed = false;
    child.stdout.setEncoding("utf8").on("data", (part) => {
      text += part;
      if (armed) return;
      armed = true;
      setTimeout(() => child.kill("SIGKILL"), after);
    });
    child.on("close", () => resolve(text.slice(0, text.lastIndexOf("\n") + 1).split("\n")));
  });
}

function atOnce(steps) {
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return step.value;
}

const sum = { kills: 0, shown: 0, missing: 0, flushed: 0, lost: 0, worst: 0, asideOrFailed: 0 };
for (let i = 0; i < times; i++) {
  const start = Date.UTC(2026, 0, 1) + i * DAY;
  const said = await saidUntilKilled(start, Math.random() * 400);
  const shown = said.filter((line) => line.startsWith("shown ")).map((line) => line.split(" "));
  const [, end = start, flushed = 0] =
    said
      .findLast((line) => line.startsWith("flushed "))
      ?.split(" ")
      .map(Number) ?? [];
  const store = openStore({ path, maxSize: 2e9, retention: KEEP, log: (level) => level === "error" && sum.asideOrFailed++ });
  store.writer.restore(end + 60_000);
  for (const [, service, id, at, status] of shown) {
    if (store.reader.incident(Number(id))?.anchor !== service) sum.missing++;
    if (!store.reader.transitions(Number(at), Number(at) + 1, 10, [service]).some((one) => one.to === status)) sum.missing++;
  }
  let kept = 0;
  for (let n = 0; n < 50; n++)
    for (const point of atOnce(store.reader.nodeHistory(`service-${n}`, start - 2_000, end + 1, 100_000)).latency) kept += point.count;
  const lost = Math.max(0, flushed - kept);
  sum.kills++;
  sum.shown += shown.length;
  sum.flushed += flushed;
  sum.lost += lost;
  sum.worst = Math.max(sum.worst, lost);
  store.close();
}
rmSync(path, { recursive: true });
console.log(JSON.stringify(sum));
process.exitCode = sum.missing > 0 || sum.worst > 0 || sum.asideOrFailed > 0 ? 1 : 0;
