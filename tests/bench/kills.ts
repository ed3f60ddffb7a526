/**
 * Kills a writer of history (-9) at random instants, a hundred times, and looks at what is left:
 *
 *     pnpm bench:kills [--times 100]
 *
 * The writer polls fifty services a tick and shows an incident with each. Prints sums, and exits 1 when a start was not
 * clean, or when something is gone that had been shown or flushed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { killOnce } from "../support/kills.ts";

const { values } = parseArgs({ options: { times: { type: "string", default: "100" } } });
const folder = mkdtempSync(path.join(tmpdir(), "headwater-kills-"));
const sum = { kills: 0, shown: 0, missing: 0, flushed: 0, lost: 0, unclean: 0 };
for (let day = 0; day < Number(values.times); day++) {
  const kill = await killOnce(folder, Date.UTC(2026, 0, 1) + day * 86_400_000, Math.random() * 400);
  sum.kills++;
  sum.shown += kill.shown;
  sum.missing += kill.missing.length;
  sum.flushed += kill.flushed;
  sum.lost += Math.max(0, kill.flushed - kill.kept);
  if (kill.errors.length > 0 || !kill.nextIncidentIsNew || !kill.stateIsAsShown) sum.unclean++;
}
rmSync(folder, { recursive: true });
console.log(JSON.stringify(sum));
process.exitCode = sum.missing + sum.lost + sum.unclean > 0 ? 1 : 0;
