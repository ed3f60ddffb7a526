import fc from "fast-check";
import { expect, it } from "vitest";
import { judge } from "../../../server/src/analysis/verdict.ts";
import type { Cause } from "../../../server/src/domain/incident.ts";
import { edgeKey } from "../../../server/src/domain/map.ts";
import type { Evidence } from "../../../server/src/domain/snapshot.ts";
import type { EdgeState } from "../../../server/src/domain/state.ts";
import { mapOf, type Needs, NOW, type Said, sceneOf } from "../../support/scene.ts";

/**
 * Whatever a cause says of counts, names and times is looked up again in the snapshot, without the analysis' own
 * reading of it. A sentence that no rule below knows fails the test: a new one needs its own check here.
 */
type Check = (match: RegExpMatchArray, scene: Evidence, cause: Cause) => boolean;

const isBad = ({ damped }: EdgeState): boolean => damped.status === "down" || damped.status === "degraded";
const speaks = (edge: EdgeState): boolean => !edge.stale && edge.damped.status !== "unknown";
const on = ({ state }: Evidence, node: string): EdgeState[] => [...state.edges.values()].filter((edge) => edge.to === node && speaks(edge));
const by = ({ state }: Evidence, node: string): EdgeState[] =>
  [...state.edges.values()].filter((edge) => edge.from === node && speaks(edge));
const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 19);
const isWell = ({ state }: Evidence, node: string): boolean => state.nodes.get(node)?.status === "healthy";
const needers = ({ map }: Evidence, node: string): string[] =>
  [...map.nodes.values()].flatMap((one) => (one.kind === "service" && one.edges.some(({ to }) => to === node) ? [one.id] : []));

/** "a, b, c and 4 more" against a list that holds them all, of the right length. */
function lists(text: string, all: readonly string[]): boolean {
  const [shown = "", more] = text.split(/ and (?=\d+ more$)/);
  const names = shown.split(", ");
  return names.every((name) => all.includes(name)) && names.length + Number.parseInt(more ?? "0", 10) === all.length;
}

function windowIs(text: string, window: EdgeState["window"]): boolean {
  if (!window) return false;
  return (
    text ===
    (window.lastGood === null
      ? `at ${clock(window.firstBad)} UTC or before`
      : `between ${clock(window.lastGood)} and ${clock(window.firstBad)} UTC`)
  );
}

