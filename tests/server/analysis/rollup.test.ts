import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rollUp } from "../../../server/src/analysis/rollup.ts";
import type { System } from "../../../server/src/domain/map.ts";
import type { SystemState } from "../../../server/src/domain/state.ts";
import { CRITICALITIES, compareStatus, STATUSES, type Status } from "../../../server/src/domain/status.ts";
import { initialState } from "../../../server/src/state/reduce.ts";
import { mapOf, resource, service, system } from "../state/make.ts";

const WORD: Record<string, Status> = { H: "healthy", D: "degraded", U: "unhealthy", "?": "unknown" };

/** Nodes a, b, c … with one letter each. */
function shown(letters: string, systems: readonly System[], needs: Record<string, string[]> = {}) {
  const ids = [...letters].map((_, n) => String.fromCharCode(97 + n));
  const map = mapOf(
    ids.map((id) => service(id, needs[id] ?? [])),
    { systems },
  );
  const nodes = new Map(
    [...initialState(map).nodes].map(([id, node], n) => [id, { ...node, status: WORD[letters[n] ?? "?"] ?? "unknown" }]),
  );
  return rollUp(map, { ...initialState(map), nodes });
}

describe("a system", () => {
  test.each([
    [["a"], "H", "healthy"],
    [["a"], "D", "degraded"],
    [["a"], "?", "unknown"],
    [["a"], "U", "unhealthy"],
    [["a", "b"], "D?", "unknown"],
    [["a", "b"], "U?", "unhealthy"],
    [["a", "b?"], "HU", "degraded"],
    [["a", "b?"], "HD", "degraded"],
    [["a", "b?"], "H?", "healthy"],
    [["a", "b~"], "HU", "healthy"],
    [["a", "b~"], "H?", "healthy"],
    [["a", "b?"], "UH", "unhealthy"],
    [["a?", "b?", "c?"], "H??", "unknown"],
    [["a?", "b?", "c?"], "HH?", "healthy"],
    [["a", "b?", "c?"], "U??", "unhealthy"],
    [["a", "b?", "c?"], "H??", "unknown"],
    [[], "H", "unknown"],
  ])("of %j, its nodes being %s, is %s", (members, letters, expected) => {
    expect(shown(letters, [system("s", members)]).systems.get("s")?.status).toBe(expected);
  });
  test("coverage counts the known among all members", () => {
    expect(shown("H?U", [system("s", ["a", "b~", "c?"])]).systems.get("s")?.coverage).toEqual({ known: 2, total: 3 });
  });
});

describe("the whole", () => {
  test.each([
    ["the worst of its systems", "UHH", [system("s", ["a"]), system("t", ["b"])], "unhealthy"],
    ["degraded at most by a node in no system", "HHU", [system("s", ["a"]), system("t", ["b"])], "degraded"],
    ["not touched by an unknown node in no system", "HH?", [system("s", ["a"]), system("t", ["b"])], "healthy"],
    ["unknown when a system is", "?HH", [system("s", ["a"]), system("t", ["b"])], "unknown"],
  ])("is %s", (_, letters, systems, expected) => {
    expect(shown(letters, systems).status).toBe(expected);
  });
  test("without systems it is the worst of the services that nothing depends on", () => {
    expect(shown("HU", [], { a: ["b"] }).status).toBe("healthy");
    expect(shown("UH", [], { a: ["b"] }).status).toBe("unhealthy");
    expect(shown("?H", [], { a: ["b"] }).status).toBe("unknown");
  });
  test("without systems and with a cycle of all services it is the worst of all", () => {
    expect(shown("HU", [], { a: ["b"], b: ["a"] }).status).toBe("unhealthy");
  });
  test("its coverage counts all nodes", () => {
    expect(shown("H?U", [system("s", ["a"])]).coverage).toEqual({ known: 2, total: 3 });
  });
  test("an empty map is unknown, not healthy", () => {
    const map = mapOf([]);
    expect(rollUp(map, initialState(map)).status).toBe("unknown");
  });
  test("a map of resources alone counts them all", () => {
    const map = mapOf([resource("db")]);
    expect(rollUp(map, initialState(map)).status).toBe("unknown");
  });
});

test("a member that grows worse never makes its system look better", () => {
  const marks = { hard: "", soft: "?", informational: "~" } as const;
  const member = fc.record({ status: fc.constantFrom(...STATUSES), criticality: fc.constantFrom(...CRITICALITIES) });
  fc.assert(
    fc.property(fc.array(member, { minLength: 1, maxLength: 8 }), fc.nat(7), fc.constantFrom(...STATUSES), (members, pick, worse) => {
      const at = pick % members.length;
      const chosen = members[at];
      // Silence of a soft member is no worse and no better by design; everything else follows the order.
      fc.pre(chosen !== undefined && compareStatus(worse, chosen.status) >= 0 && (chosen.criticality === "hard" || worse !== "unknown"));
      fc.pre(chosen?.criticality === "hard" || chosen?.status !== "unknown");
      const ids = members.map((_, n) => `n${n}`);
      const map = mapOf(
        ids.map((id) => service(id)),
        {
          systems: [
            system(
              "s",
              ids.map((id, n) => `${id}${marks[members[n]?.criticality ?? "hard"]}`),
            ),
          ],
        },
      );
      const initial = initialState(map);
      const show = (status: (n: number) => Status): SystemState => ({
        ...initial,
        nodes: new Map([...initial.nodes].map(([id, node], n) => [id, { ...node, status: status(n) }])),
      });
      const before = rollUp(
        map,
        show((n) => members[n]?.status ?? "unknown"),
      );
      const after = rollUp(
        map,
        show((n) => (n === at ? worse : (members[n]?.status ?? "unknown"))),
      );
      expect(compareStatus(after.status, before.status)).toBeGreaterThanOrEqual(0);
      expect(
        compareStatus(after.systems.get("s")?.status ?? "healthy", before.systems.get("s")?.status ?? "healthy"),
      ).toBeGreaterThanOrEqual(0);
    }),
  );
});
