/** From best to worst: the order in which damping counts directions. */
export type Order<S extends string> = readonly [good: S, mild: S, silent: S, bad: S];

const LOOK_BACK = 10;
const REVERSALS = 4;
const BLIPS = 5;

/** True with four or more reversals of direction among the last ten raw results. */
export function isFlapping<S extends string>(order: Order<S>, recent: readonly S[]): boolean {
  let reversals = 0;
  let direction = 0;
  for (let at = Math.max(1, recent.length - LOOK_BACK + 1); at < recent.length; at++) {
    const step = Math.sign(order.indexOf(recent[at] as S) - order.indexOf(recent[at - 1] as S));
    if (step === 0) continue;
    if (direction !== 0 && step !== direction) reversals++;
    direction = step;
  }
  return reversals >= REVERSALS;
}

/** The worst of the last ten raw results: what a flapping thing is held at. */
export function worstOfRecent<S extends string>(order: Order<S>, recent: readonly S[]): S {
  let worst = 0;
  for (const result of recent.slice(-LOOK_BACK)) worst = Math.max(worst, order.indexOf(result));
  return order[worst] as S;
}

/** How the results since the last change of status look, where no run was long enough to flip it. */
export type Blips = "none" | "silent" | "bad";

/**
 * Five or more of `recent` (the raw results since the status was taken) worse than it, in two runs at least: one run
 * alone is still on its way to a flip. `bad` when at least half of them are known, `silent` when most are silence.
 */
export function blipsOf<S extends string>(order: Order<S>, status: S, recent: readonly S[]): Blips {
  const level = order.indexOf(status);
  let worse = 0;
  let known = 0;
  let runs = 0;
  let inRun = false;
  for (const result of recent) {
    const blip = order.indexOf(result) > level;
    if (blip) {
      worse++;
      if (result !== order[2]) known++;
      if (!inRun) runs++;
    }
    inRun = blip;
  }
  if (worse < BLIPS || runs < 2) return "none";
  return known * 2 >= worse ? "bad" : "silent";
}

/** True when the last ten raw results are all the same one: what was intermittent is so no more. */
export function isSteady<S extends string>(recent: readonly S[], status: S): boolean {
  return recent.length >= LOOK_BACK && recent.slice(-LOOK_BACK).every((result) => result === status);
}