const TIME = String.raw`(between \S+ and \S+ UTC|at \S+ UTC or before)`;
const WHY: [RegExp, Check][] = [
  [
    new RegExp(String.raw`^(\d+) of (\d+) dependents? reports? (\S+) (down|degraded)(?: \([^)]*\))?(?:, first (\S+) ${TIME})?$`),
    ([, bad, all, it, word, first, when], scene, { node }) => {
      if (it !== "it" && it !== node) return false;
      const edges = on(scene, node);
      const blames = edges.filter(isBad);
      const worst = blames.some(({ damped }) => damped.status === "down") ? "down" : "degraded";
      if (blames.length !== Number(bad) || edges.length !== Number(all) || worst !== word) return false;
      if (!first) return true;
      const told = blames.find(({ from }) => from === first)?.window ?? null;
      const others = blames.filter(({ from }) => from !== first);
      return (
        windowIs(when ?? "", told) && others.every(({ window }) => (window?.lastGood ?? Number.NEGATIVE_INFINITY) >= (told?.firstBad ?? 0))
      );
    },
  ],
  [
    new RegExp(
      String.raw`^its own report says (unhealthy|degraded) ${TIME}(?:, and (?:all (\d+) dependencies it reports are|(the one) dependency it reports is) up|, more than the (\d+) of (\d+) dependencies it reports bad account for)?$`,
    ),
    ([, word, when, several, one, bad, all], scene, { node }) => {
      const up = one ? "1" : several;
      const state = scene.state.nodes.get(node);
      const edges = by(scene, node);
      const badOnes = edges.filter(isBad).length;
      const counted = up
        ? badOnes === 0 && edges.length === Number(up)
        : bad
          ? badOnes === Number(bad) && edges.length === Number(all)
          : edges.length === 0;
      return state?.status === word && windowIs(when ?? "", state?.window ?? null) && counted;
    },
  ],
  [
    /^(\S+) reports (\S+) (down|degraded)(?: \([^)]*\))?(?:; (\d+) others? reports? it up)?(?:(?: and|;) \2's own report says healthy)?$/,
    ([text, from = "", to = "", word, others], scene) => {
      const ups = on(scene, to).filter((edge) => edge.damped.status === "up" && edge.from !== from).length;
      const own = !text?.includes("own report says healthy") || scene.state.nodes.get(to)?.status === "healthy";
      return scene.state.edges.get(edgeKey(from, to))?.damped.status === word && ups === Number(others ?? 0) && own;
    },
  ],
  [
    /^(\S+) reports (\d+) dependencies bad that others can use$/,
    ([, from, n], scene, { node }) => from === node && by(scene, node).filter(isBad).length >= Number(n),
  ],
  [/^it does not answer us(?: \([^)]*\))?$/, (_, scene, { node }) => scene.state.nodes.get(node)?.status === "unknown"],
  [
    /^nothing it depends on is failing$/,
    (_, { map, state }, { node }) => {
      const declared = map.nodes.get(node);
      const needs = declared?.kind === "service" ? declared.edges.map(({ to }) => to) : [];
      return (
        needs.length > 0 &&
        needs.every(
          (to) => !["unhealthy", "degraded"].includes(state.nodes.get(to)?.status ?? "") || map.nodes.get(to)?.kind === "resource",
        )
      );
    },
  ],
  [
    /^explains (\d+) other nodes? in trouble$/,
    ([, n], scene, { node }) => {
      const { roles, causes } = judge(scene);
      return [...roles.values()].filter(({ role, cause }) => role === "impacted" && causes[cause]?.node === node).length === Number(n);
    },
  ],
  [
    /^it needs (.+), which in turn needs? it; in that circle nothing failed before it, as far as can be told$/,
    ([, names = ""], scene, { node }) =>
      lists(
        names,
        by(scene, node)
          .filter(isBad)
          .map(({ to }) => to),
      ),
  ],
  [
    /^(\d+) services? that need it (?:fail towards targets that nobody else finds down \(.+\)|are in trouble without a reason of their own); nothing reports on it itself$/,
    ([, n], scene, { node }) => on(scene, node).every((edge) => !isBad(edge)) && needers(scene, node).length >= Number(n),
  ],
  [
    /^(\S+), which needs it, is in trouble beyond what it reports, and says nothing of it; nor does anybody else$/,
    ([, from = ""], scene, { node }) => {
      const silent = scene.state.nodes.get(node)?.status === "unknown" && on(scene, node).length === 0;
      return silent && needers(scene, node).includes(from) && ["degraded", "unhealthy"].includes(scene.state.nodes.get(from)?.status ?? "");
    },
  ],
  [
    /^(\d+) deep endpoints? that need it answer too late: .+; most others answer$/,
    ([, n], { state }) => [...state.nodes.values()].filter(({ outcome }) => outcome === "timeout").length >= Number(n),
  ],
];
const AGAINST: [RegExp, Check][] = [
  [
    /^(\d+) of the (\d+) who report it bad last saw it before a recovery$/,
    ([, old, all], scene, { node }) => Number(old) < Number(all) && on(scene, node).filter(isBad).length >= Number(all),
  ],
  [/^its own report says healthy$/, (_, { state }, { node }) => state.nodes.get(node)?.ownWord === "healthy"],
  [
    /^(\d+) dependents? reports? it up: (.+)$/,
    ([, n, names = ""], scene, { node }) => {
      const ups = on(scene, node)
        .filter(({ damped }) => damped.status === "up")
        .map(({ from }) => from);
      return (
        ups.length >= Number(n) &&
        names
          .replace(/ and \d+ more$/, "")
          .split(", ")
          .every((name) => ups.includes(name))
      );
    },
  ],
  [
    /^(.+) blames? it and yet says healthy$/,
    ([, names = ""], scene, { node }) => {
      const doubtful = on(scene, node)
        .filter((edge) => isBad(edge) && scene.state.nodes.get(edge.from)?.ownWord === "healthy")
        .map(({ from }) => from);
      return names
        .replace(/ and \d+ more$/, "")
        .split(", ")
        .every((name) => doubtful.includes(name));
    },
  ],
  [
    /^(\d+) services? that needs? it (?:is|are) healthy: (.+)$/,
    ([, n, names = ""], scene, { node }) => {
      const fine = needers(scene, node).filter((id) => isWell(scene, id));
      return (
        fine.length >= Number(n) &&
        names
          .replace(/ and \d+ more$/, "")
          .split(", ")
          .every((name) => fine.includes(name))
      );
    },
  ],
  [
    /^nothing is known of (.+), which it needs$/,
    ([, names = ""], scene) =>
      names
        .replace(/ and \d+ more$/, "")
        .split(", ")
        .every((name) => !isWell(scene, name) && on(scene, name).length === 0),
  ],
  [
    /^nobody else can say whether (\S+) is up$/,
    ([, name = ""], scene) => !isWell(scene, name) && on(scene, name).every((edge) => edge.damped.status !== "up"),
  ],
  [/^it has not reported since, and said healthy before$/, (_, { state }, { node }) => state.nodes.get(node)?.ownWord === "healthy"],
  [
    /^(\d+) other dependents? found it up before, and ha(?:s|ve) not looked since$/,
    ([, n], scene, { node }) => on(scene, node).filter(({ damped }) => damped.status === "up").length >= Number(n),
  ],
];

