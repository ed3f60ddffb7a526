import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Observation } from "../../../server/src/domain/observation.ts";
import { Inbox } from "../../../server/src/engine/inbox.ts";
import { report } from "./make.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** An inbox whose batches cost `cost.ms` of the monotonic clock each. */
function inbox(cost: { ms: number }) {
  const taken: (readonly Observation[])[] = [];
  let spent = 0;
  const box = new Inbox({ wall: () => 0, monotonic: () => spent }, () => {
    taken.push(box.take());
    spent += cost.ms;
  });
  return { box, taken };
}

describe("finished polls", () => {
  test("that arrive together are one batch, and nothing is worked on before", () => {
    const { box, taken } = inbox({ ms: 0 });
    box.add(report("a", 1));
    vi.advanceTimersByTime(10);
    box.add(report("b", 2));
    expect(taken).toEqual([]);
    vi.advanceTimersByTime(15);
    expect(taken.map((batch) => batch.map(({ service }) => service))).toEqual([["a", "b"]]);
    vi.advanceTimersByTime(1_000);
    expect(taken).toHaveLength(1);
  });

  test.each([
    [0, 25],
    [10, 25],
    [40, 80],
    [1_000, 250],
  ])("wait longer after a batch that cost %i ms: %i ms", (ms, wait) => {
    const { box, taken } = inbox({ ms });
    box.add(report("a", 1));
    vi.advanceTimersByTime(25);
    box.add(report("b", 2));
    vi.advanceTimersByTime(wait - 1);
    expect(taken).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(taken).toHaveLength(2);
  });

  test("taken early are not worked on a second time", () => {
    const { box, taken } = inbox({ ms: 0 });
    box.add(report("a", 1));
    expect(box.take()).toHaveLength(1);
    expect(box.take()).toEqual([]);
    vi.advanceTimersByTime(1_000);
    expect(taken).toEqual([]);
  });
});
