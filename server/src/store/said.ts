import { type Component, ERROR_CATEGORIES, type Observation, type Report } from "../domain/observation.ts";
import { COMPONENT_STATUSES, CRITICALITIES, PHASES, STATUSES } from "../domain/status.ts";
import type { Names } from "./names.ts";
import { type PollSample, type SaidSample, SILENT } from "./polls.ts";
import type { DependencySample } from "./samples.ts";

/** Of what one report says, this many components are kept. */
const COMPONENTS_KEPT = 256;
/** Ages count in tenths of a second, up to a year. */
const OLDEST = 315_360_000;

/** `said`: the own word (0: none stated, 1: stated as none, then the statuses), the phase, and two yes-or-no facts. */
const PHASE = 8;
const FAILURES_ONLY = 32;
const GATEWAY = 64;

/** What one report says, as it is kept: for the poll, and for the checks of its dependencies. */
export interface Told extends SaidSample {
  ages: readonly number[];
  dependencies: readonly DependencySample[];
}

const NOTHING: Told = { ...SILENT, ages: [], dependencies: [] };

/**
 * What a poll's report says, in the numbers that are kept; names get theirs from `names`. `ageOf` works out how old a
 * component's check was, milliseconds or null. One pass: it runs for every component of every poll.
 */
export function toldBy(names: Names, service: number, report: Report | null, ageOf: (component: Component) => number | null): Told {
  if (!report) return NOTHING;
  const { components } = report;
  const words: number[] = [];
  const traits: number[] = [];
  const ages: number[] = [];
  const dependencies: DependencySample[] = [];
  let aged = false;
  for (let at = 0; at < components.length && at < COMPONENTS_KEPT; at++) {
    const component = components[at] as Component;
    const known = names.component(service, component.name);
    if (!known) continue;
    const { n } = known;
    const { status, latencyMs } = component;
    words.push(n * COMPONENT_STATUSES.length + COMPONENT_STATUSES.indexOf(status));
    const trait = traitOf(component);
    if (trait > 0) traits.push(n * TRAITS + trait);
    const age = ageOf(component);
    if (age !== null) aged = true;
    ages.push(age === null ? 0 : Math.min(OLDEST, Math.floor(age / 100)) + 1);
    dependencies.push({ n, status, latencyMs: latencyMs ?? null });
  }
  return { said: saidOf(report), words, traits, ages: aged ? ages : [], dependencies };
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
