import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Draft, keysOf, Table } from "../../../server/src/state/table.ts";

const keyed = keysOf(Array.from({ length: 150 }, (_, n) => `k${n}`));
const table = Table.of(keyed, (_, n) => n);

describe("a table", () => {
  test("reads like a map", () => {
    const map = new Map(keyed.names.map((name, n) => [name, n]));
    expect([...table]).toEqual([...map]);
    expect([...table.keys()]).toEqual([...map.keys()]);
    expect([...table.values()]).toEqual([...map.values()]);
    expect([table.size, table.get("k149"), table.get("none"), table.has("k0"), table.has("none")]).toEqual([
      150,
      149,
      undefined,
      true,
      false,
    ]);
    const seen: [string, number][] = [];
    table.forEach((value, key) => {
      seen.push([key, value]);
    });
    expect(seen).toEqual([...map]);
  });
  test("that nobody wrote to is the same table", () => {
    const draft = new Draft(table);
    expect([draft.at(70), draft.done() === table]).toEqual([70, true]);
  });
  test("shares every chunk that a draft left alone", () => {
    const draft = new Draft(table);
    draft.put(70, -1, 0);
    const next = draft.done();
    expect([next.get("k70"), table.get("k70"), next.get("k71")]).toEqual([-1, 70, 71]);
    expect(next.chunks.map((chunk, n) => chunk === table.chunks[n])).toEqual([true, false, true]);
  });
});

test("drafts one after the other hold what was put last, and change no table before them", () => {
  const puts = fc.array(fc.array(fc.tuple(fc.nat(149), fc.integer())), { maxLength: 6 });
  fc.assert(
    fc.property(puts, (batches) => {
      let current = table;
      const model = [...table.values()];
      for (const batch of batches) {
        const before = [...current.values()];
        const draft = new Draft(current);
        for (const [at, value] of batch) {
          draft.put(at, value, 0);
          model[at] = value;
          expect(draft.at(at)).toBe(value);
        }
        expect([...current.values()]).toEqual(before);
        current = draft.done();
      }
      expect([...current.values()]).toEqual(model);
    }),
  );
});

describe("a sweep", () => {
  /** Values are due times themselves. */
  const due = (values: Table<number>, now: number): { visited: number; late: number[]; next: Table<number> } => {
    const draft = new Draft(values);
    const late: number[] = [];
    let visited = 0;
    draft.sweep(now, (position, value) => {
      visited++;
      if (value > now) return value;
      late.push(position);
      draft.put(position, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
      return Number.POSITIVE_INFINITY;
    });
    return { visited, late, next: draft.done() };
  };
  test("finds what is due and looks at nothing twice before its time", () => {
    const first = due(
      Table.of(keyed, (_, n) => 1_000 + n),
      1_003,
    );
    expect([first.visited, first.late]).toEqual([150, [0, 1, 2, 3]]);
    const second = due(first.next, 1_003);
    expect([second.visited, second.late]).toEqual([0, []]);
    const third = due(second.next, 1_004);
    expect([third.visited, third.late]).toEqual([64, [4]]);
  });
  test("sees a value put since with an earlier time", () => {
    const settled = due(
      Table.of(keyed, () => 5_000),
      0,
    ).next;
    const draft = new Draft(settled);
    draft.put(100, 2_000, 2_000);
    expect(due(draft.done(), 2_000).late).toEqual([100]);
  });
});
