import { naiveAt } from "../support/baseline.ts";
import { type Case, type Got, judgeVerdict, loadCases, loadScenarios, rightRoots, verdictsOf } from "../support/cases.ts";
import { MODES, type Mode, perturb } from "../support/perturb.ts";

const SEEDS = [1, 2, 3, 4, 5];
type Sort = Case["sort"];

/** Sums over checkpoints; those where all is well again are counted apart, since they are easy. */
export interface Score {
  points: number;
  exact: number;
  falseFlags: number;
  whole: number;
  naiveExact: number;
  naiveFalseFlags: number;
  calm: number;
  calmRight: number;
  /** Changes of the set of causes between checkpoints, beyond those that the labels ask for; per incident. */
  changes: number;
  incidents: number;
}

/** One named cause with its confidence, and whether the labels agree. */
export interface Named {
  confidence: number;
  level: string;
  right: boolean;
  miss: string;
}

const nothing = (): Score => ({
  points: 0,
  exact: 0,
  falseFlags: 0,
  whole: 0,
  naiveExact: 0,
  naiveFalseFlags: 0,
  calm: 0,
  calmRight: 0,
  changes: 0,
  incidents: 0,
});

export interface Scores {
  table: Map<Mode | "clean", Record<Sort, Score>>;
  named: Named[];
  misses: string[];
}

/** Scores every case clean and under each kind of noise. */
export function scoreAll(
  cases: readonly Case[] = [...loadCases(), ...loadScenarios()],
  modes: readonly (Mode | "clean")[] = ["clean", ...MODES],
  seeds = SEEDS,
): Scores {
  const scores: Scores = { table: new Map(), named: [], misses: [] };
  for (const mode of modes) {
    const rows = { postmortem: nothing(), adversarial: nothing(), constructed: nothing(), independent: nothing() };
    scores.table.set(mode, rows);
    for (const one of cases) {
      for (const seed of mode === "clean" ? [0] : seeds) {
        scoreCase(mode === "clean" ? one : perturb(one, mode, seed), `${mode}/${seed}`, rows[one.sort], scores);
      }
    }
  }
  return scores;
}

function scoreCase(one: Case, label: string, score: Score, scores: Scores): void {
  score.incidents++;
  let before: string | null = null;
  let wantedBefore: string | null = null;
  for (const { expected, got } of verdictsOf(one)) {
    const set = got.causes
      .map(({ node }) => node)
      .sort()
      .join();
    const wanted = expected.root_causes.join();
    if (before !== null && wanted === wantedBefore && set !== before) score.changes++;
    before = set;
    wantedBefore = wanted;
    const right = rightRoots(expected, got);
    const may = new Set([...expected.root_causes, ...(expected.acceptable_roots ?? []).flat()]);
    const miss = `${label} ${one.name}@${expected.at}: got {${set}}, want {${wanted}}`;
    for (const { node, confidence, level } of got.causes) scores.named.push({ confidence, level, right: may.has(node), miss });
    if (expected.root_causes.length === 0 && expected.unknown.length === 0) {
      score.calm++;
      if (right) score.calmRight++;
      continue;
    }
    score.points++;
    if (right) score.exact++;
    else scores.misses.push(miss);
    if (judgeVerdict(expected, got) === null) score.whole++;
    const naive = naiveAt(one, expected.at);
    if (rightRoots(expected, naive)) score.naiveExact++;
    if (draggedIn(expected.unaffected_must_include, got)) score.falseFlags++;
    if (draggedIn(expected.unaffected_must_include, naive)) score.naiveFalseFlags++;
  }
}

function draggedIn(unaffected: readonly string[], got: Got): boolean {
  const flagged = new Set([...got.causes.map(({ node }) => node), ...got.impacted]);
  return unaffected.some((id) => flagged.has(id));
}
