import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Range } from "../../../server/src/domain/history.ts";
import { STATUSES, type Status, worstStatus } from "../../../server/src/domain/status.ts";
import { availabilityOf, coarsened, overlap, push, type Step, strip, tile, union, withRoles } from "../../../server/src/store/timeline.ts";

const moment = fc.integer({ min: 0, max: 1_000 });
const range: fc.Arbitrary<Range> = fc.tuple(moment, moment).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) + 1 }));
const known = fc.array(fc.record({ at: moment, status: fc.option(fc.constantFrom(...STATUSES), { nil: null }) }), { maxLength: 20 });

function stepsOf(pushed: readonly Step[]): Step[] {
  const steps: Step[] = [];
  for (const step of pushed) push(steps, step);
  return steps;
}

describe("what became known later", () => {
  it("replaces what an earlier clock said of that time", () => {
    const steps = stepsOf([
      { at: 10, status: "healthy" },
      { at: 20, status: "unhealthy" },
      { at: 30, status: "healthy" },
      { at: 15, status: "degraded" },
    ]);
    expect(steps).toEqual([
      { at: 10, status: "healthy" },
      { at: 15, status: "degraded" },
    ]);
  });
});

describe("ranges", () => {
  it("join where they overlap or touch, and are cut to the whole", () => {
    expect(
      union(
        [
          { from: 5, to: 9 },
          { from: 0, to: 3 },
          { from: 3, to: 4 },
          { from: 8, to: 50 },
          { from: 7, to: 7 },
        ],
        { from: 1, to: 20 },
      ),
    ).toEqual([
      { from: 1, to: 4 },
      { from: 5, to: 20 },
    ]);
  });

  it("cover what any of them covers, moment by moment", () => {
    fc.assert(
      fc.property(fc.array(range, { maxLength: 10 }), range, moment, (some, within, at) => {
        const covers = (ranges: readonly Range[]): boolean => ranges.some((one) => at >= one.from && at < one.to);
        const joined = union(some, within);
        expect(covers(joined)).toBe(covers(some) && covers([within]));
        expect(overlap(joined, [within])).toBe(joined.reduce((sum, one) => sum + one.to - one.from, 0));
      }),
    );
  });
});

describe("spans", () => {
  it("tile any range without gap or overlap, whatever is known", () => {
    fc.assert(
      fc.property(known, fc.array(range, { maxLength: 6 }), range, (pushed, gaps, within) => {
        const unseen = union(gaps, within);
        const pieces = tile(stepsOf(pushed), unseen, within);
        expect(pieces[0]?.from).toBe(within.from);
        expect(pieces.at(-1)?.to).toBe(within.to);
        pieces.forEach((piece, i) => {
          expect(piece.to).toBeGreaterThan(piece.from);
          if (i > 0) expect(piece.from).toBe(pieces[i - 1]?.to);
        });
        for (const gap of unseen)
          for (const piece of pieces) if (piece.from < gap.to && piece.to > gap.from) expect(piece.status).toBe("no_data");
      }),
    );
  });

  it("show what held, with gaps as gaps", () => {
    const steps: Step[] = [
      { at: 10, status: "healthy", reason: null },
      { at: 40, status: "unhealthy", reason: "timeout at 2 s" },
    ];
    expect(tile(steps, [{ from: 50, to: 60 }], { from: 0, to: 100 })).toEqual([
      { status: "no_data", reason: null, from: 0, to: 10 },
      { status: "healthy", reason: null, from: 10, to: 40 },
      { status: "unhealthy", reason: "timeout at 2 s", from: 40, to: 50 },
      { status: "no_data", reason: null, from: 50, to: 60 },
      { status: "unhealthy", reason: "timeout at 2 s", from: 60, to: 100 },
    ]);
  });

  it("carry the role that held for most of them", () => {
    const pieces = tile([{ at: 0, status: "unhealthy" }], [], { from: 0, to: 100 });
    const roles = [
      { at: 0, role: null },
      { at: 10, role: "impacted" as const },
      { at: 90, role: null },
    ];
    expect(withRoles(pieces, roles)).toEqual([{ status: "unhealthy", reason: null, role: "impacted", from: 0, to: 100 }]);
    expect(withRoles(pieces, [{ at: 60, role: "impacted" }])[0]?.role).toBeNull();
  });
});

