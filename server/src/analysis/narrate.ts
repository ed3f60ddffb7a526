import { CATEGORY_WORDS } from "../domain/observation.ts";
import { count, someOf } from "../domain/phrases.ts";
import type { EdgeState } from "../domain/state.ts";
import { hear } from "../state/hearing.ts";
import { tallyWords } from "../state/witnesses.ts";
import type { Finding } from "./causes.ts";
import type { Explanation } from "./explain.ts";
import { type Fact, firstBlamed, isBad, isOutrun, isTurning, type Statement, seenAt } from "./facts.ts";
import { isDoubtful } from "./prices.ts";

/** At most so many names stand in one sentence. */
const NAMES = 3;

/** Sentences for the cause, each made from counted evidence. */
export function whyOf(finding: Finding, story: Explanation, explained: number): string[] {
  const { fact, basis, strays } = finding;
  // Behind sentences about what it cannot use, "it" would be one of those.
  const it = basis === "local" ? fact.vertex.id : "it";
  const why: string[] = [];
  if (basis === "local") why.push(...strays.slice(0, NAMES).map(strayWhy));
  if (basis === "local" && strays.length > NAMES) why.push(`${it} reports ${strays.length} dependencies bad that others can use`);
  if (basis === "shared") why.push(sharedWhy(finding));
  if (basis === "slow")
    why.push(`${count(finding.from.length, "deep endpoint")} that need it answer too late: ${names(finding.from)}; most others answer`);
  if (basis === "zone") why.push(`all ${finding.from.length} polled services of zone ${finding.zone} are silent while most others answer`);
  if (finding.instance) why.push(`${basis === "local" ? `${it}'s` : "its"} instance ${finding.instance} fails while others work`);
  if (fact.trouble > 0 && basis !== "local") why.push(ownWhy(fact));
  if (fact.blames.length > 0) why.push(blameWhy(fact, it));
  if (fact.silent) why.push(`it does not answer us${fact.state?.reason ? ` (${fact.state.reason})` : ""}`);
  if (basis === "circle") why.push(circleWhy(fact));
  if (basis !== "local" && !fact.silent && fact.out.length > 0 && nothingBelow(fact, story)) why.push("nothing it depends on is failing");
  if (explained > 0) why.push(`explains ${count(explained, "other node")} in trouble`);
  return why;
}

/** What speaks against it. */
export function againstOf(finding: Finding): string[] {
  const { fact, basis } = finding;
  const against: string[] = [];
  if (basis === "local") {
    for (const { to } of finding.strays)
      if (!to.fine && to.ups.length === 0) against.push(`nobody else can say whether ${to.vertex.id} is up`);
    return against.slice(0, NAMES);
  }
  if (fact.fine && !isOutrun(fact) && !isTurning(fact)) against.push("its own report says healthy");
  const since = fact.ups.filter((up) => fact.blames.length === 0 || seenAt(up) >= firstBlamed(fact));
  if (since.length > 0)
    against.push(`${count(since.length, "dependent")} report${since.length === 1 ? "s" : ""} it up: ${some(since.map((up) => up.from))}`);
  const outdated = fact.blames.length > 0 ? fact.in.filter(({ says }) => says === "outdated") : [];
  if (outdated.length > 0)
    against.push(`${outdated.length} of the ${fact.blames.length + outdated.length} who report it bad last saw it before a recovery`);
  if (isOutrun(fact)) against.push("it has not reported since, and said healthy before");
  if (since.length < fact.ups.length)
    against.push(
      `${count(fact.ups.length - since.length, "other dependent")} found it up before, and ${fact.ups.length - since.length === 1 ? "has" : "have"} not looked since`,
    );
  const doubtful = fact.blames.filter(isDoubtful);
  if (doubtful.length > 0)
    against.push(`${names(doubtful.map((blame) => blame.from))} blame${doubtful.length === 1 ? "s" : ""} it and yet says healthy`);
  const unaffected = fact.in.filter(({ from, criticality, says }) => criticality === "hard" && from.fine && says === "none");
  if (unaffected.length > 0)
    against.push(
      `${count(unaffected.length, "service")} that need${unaffected.length === 1 ? "s" : ""} it ${unaffected.length === 1 ? "is" : "are"} healthy: ${names(unaffected.map(({ from }) => from))}`,
    );
  const unseen = fact.out.filter(
    ({ criticality, says, to }) =>
      criticality === "hard" && says === "none" && !to.fine && to.trouble === 0 && to.ups.length === 0 && to.blames.length === 0,
  );
  if (unseen.length > 0) against.push(`nothing is known of ${names(unseen.map(({ to }) => to))}, which it needs`);
  return against;
}

/** The observation that would decide between the cause and the runner-up. */
export function decidedByOf(finding: Finding): string | undefined {
  const { fact, other, basis, strays } = finding;
  if (!other) return undefined;
  const rival = other.fact.vertex.id;
  if (basis === "local") return `a fresh check of ${strays[0]?.to.vertex.id ?? rival} from ${fact.vertex.id}'s own host`;
  if (basis === "shared") return `a check of ${fact.vertex.id} itself`;
  if (basis === "blamed" && fact.blames.some((blame) => blame.from === other.fact)) {
    if (fact.ups.length > 0) return `a fresh check of ${fact.vertex.id} by another dependent`;
    return fact.blames.length > 1 ? `a check of ${fact.vertex.id} itself` : `a second dependent's word on ${fact.vertex.id}`;
  }
  return `a fresh check of ${rival} by ${fact.vertex.id}`;
}

function ownWhy(fact: Fact): string {
  const { known = 0, total = 0 } = fact.state?.coverage ?? {};
  if (!fact.word && known < total) return `${total - known} of ${total} instances ${total - known === 1 ? "does" : "do"} not answer`;
  const told = fact.out.filter(({ says }) => says !== "none");
  const bad = told.filter(({ says }) => says === "down" || says === "degraded").length;
  const word = fact.trouble === 2 ? "unhealthy" : "degraded";
  const since = fact.window ? ` ${between(fact.window)}` : "";
  if (told.length === 0) return `its own report says ${word}${since}`;
  const all = told.length === 1 ? "the one dependency it reports is" : `all ${told.length} dependencies it reports are`;
  if (bad === 0) return `its own report says ${word}${since}, and ${all} up`;
  return `its own report says ${word}${since}, more than the ${bad} of ${told.length} dependencies it reports bad account for`;
}

/** What is said of it by all whose word is fresh: the words of a fault that is over still stand with those who said them. */
function blameWhy(fact: Fact, it: string): string {
  const first = firstOf(fact.in.filter(({ state }) => state && !state.stale && isBad(state.damped.status)));
  const when = first?.window ? `, first ${first.from.vertex.id} ${between(first.window)}` : "";
  return `${witnessWhy(
    fact.in.flatMap(({ state }) => state ?? []),
    it,
  )}${when}`;
}

/** `9 of 12 dependents report it down (pool exhausted)`: counted as its state counts them, by fresh words. */
export function witnessWhy(edges: readonly EdgeState[], it: string): string {
  const { words } = hear(edges);
  const said = words.down > 0 ? "down" : "degraded";
  const also = words.down > 0 && words.degraded > 0 ? `, and ${words.degraded} degraded` : "";
  return `${tallyWords(words, it)}${reasons(edges.filter(({ stale, damped }) => !stale && damped.status === said))}${also}`;
}

function strayWhy(statement: Statement): string {
  const { to, from } = statement;
  const ups = to.ups.filter((up) => up.from !== from.vertex.id);
  const others = ups.length > 0 ? `; ${count(ups.length, "other")} report${ups.length === 1 ? "s" : ""} it up` : "";
  const own = to.fine ? `${others ? " and" : ";"} ${to.vertex.id}'s own report says healthy` : "";
  return `${from.vertex.id} reports ${to.vertex.id} ${statement.says}${reasons(statement.state ? [statement.state] : [])}${others}${own}`;
}

function sharedWhy(finding: Finding): string {
  const silent = finding.from.filter((fact) => fact.silent);
  if (silent.length > 1) return `${silent.length} services that need it do not answer us: ${names(silent)}; nothing reports on it itself`;
  const pairs: string[] = [];
  for (const reporter of finding.from) {
    const target = reporter.out.find(({ says }) => says === "down" || says === "degraded");
    if (target) pairs.push(`${reporter.vertex.id} → ${target.to.vertex.id}`);
  }
  const [only] = finding.from;
  if (only && finding.from.length === 1)
    return `${only.vertex.id}, which needs it, is in trouble beyond what it reports, and says nothing of it; nor does anybody else`;
  const failing =
    pairs.length > 0
      ? ` fail towards targets that nobody else finds down (${some(pairs)})`
      : " are in trouble without a reason of their own";
  return `${count(finding.from.length, "service")} that need it${failing}; nothing reports on it itself`;
}

function circleWhy(fact: Fact): string {
  const below = fact.out.filter(({ says }) => says === "down" || says === "degraded").map(({ to }) => to);
  return `it needs ${names(below)}, which in turn need${below.length === 1 ? "s" : ""} it; in that circle nothing failed before it, as far as can be told`;
}

function nothingBelow(fact: Fact, story: Explanation): boolean {
  return fact.out.every(({ to }) => !story.reading.active.has(to) && to.trouble === 0);
}

/** "First" is said only when that window ends before any other begins. */
function firstOf(blames: readonly Statement[]): Statement | null {
  let first: Statement | null = null;
  let firstBad = Number.POSITIVE_INFINITY;
  for (const blame of blames) {
    if (blame.window === null) return null;
    if (blame.window.firstBad >= firstBad) continue;
    first = blame;
    firstBad = blame.window.firstBad;
  }
  const clear = blames.every((blame) => blame === first || (blame.window?.lastGood ?? Number.NEGATIVE_INFINITY) >= firstBad);
  return clear ? first : null;
}

function reasons(blames: readonly EdgeState[]): string {
  const words = new Set(blames.flatMap(({ category }) => (category ? [CATEGORY_WORDS[category]] : [])));
  return words.size > 0 && words.size <= 2 ? ` (${[...words].sort().join(", ")})` : "";
}

function between({ lastGood, firstBad }: { lastGood: number | null; firstBad: number }): string {
  return lastGood === null ? `at ${clock(firstBad)} UTC or before` : `between ${clock(lastGood)} and ${clock(firstBad)} UTC`;
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

function names(facts: readonly Fact[]): string {
  return some(facts.map((fact) => fact.vertex.id));
}

function some(texts: readonly string[]): string {
  return someOf(texts, NAMES);
}
