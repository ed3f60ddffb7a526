import { expect, it } from "vitest";
import { Failures, SYSTEM_PREFIX } from "../../../server/src/analysis/effects.ts";
import { singlePoints } from "../../../server/src/analysis/whatif.ts";
import { consequences } from "../../../server/src/config/consequences.ts";
import { parseMapObject } from "../../../server/src/config/parse.ts";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import { randomOf } from "../../support/random.ts";

/** A small map with cycles, alternatives and systems, in which about every tenth thing depends on `variant`. */
function mapOf(seed: number, variant: number): SystemMap {
  const shape = randomOf(`shape ${seed}`);
  const change = randomOf(`change ${seed} ${variant}`);
  const varies = (): boolean => variant > 0 && change() < 0.1;
  const pick = <T>(words: readonly T[], at: number): T => words[Math.floor(at * words.length)] as T;
  const ids = [...Array(12).keys()].map((n) => `n${n}`).filter((id) => id === "n0" || !varies());
  const criticality = (): string => pick(["hard", "soft", "informational"], varies() ? change() : shape());
  const services = Object.fromEntries(
    [...Array(12).keys()].map((n) => {
      const edges = [...Array(12).keys()].flatMap((to) => {
        const [there, label, grouped] = [shape(), criticality(), shape() < 0.2];
        if (to === n || there > (varies() ? 0.5 : 0.2)) return [];
        const on = grouped
          ? [`n${to}`, `n${(to + 1) % 12}`].filter((id) => id !== `n${n}` && ids.includes(id))
          : ids.includes(`n${to}`)
            ? [`n${to}`]
            : [];
        return on.length === 0 ? [] : [{ on: on.length > 1 ? on : on[0], criticality: label }];
      });
      const seen = new Set<string>();
      const dependencies = edges.filter(({ on }) => [on].flat().every((id) => id !== undefined && !seen.has(id) && seen.add(id)));
      return [`n${n}`, { dependencies }];
    }),
  );
  const members = ids.filter(() => shape() < 0.3 || varies()).map((node) => ({ node, criticality: criticality() }));
  const object = { services: Object.fromEntries(ids.map((id) => [id, services[id]])), systems: { shop: { members } } };
  const { map, errors } = parseMapObject(object);
  if (!map) throw new Error(JSON.stringify(errors));
  return map;
}

it("the failures that are looked at in part end as those that are looked at in full", () => {
  let affected = 0;
  let moved = 0;
  for (let seed = 0; seed < 100; seed++) {
    const [base, head] = [mapOf(seed, 0), mapOf(seed, 1)];
    const [old, now] = [new Failures(base), new Failures(head)];
    const expected = new Set<string>();
    for (const failed of new Set([...base.nodes.keys(), ...head.nodes.keys()])) {
      const [before, after] = [base.nodes.has(failed) ? old.of(failed) : new Map(), head.nodes.has(failed) ? now.of(failed) : new Map()];
      for (const key of new Set<string>([...before.keys(), ...after.keys()])) {
        if (key === failed || before.get(key) === after.get(key)) continue;
        if (base.nodes.has(failed) && head.nodes.has(failed)) expected.add(failed);
        const id = key.replace(SYSTEM_PREFIX, "");
        if (key !== id || (base.nodes.has(id) && head.nodes.has(id))) expected.add(id);
      }
    }
    const found = consequences(base, head);
    expect([...found.affected].sort(), `seed ${seed}`).toEqual([...expected].sort());
    const [were, are] = [base, head].map((map) => new Set(singlePoints(map).map(({ node }) => node)));
    const without = (ids: Set<string> | undefined, others: Set<string> | undefined) =>
      [...(ids ?? [])].filter((id) => !others?.has(id)).sort();
    expect(found.points.appear.sort(), `seed ${seed}`).toEqual(without(are, were));
    expect(found.points.vanish.sort(), `seed ${seed}`).toEqual(without(were, are));
    moved += found.points.appear.length + found.points.vanish.length;
    affected += expected.size;
  }
  expect(affected).toBeGreaterThan(300);
  expect(moved).toBeGreaterThan(50);
});
