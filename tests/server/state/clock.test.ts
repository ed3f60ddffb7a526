import { describe, expect, it } from "vitest";
import { datedBy } from "../../../server/src/domain/clock.ts";
import { followClock } from "../../../server/src/state/clock.ts";
import { initialState, observe } from "../../../server/src/state/reduce.ts";
import { mapOf, resource, says, service } from "./make.ts";

const NOW = Date.UTC(2026, 9, 24, 12);
const HOUR = 3_600_000;

describe("a moment of the past, by a clock that was set", () => {
  it.each([
    ["stays where it lies before now", NOW - HOUR, NOW, NOW - HOUR],
    ["is now where it lies in the future", NOW + HOUR, NOW, NOW],
    ["is now where a clock gave it that was not set", 60_000, NOW, NOW],
    ["stays unknown where it is", 0, NOW, 0],
    ["stays in the future of a clock that is not set itself", NOW, 60_000, NOW],
  ])("%s", (_what, at, now, expected) => {
    expect(datedBy(now, at)).toBe(expected);
  });
});

describe("states after the clock was set back", () => {
  const map = mapOf([service("a", ["db"]), service("b", ["db"]), resource("db")]);
  /** Polls of both an hour ahead of `NOW`, in seconds. */
  const polls = [0, 10, 20, 30].flatMap((t) => [
    { ...says("a", t, t < 10 ? "healthy" : "unhealthy", { db: t < 10 ? "up" : "down" }), at: NOW + HOUR + t * 1_000 },
    { ...says("b", t, "healthy", { db: "up" }), at: NOW - HOUR + t * 1_000 },
  ]);
  const before = polls.reduce((state, poll) => observe(state, map, [poll], poll.at + 10).state, initialState(map));

  it("hold no moment in the future, and those that held none stay the very same", () => {
    const { state, changed } = followClock(before, NOW, null);
    expect([...changed.instances]).toEqual(["a"]);
    expect(state.instances.get("b")).toBe(before.instances.get("b"));
    const moments: number[] = [];
    JSON.stringify([...state.instances.values(), ...state.edges.values(), ...state.nodes.values()], (key, value: unknown) => {
      if (typeof value === "number" && !/ms$|latency|age/i.test(key)) moments.push(value);
      return value;
    });
    expect(Math.max(...moments)).toBe(NOW);
    expect(state.instances.get("a")).toMatchObject({ damped: { status: "unhealthy", since: NOW }, lastPollAt: NOW });
    expect(followClock(state, NOW, null).changed.instances.size).toBe(0);
  });

  it("take the next results for news: what is seen up now is up after what was seen down", () => {
    const { state } = followClock(before, NOW, null);
    const good = [10, 20, 30].map((t) => ({ ...says("a", t, "healthy", { db: "up" }), at: NOW + t * 1_000 }));
    const healed = good.reduce((held, poll) => observe(held, map, [poll], poll.at).state, state);
    const { lastGood, window } = healed.edges.get("a>db") ?? {};
    expect([healed.nodes.get("a")?.status, healed.nodes.get("db")?.status, window, lastGood]).toEqual([
      "healthy",
      "healthy",
      null,
      NOW + 30_000,
    ]);
  });
});