describe("spans for a chart", () => {
  it("are as many as it can show at most, still tile the range, and hide neither length nor the worst", () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ length: fc.integer({ min: 1, max: 60 }), status: fc.constantFrom(...STATUSES, "no_data" as const) }), {
          minLength: 1,
          maxLength: 400,
        }),
        fc.integer({ min: 8, max: 60 }),
        (some, most) => {
          let at = 0;
          const pieces = some.map(({ length, status }) => {
            at += length;
            return { status, reason: null, from: at - length, to: at };
          });
          const coarse = coarsened(pieces, most);
          expect(coarse.length).toBeLessThanOrEqual(Math.max(most, 1));
          expect([coarse[0]?.from, coarse.at(-1)?.to]).toEqual([0, at]);
          coarse.forEach((piece, i) => {
            if (i > 0) expect(piece.from).toBe(coarse[i - 1]?.to);
            const within = pieces.filter(({ from, to }) => from >= piece.from && to <= piece.to);
            const known = within.flatMap(({ status }) => (status === "no_data" ? [] : [status]));
            expect(piece.status).toBe(known.length === 0 ? "no_data" : worstStatus(known));
          });
        },
      ),
    );
  });
});

describe("availability", () => {
  it("adds up to the range, and over ranges that follow each other", () => {
    fc.assert(
      fc.property(
        known,
        fc.array(range, { maxLength: 6 }),
        fc.array(range, { maxLength: 3 }),
        range,
        fc.double({ min: 0, max: 1, noNaN: true }),
        (pushed, gaps, announced, within, share) => {
          const steps = stepsOf(pushed);
          const of = (part: Range) => availabilityOf(tile(steps, union(gaps, part), part), union(announced, part));
          const middle = Math.round(within.from + share * (within.to - within.from));
          const whole = of(within);
          expect(whole.up + whole.degraded + whole.down + whole.unseen).toBe(within.to - within.from);
          expect(whole.maintenance).toBeLessThanOrEqual(whole.degraded + whole.down);
          const first = of({ from: within.from, to: middle });
          const second = of({ from: middle, to: within.to });
          for (const key of ["up", "degraded", "down", "unseen", "maintenance"] as const) expect(first[key] + second[key]).toBe(whole[key]);
        },
      ),
    );
  });

  it("counts unknown as unseen, and announced trouble apart", () => {
    const steps: Step[] = [
      { at: 0, status: "healthy" },
      { at: 10, status: "unhealthy" },
      { at: 30, status: "unknown" },
      { at: 40, status: "degraded" },
      { at: 45, status: "healthy" },
    ];
    expect(availabilityOf(tile(steps, [], { from: 0, to: 100 }), [{ from: 20, to: 42 }])).toEqual({
      up: 65,
      degraded: 5,
      down: 20,
      unseen: 10,
      maintenance: 12,
    });
  });
});

describe("strips", () => {
  it("show the worst of each cell and how much of it that was", () => {
    const steps: Step[] = [
      { at: 0, status: "healthy" },
      { at: 15, status: "degraded" },
      { at: 18, status: "healthy" },
      { at: 30, status: "unhealthy" },
    ];
    expect(strip(steps, [{ from: 40, to: 55 }], { from: 0, to: 60 }, 6)).toEqual([
      { status: "healthy", share: 1 },
      { status: "degraded", share: 0.3 },
      { status: "healthy", share: 1 },
      { status: "unhealthy", share: 1 },
      null,
      { status: "unhealthy", share: 0.5 },
    ]);
  });

  it("say the same as the spans of the same time", () => {
    fc.assert(
      fc.property(known, fc.array(range, { maxLength: 4 }), range, fc.integer({ min: 1, max: 50 }), (pushed, gaps, within, cells) => {
        const steps = stepsOf(pushed);
        const unseen = union(gaps, within);
        const width = (within.to - within.from) / cells;
        const expected = Array.from({ length: cells }, (_, cell) => {
          const [from, to] = [within.from + cell * width, within.from + (cell + 1) * width];
          const inside = tile(steps, unseen, within).filter(
            (piece) => piece.from < to - 1e-9 && piece.to > from + 1e-9 && piece.status !== "no_data",
          );
          const statuses = inside.map((piece) => piece.status as Status);
          if (statuses.length === 0) return null;
          const status = worstStatus(statuses);
          const ms = inside.reduce(
            (sum, piece) => sum + (piece.status === status ? Math.min(to, piece.to) - Math.max(from, piece.from) : 0),
            0,
          );
          return { status, share: ms / width };
        });
        const cellsOf = strip(steps, unseen, within, cells);
        expect(cellsOf.map((cell) => cell?.status ?? null)).toEqual(expected.map((cell) => cell?.status ?? null));
        cellsOf.forEach((cell, i) => {
          expect(cell?.share ?? 0).toBeCloseTo(expected[i]?.share ?? 0, 2);
        });
      }),
    );
  });
});
