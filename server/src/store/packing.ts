import { concat } from "./bytes.ts";
import { ensure } from "./ensure.ts";
import type { HeadNode, HeadSlot } from "./head.ts";
import { emptyTally } from "./histogram.ts";
import { addWitnessed, type Minutes, minutesOf } from "./minutes.ts";
import { hourOfSlot, type Rolling } from "./rolling.ts";
import { readMinutes, writeMinutes } from "./rows.ts";
import { HOUR_MS, keyOf, SERIES_SPACE, SLOT_MS } from "./samples.ts";
import { RAW } from "./tiers.ts";
import { GRACE_MS, PACKED, ROLLED, timeLeft, type Upkeep } from "./upkeep.ts";

/** The samples of slots that are over: from the tail into a row a node, and their minutes. */
export interface Packing {
  /** Some nodes of a closed slot; when all are there, the slot is done and leaves the tail. False when nothing is due. */
  step(now: number): boolean;
}

interface Underway {
  slot: HeadSlot;
  left: [number, HeadNode][];
  witnessed: Map<number, Minutes>;
}

export function createPacking(upkeep: Upkeep, rolling: Rolling): Packing {
  const { history, sql, transaction, put, get, isDone } = upkeep;
  let packing: Underway | null = null;

  /** Some nodes of a closed slot; when all are there, the slot is done and leaves the tail. */
  function step(now: number): boolean {
    if (!packing) {
      const slot = [...history.head.slots.values()].find((one) => isOver(one.slot, now) && one.journalled === 0);
      if (!slot) return false;
      const hour = hourOfSlot(slot.slot);
      if (isDone(PACKED, slot.slot) || isDone(ROLLED, hour)) {
        rolling.restart(hour);
        merge(slot);
        return true;
      }
      packing = { slot, left: [...slot.nodes], witnessed: new Map() };
    }
    const { slot, left, witnessed } = packing;
    const mayGoOn = timeLeft();
    transaction(() => {
      while (left.length > 0 && mayGoOn()) {
        const [series, node] = left.pop() ?? [0, null];
        if (!node) continue;
        const key = keyOf(slot.slot, series);
        put("raw", key, node.polls.view());
        if (node.dependencies.length > 0) put("dep", key, node.dependencies.view());
        put("minute", key, writeMinutes(minutesOf(node, slot.slot)));
        addWitnessed(history.names, series, node, slot.slot, witnessed);
      }
      if (left.length > 0) return;
      for (const [target, minutes] of witnessed)
        if (!slot.nodes.has(target)) put("minute", keyOf(slot.slot, target), writeMinutes(minutes));
      seal(slot);
    });
    if (left.length === 0) {
      history.head.close(slot.slot);
      packing = null;
    }
    return true;
  }

  /** What lies far ahead was dated by a clock that has been set back: nothing is added to it for long. */
  function isOver(slot: number, now: number): boolean {
    return (slot + 1) * SLOT_MS + GRACE_MS <= now || slot * SLOT_MS > now + HOUR_MS;
  }

  function seal(slot: HeadSlot): void {
    upkeep.markDone(PACKED, slot.slot);
    sql("DELETE FROM tail WHERE key >= ? AND key < ?").run(slot.slot * SERIES_SPACE, (slot.slot + 1) * SERIES_SPACE);
  }

  /** Samples of a slot or hour that is done already, late ones or those after a clock that stepped back, are added to it. */
  function merge(slot: HeadSlot): void {
    const rolled = isDone(ROLLED, hourOfSlot(slot.slot));
    transaction(() => {
      const witnessed = new Map<number, Minutes>();
      for (const [series, node] of slot.nodes) {
        const key = keyOf(slot.slot, series);
        const minutes = minutesOf(node, slot.slot);
        put("raw", key, concat(get("raw", key), node.polls.view()));
        addWitnessed(history.names, series, node, slot.slot, witnessed);
        if (rolled) {
          rolling.addHour(slot.slot, series, minutes);
          rolling.addDependencyHour(slot.slot, series, node);
          rolling.addRuns(slot.slot, series, node);
        } else if (node.dependencies.length > 0) put("dep", key, concat(get("dep", key), node.dependencies.view()));
        addMinutes(key, minutes);
      }
      for (const [target, minutes] of witnessed) {
        if (minutes.size === 0 || isPolled(slot.slot, target)) continue;
        if (rolled) rolling.addHour(slot.slot, target, minutes);
        addMinutes(keyOf(slot.slot, target), minutes);
      }
      seal(slot);
    });
    history.head.close(slot.slot);
  }

  /** Polls of the node itself tell more than what others say of it. */
  function isPolled(slot: number, series: number): boolean {
    return get("raw", keyOf(slot, series)) !== null || get("raw_pack", keyOf(Math.floor(slot / RAW.per), series)) !== null;
  }

  function addMinutes(key: number, minutes: Minutes): void {
    const before = get("minute", key);
    if (before) readMinutes(before, (minute) => ensure(minutes, minute, emptyTally));
    put("minute", key, writeMinutes(minutes));
  }

  return { step };
}
