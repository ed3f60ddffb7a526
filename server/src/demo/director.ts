import type { Fault } from "./faults.ts";
import type { Fleet } from "./fleet.ts";
import { type Act, momentAt, SCRIPT } from "./script.ts";

/** Runs the script on a fleet, and lets people take over. */
export interface Director {
  readonly script: readonly Act[];
  readonly fleet: Fleet;
  state(): { auto: boolean; act: number | null };
  /** Lets the script go on from its beginning, or holds it; what is broken stays broken while it is held. */
  setAuto(on: boolean): Promise<void>;
  /** Heals everything, then plays one act until something else is asked for. Holds the script. */
  play(act: number): Promise<void>;
  /** By hand: holds the script. */
  break(id: string, fault: Fault): Promise<void>;
  heal(id: string): Promise<void>;
  healAll(): Promise<void>;
  stop(): void;
}

export interface DirectorOptions {
  script?: readonly Act[];
  /** Milliseconds that only go forward. */
  now?: () => number;
  /** Told of each act that begins, by the script or by hand, and with null when one ends. */
  onAct?: (act: Act | null) => void;
}

const STEP_MS = 250;

export function createDirector(
  fleet: Fleet,
  { script = SCRIPT, now = () => performance.now(), onAct = () => {} }: DirectorOptions = {},
): Director {
  let startedAt = now();
  let auto = true;
  let playing: number | null = null;
  // One order after the other, so that a hand that takes over has the last word.
  let turn: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void inTurn(step), STEP_MS);

  function inTurn(order: () => Promise<void>): Promise<void> {
    const mine = turn.then(order);
    turn = mine.catch(() => {});
    return mine;
  }

  async function step(): Promise<void> {
    if (!auto) return;
    const { act } = momentAt(script, now() - startedAt);
    if (act !== playing) await enter(act);
  }

  /** What is asked for by hand: the script is held and no act is on. */
  function byHand(order: () => Promise<void>): Promise<void> {
    return inTurn(async () => {
      auto = false;
      playing = null;
      await order();
    });
  }

  async function enter(act: number | null): Promise<void> {
    playing = act;
    await healFleet();
    const next = act === null ? null : (script[act] ?? null);
    for (const { id, fault, instance } of next?.faults ?? []) await fleet.break(target(id, instance), fault);
    onAct(next);
  }

  /** An instance by its number among those of its service; the id itself where there is no such instance. */
  function target(id: string, instance: number | undefined): string {
    if (instance === undefined) return id;
    return fleet.services.filter(({ service }) => service === id)[instance]?.id ?? id;
  }

  async function healFleet(): Promise<void> {
    for (const id of fleet.faults().keys()) await fleet.heal(id);
  }

  return {
    script,
    fleet,
    state: () => ({ auto, act: playing }),
    setAuto: (on) =>
      inTurn(async () => {
        if (on && !auto) {
          startedAt = now();
          playing = null;
          await healFleet();
        }
        auto = on;
      }),
    play: (act) =>
      byHand(async () => {
        if (script[act]) await enter(act);
      }),
    break: (id, fault) => byHand(() => fleet.break(id, fault)),
    heal: (id) => byHand(() => fleet.heal(id)),
    healAll: () => byHand(healFleet),
    stop: () => clearInterval(timer),
  };
}
