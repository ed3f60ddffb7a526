import { setImmediate as breathe } from "node:timers/promises";

/** What is read from history step by step is read for this long before polls and other requests get their turn. */
const TURN_MS = 4;

/** What the steps lead to. `rest` passes between two turns; if it rejects, no more is read. */
export async function inTurns<T>(steps: Generator<unknown, T>, rest: () => Promise<unknown> = () => breathe()): Promise<T> {
  let turn = performance.now();
  for (let step = steps.next(); ; step = steps.next()) {
    if (step.done) return step.value;
    if (performance.now() - turn < TURN_MS) continue;
    await rest();
    turn = performance.now();
  }
}
