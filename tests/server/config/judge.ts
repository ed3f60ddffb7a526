import type { Problem } from "../../../server/src/domain/map.ts";

/** One expected finding of a check case; its file README says what each field means. */
interface Expectation {
  file?: string;
  line?: number;
  about?: string[];
  names?: string[];
  or_at?: { file?: string; line?: number }[];
}

export interface Expected {
  ok: boolean | null;
  errors: Expectation[];
  warnings: Expectation[];
  either?: Expectation[];
  may?: Expectation[];
  must_not?: Expectation[];
  sorted?: boolean;
  env?: Record<string, string>;
}

const said = (problem: Problem) => `${problem.code} ${problem.message}`.toLowerCase();
const LETTER = /[\p{L}\p{N}_]/u;
const isEdge = (character: string | undefined) => character === undefined || !LETTER.test(character);

/** Whether `word` stands in `text` by itself: `orders-db` does not stand in `old-orders-db`. */
function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text[at - 1], text[at + word.length]];
    const joined = (before === "-" && !isEdge(text[at - 2])) || (after === "-" && !isEdge(text[at + word.length + 1]));
    if (isEdge(before) && isEdge(after) && !joined) return true;
  }
  return false;
}

function fits(problem: Problem, wanted: Expectation, slack: number): boolean {
  const places = [wanted, ...(wanted.or_at ?? [])];
  const there = places.some(
    ({ file, line }) => (file === undefined || problem.file === file) && (line === undefined || Math.abs(problem.line - line) <= slack),
  );
  const about = wanted.about === undefined || wanted.about.some((word) => said(problem).includes(word));
  return there && about && (wanted.names ?? []).every((name) => names(problem, name));
}

function names(problem: Problem, name: string): boolean {
  if (!name.includes("|")) return hasWord(said(problem), name.toLowerCase());
  const others = name.split("|").filter((file) => file !== problem.file);
  return others.every((file) => said(problem).includes(file.split("/").at(-1) ?? file));
}

/** Gives each expectation a finding of its own. */
function assign(findings: readonly Problem[], wanted: readonly Expectation[]) {
  const owner = new Map<Problem, Expectation>();
  const seek = (expectation: Expectation, seen: Set<Problem>): boolean =>
    findings.some((finding) => {
      if (seen.has(finding) || !fits(finding, expectation, 1)) return false;
      seen.add(finding);
      const holder = owner.get(finding);
      if (holder && !seek(holder, seen)) return false;
      owner.set(finding, expectation);
      return true;
    });
  return { missing: wanted.filter((expectation) => !seek(expectation, new Set())), taken: new Set(owner.keys()) };
}

const inOrder = (list: readonly Problem[]) =>
  list.every((problem, index) => {
    const before = list[index - 1];
    return !before || before.file < problem.file || (before.file === problem.file && before.line <= problem.line);
  });

/** What is wrong with the findings of one case; empty when all is well. */
export function judge(expected: Expected, errors: readonly Problem[], warnings: readonly Problem[]): string[] {
  const misses: string[] = [];
  const say = (kind: string, list: readonly Expectation[]) => misses.push(...list.map((entry) => `${kind} ${JSON.stringify(entry)}`));
  const asErrors = assign(errors, expected.errors);
  const asWarnings = assign(warnings, expected.warnings);
  say("no error", asErrors.missing);
  say("no warning", asWarnings.missing);
  const rest = [...errors.filter((one) => !asErrors.taken.has(one)), ...warnings.filter((one) => !asWarnings.taken.has(one))];
  const either = assign(rest, expected.either ?? []);
  say("neither error nor warning", either.missing);
  const tolerated = [...(expected.may ?? []), ...expected.errors, ...(expected.either ?? [])];
  for (const error of errors) {
    if (asErrors.taken.has(error) || either.taken.has(error) || tolerated.some((entry) => fits(error, entry, 1))) continue;
    misses.push(`unexpected error ${error.file}:${error.line} ${error.code}: ${error.message}`);
  }
  for (const banned of expected.must_not ?? []) {
    for (const problem of [...errors, ...warnings]) if (fits(problem, banned, 0)) misses.push(`must not be said: ${problem.message}`);
  }
  if (expected.ok !== null && expected.ok !== (errors.length === 0)) misses.push(expected.ok ? "should be fine" : "should have errors");
  if (expected.sorted && !(inOrder(errors) && inOrder(warnings))) misses.push("not in the order of file and line");
  return misses;
}