/** What is wrong with the sentences of a cause, or nothing. */
function untrue(scene: Evidence, cause: Cause): string[] {
  const judged = (kind: string, text: string, rules: readonly [RegExp, Check][]): string[] => {
    for (const [pattern, check] of rules) {
      const match = text.match(pattern);
      if (match) return check(match, scene, cause) ? [] : [`${cause.node} ${kind}: untrue: ${text}`];
    }
    return [`${cause.node} ${kind}: nothing here can judge: ${text}`];
  };
  const wrong = [
    ...cause.why.flatMap((text) => judged("why", text, WHY)),
    ...cause.against.flatMap((text) => judged("against", text, AGAINST)),
  ];
  const names = (cause.decidedBy ?? "").match(/\bn\d+\b/g) ?? [];
  if (cause.decidedBy && (!cause.runnerUp || !names.every((name) => scene.map.nodes.has(name))))
    wrong.push(`${cause.node} decided by: ${cause.decidedBy}`);
  if (cause.runnerUp && (!scene.map.nodes.has(cause.runnerUp.node) || cause.runnerUp.node === cause.node))
    wrong.push(`${cause.node} runner-up ${cause.runnerUp.node}`);
  if (cause.firstSeen > NOW) wrong.push(`${cause.node} first seen in the future`);
  return wrong;
}

const MARKS = ["!", "!", "~", "?"];
const scenes = fc
  .tuple(
    fc.integer({ min: 3, max: 40 }),
    fc.array(fc.tuple(fc.nat(999), fc.nat(999), fc.nat(3)), { minLength: 3, maxLength: 120 }),
    fc.array(fc.tuple(fc.nat(999), fc.nat(6), fc.nat(999), fc.integer({ min: 0, max: 50 })), { minLength: 1, maxLength: 24 }),
  )
  .map(([size, arcs, words]) => {
    const services = Math.max(2, Math.ceil(size * 0.7));
    const lists = Array.from({ length: services }, () => new Map<number, string>());
    for (const [a, b, mark] of arcs) {
      const to = b % size;
      if (to !== a % services) lists[a % services]?.set(to, MARKS[mark] ?? "!");
    }
    const needs: Needs = Object.fromEntries(lists.map((list, n) => [`n${n}`, [...list].map(([to, mark]) => `n${to}${mark}`).join(" ")]));
    const said: Record<string, Said> = {};
    for (const [at, what, which, ago] of words) {
      const id = `n${at % services}`;
      const targets = [...(lists[at % services]?.keys() ?? [])].map((to) => `n${to}`);
      const target = targets[which % Math.max(1, targets.length)];
      const before: Said = { ...said[id], since: NOW - ago * 1000 };
      if (what === 0) said[id] = { ...before, silent: which % 2 === 0 ? "timeout" : "connect_timeout" };
      else if (what === 1) said[id] = { ...before, word: "unhealthy" };
      else if (what === 2) said[id] = { ...before, word: "healthy", repeats: 3 };
      else if (what === 3 && target) said[id] = { ...before, omits: [target] };
      else if (target) said[id] = { ...before, down: [...(before.down ?? []), target], repeats: 1 + (which % 4) };
    }
    return sceneOf(mapOf(needs), said);
  });

it("says nothing that is not so: counts, names, times and who was first, over generated fleets", { timeout: 120_000 }, () => {
  let judged = 0;
  fc.assert(
    fc.property(scenes, (scene) => {
      const { causes } = judge(scene);
      judged += causes.length;
      expect(causes.flatMap((cause) => untrue(scene, cause))).toEqual([]);
    }),
    { numRuns: 400 },
  );
  expect(judged).toBeGreaterThan(400);
});
