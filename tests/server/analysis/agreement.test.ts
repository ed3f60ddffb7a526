import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreementOf } from "../../../server/src/analysis/agreement.ts";
import { judge } from "../../../server/src/analysis/verdict.ts";
import { Life } from "../../support/life.ts";
import { mapOf, type NodeOptions, type Said, sceneOf } from "../../support/scene.ts";

const INTERVAL = 10_000;

/** `count` services that all need `db`. */
function sharedBy(count: number, mark = "!", options: NodeOptions = { flipAfter: 3 }) {
  const ids = Array.from({ length: count }, (_, n) => `s${n}`);
  return mapOf(Object.fromEntries(ids.map((id) => [id, `db${mark} own-${id}!`])), Object.fromEntries(ids.map((id) => [id, options])));
}

/** The first `count` services say `said`. */
const some = (count: number, said: Said = { down: ["db"] }): Record<string, Said> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`s${n}`, said]));

describe("how those who speak of a node divide", () => {
  const ups = (since: number, before: number) => [
    ...Array.from({ length: since }, () => ({ checkedAt: 100 })),
    ...Array.from({ length: before }, () => ({ checkedAt: 99 })),
  ];
  it.each([
    { blames: 3, since: 0, before: 0, says: "most" },
    { blames: 3, since: 1, before: 0, says: "most" },
    { blames: 3, since: 2, before: 0, says: "some" },
    { blames: 3, since: 3, before: 0, says: "few" },
    { blames: 3, since: 0, before: 3, says: "most" },
    { blames: 3, since: 0, before: 4, says: "some" },
    { blames: 3, since: 0, before: 11, says: "some" },
    { blames: 3, since: 0, before: 12, says: "few" },
    { blames: 1, since: 0, before: 1, says: "most" },
    { blames: 1, since: 0, before: 2, says: "few" },
    { blames: 10, since: 9, before: 0, says: "some" },
    { blames: 100, since: 50, before: 0, says: "most" },
  ])("$blames against $since up since and $before up before: $says", ({ blames, since, before, says }) => {
    expect(agreementOf(blames, 100, ups(since, before))).toBe(says);
  });
});

describe("how sure k of n callers make a verdict", () => {
  it.each([
    { k: 3, n: 3, level: "confirmed" },
    { k: 20, n: 20, level: "confirmed" },
    { k: 15, n: 20, level: "confirmed" },
    { k: 12, n: 20, level: "likely" },
    { k: 12, n: 20, repeats: 3, level: "confirmed" },
    { k: 5, n: 20, level: "suspected" },
    { k: 5, n: 20, repeats: 3, level: "likely" },
    { k: 3, n: 20, level: "suspected" },
    { k: 3, n: 200, level: "suspected" },
    // The others last looked before: they have not spoken of it yet.
    { k: 3, n: 6, upAge: 70_000, level: "confirmed" },
    { k: 3, n: 12, upAge: 70_000, level: "likely" },
    { k: 3, n: 12, upAge: 70_000, repeats: 3, level: "confirmed" },
    { k: 3, n: 20, upAge: 70_000, level: "suspected" },
    { k: 3, n: 200, upAge: 70_000, level: "suspected" },
    { k: 50, n: 200, upAge: 70_000, level: "likely" },
    { k: 100, n: 200, upAge: 70_000, level: "confirmed" },
    // Those who need it softly see it just as well.
    { k: 3, n: 20, mark: "~", level: "suspected" },
    { k: 15, n: 20, mark: "~", level: "confirmed" },
  ])("$k of $n ($mark, repeated $repeats, others $upAge ms old): $level", ({ k, n, level, repeats = 1, upAge = 500, mark = "!" }) => {
    const said = { ...some(n, { ages: { db: upAge } }), ...some(k, { down: ["db"], repeats }) };
    const { causes } = judge(sceneOf(sharedBy(n, mark), said));
    expect(causes.map((cause) => ({ node: cause.node, level: cause.level }))).toEqual([{ node: "db", level }]);
  });
});

describe("a blip of some callers", () => {
  it.each([
    { k: 3, n: 20, mark: "!" },
    { k: 3, n: 200, mark: "!" },
    { k: 5, n: 20, mark: "!" },
    { k: 5, n: 20, mark: "~" },
    { k: 3, n: 20, mark: "?" },
  ])("opens nothing when $k of $n ($mark) see it once, and one incident when it lasts", ({ k, n, mark }) => {
    const life = new Life(sharedBy(n, mark)).run(60).run(10, some(k)).run(30);
    expect(life.events).toEqual([]);
    life.run(30, some(k));
    expect(life.open()).toEqual(["cause db open"]);
    expect(life.of("db").cause?.level).not.toBe("confirmed");
    life.run(120);
    expect(life.incidents.map(({ anchor, status }) => `${anchor} ${status}`)).toEqual(["db resolved"]);
  });

  it("opens at once when all see it", () => {
    const life = new Life(sharedBy(20)).run(60).run(1, some(20));
    expect(life.open()).toEqual(["cause db open"]);
    expect(life.of("db").cause?.level).toBe("confirmed");
  });

  it("is never confirmed while they are less than half, nor an incident up to a fifth, whenever they are polled", () => {
    const drawn = fc.record({
      n: fc.integer({ min: 8, max: 40 }),
      phases: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 40, maxLength: 40 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      mark: fc.constantFrom("!", "~", "?"),
    });
    fc.assert(
      fc.property(drawn, ({ n, phases, share, mark }) => {
        const few = 1 + Math.floor(share * (Math.ceil(n / 2) - 1.001));
        const life = new Life(sharedBy(n, mark), (id) => (phases[Number(id.slice(1))] ?? 0) * 1000).run(40);
        const levels = new Set<string>();
        const said = some(few);
        for (let second = 0; second < INTERVAL / 1000; second++) {
          life.run(1, said);
          for (const { level } of life.verdict?.causes ?? []) levels.add(level);
        }
        life.run(40);
        expect(levels.has("confirmed")).toBe(false);
        if (few * 5 <= n) expect(life.events).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  it("does not hide a failure that all see, whenever they are polled: one incident within an interval, confirmed", () => {
    const drawn = fc.record({
      n: fc.integer({ min: 3, max: 40 }),
      phases: fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 40, maxLength: 40 }),
    });
    fc.assert(
      fc.property(drawn, ({ n, phases }) => {
        const life = new Life(sharedBy(n), (id) => (phases[Number(id.slice(1))] ?? 0) * 1000).run(40).run(INTERVAL / 1000, some(n));
        expect(life.open()).toEqual(["cause db open"]);
        expect(life.of("db").cause?.level).toBe("confirmed");
      }),
      { numRuns: 60 },
    );
  });
});
