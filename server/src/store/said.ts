import { type Component, ERROR_CATEGORIES, type Observation, type Report } from "../domain/observation.ts";
import { COMPONENT_STATUSES, CRITICALITIES, PHASES, STATUSES } from "../domain/status.ts";
import type { Names } from "./names.ts";
import { type PollSample, type SaidSample, SILENT } from "./polls.ts";

/** Of what one report says, this many components are kept. */
const COMPONENTS_KEPT = 256;
/** Ages count in tenths of a second, up to a year. */
const OLDEST = 315_360_000;

/** `said`: the own word (0: none stated, 1: stated as none, then the statuses), the phase, and two yes-or-no facts. */
const PHASE = 8;
const FAILURES_ONLY = 32;
const GATEWAY = 64;

/** What a poll's report says, in the numbers that are kept; names get theirs from `names`. */
export function saidSample(names: Names, service: number, report: Report | null): SaidSample {
  if (!report) return SILENT;
  const words: number[] = [];
  const traits: number[] = [];
  for (const component of report.components.slice(0, COMPONENTS_KEPT)) {
    const name = names.component(service, component.name);
    if (!name) continue;
    words.push(name.n * COMPONENT_STATUSES.length + COMPONENT_STATUSES.indexOf(component.status));
    const trait = traitOf(component);
    if (trait > 0) traits.push(name.n * TRAITS + trait);
  }
  return { said: saidOf(report), words, traits };
}

/** The ages of a report's components, as worked out when it came: milliseconds or null, in the order of `words`. */
export function ageSample(names: Names, service: number, ages: readonly { name: string; age: number | null }[]): number[] {
  const kept: number[] = [];
  for (const { name, age } of ages.slice(0, COMPONENTS_KEPT))
    if (names.component(service, name)) kept.push(age === null ? 0 : Math.min(OLDEST, Math.floor(age / 100)) + 1);
  return kept.some((age) => age > 0) ? kept : [];
}

const TRAITS = (CRITICALITIES.length + 1) * (ERROR_CATEGORIES.length + 1);

function traitOf({ criticality, category }: Component): number {
  const stated = criticality === undefined ? 0 : CRITICALITIES.indexOf(criticality) + 1;
  return stated * (ERROR_CATEGORIES.length + 1) + (category === undefined ? 0 : ERROR_CATEGORIES.indexOf(category) + 1);
}

function saidOf({ word, phase, failuresOnly, maybeGateway }: Report): number {
  return (
    (word === undefined ? 0 : word === null ? 1 : STATUSES.indexOf(word) + 2) +
    (phase === undefined ? 0 : (PHASES.indexOf(phase) + 1) * PHASE) +
    (failuresOnly ? FAILURES_ONLY : 0) +
    (maybeGateway ? GATEWAY : 0)
  );
}

/** The report of a kept poll; null where there was none. Ages stand as `ageMs`, the largest of what told of them. */
export function reportOf(poll: PollSample, nameOf: (n: number) => string | undefined): Observation["report"] {
  if (poll.status === null) return null;
  const traits = new Map(poll.traits.map((value) => [Math.floor(value / TRAITS), value % TRAITS]));
  const components = poll.words.flatMap((value, i): Component[] => {
    const n = Math.floor(value / COMPONENT_STATUSES.length);
    const name = nameOf(n);
    if (name === undefined) return [];
    const trait = traits.get(n) ?? 0;
    const criticality = CRITICALITIES[Math.floor(trait / (ERROR_CATEGORIES.length + 1)) - 1];
    const category = ERROR_CATEGORIES[(trait % (ERROR_CATEGORIES.length + 1)) - 1];
    const age = poll.ages[i] ?? 0;
    return [
      {
        name,
        status: COMPONENT_STATUSES[value % COMPONENT_STATUSES.length] ?? "unknown",
        ...(criticality ? { criticality } : {}),
        ...(category ? { category } : {}),
        ...(age > 0 ? { ageMs: (age - 1) * 100 } : {}),
      },
    ];
  });
  const { said } = poll;
  const word = said % PHASE;
  const phase = PHASES[(Math.floor(said / PHASE) % 4) - 1];
  return {
    status: poll.status,
    components,
    ...(word === 0 ? {} : { word: word === 1 ? null : (STATUSES[word - 2] ?? null) }),
    ...(phase ? { phase } : {}),
    ...(said & FAILURES_ONLY ? { failuresOnly: true } : {}),
    ...(said & GATEWAY ? { maybeGateway: true } : {}),
  };
}
