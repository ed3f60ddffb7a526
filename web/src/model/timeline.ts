import type { IncidentDetail } from "headwater/contract";
import type { Names } from "./headline.ts";
import type { Interval } from "./strip.ts";
import type { Incident } from "./types.ts";

export type Event = IncidentDetail["events"][number];

/** Victims that followed each other closely, as one line; `events` from the latest to the first. */
export interface Burst {
  kind: "burst";
  from: string;
  to: string;
  events: Event[];
}

/** From so many on a line each would hide the rest of the story. */
const FOLDED = 4;
/** Victims further apart than this, in milliseconds, are not one burst. */
const APART = 60_000;

/**
 * Events newest first, where four or more victims in a row become one line. Whatever else happened between two victims
 * parts them, so that the order of the story is kept.
 */
export function foldBursts(events: readonly Event[]): (Event | Burst)[] {
  const sorted = [...events].sort((a, b) => b.at.localeCompare(a.at));
  const lines: (Event | Burst)[] = [];
  let run: Event[] = [];
  const end = (): void => {
    const [last, first] = [run[0], run.at(-1)];
    if (run.length < FOLDED || !first || !last) lines.push(...run);
    else lines.push({ kind: "burst", from: first.at, to: last.at, events: run });
    run = [];
  };
  for (const event of sorted) {
    const before = run.at(-1);
    if (before && (event.kind !== "impact" || Date.parse(before.at) - Date.parse(event.at) > APART)) end();
    if (event.kind === "impact") run.push(event);
    else lines.push(event);
  }
  end();
  return lines;
}

export const isBurst = (line: Event | Burst): line is Burst => "events" in line;

/** Shown before an incident and after it, milliseconds. */
const AROUND = 30_000;

/** What a replay of an incident covers: a little more than it lasted, and nothing that is yet to come. */
export function replayRange({ opened_at, resolved_at }: Pick<Incident, "opened_at" | "resolved_at">, now: number): Interval {
  return {
    from: Date.parse(opened_at) - AROUND,
    to: resolved_at === null ? now : Math.min(now, Date.parse(resolved_at) + AROUND),
  };
}

/** A word that may be an id: what ends a sentence is not part of it. */
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_.:/-]*[\p{L}\p{N}])?/gu;

/** An incident, with its events where they are known. */
type Told = Incident & Partial<Pick<IncidentDetail, "events">>;

/** A link that cannot be used, as the server says it: the node at its other end need have no part in the incident later. */
const LINK = /^(\S+) cannot use (\S+)/;

/** Every node that has or had a part in an incident; its events name those of before. */
function idsOf({ anchor, cause, impacted, at_risk, candidates, events = [] }: Told): Set<string | null | undefined> {
  return new Set([
    anchor,
    ...events.flatMap(({ kind, node, text }) => [
      node,
      ...(kind === "opened" || kind === "cause" ? (LINK.exec(text)?.slice(1) ?? []) : []),
    ]),
    ...impacted.map((one) => one.node),
    ...at_risk,
    ...candidates.map((one) => one.node),
    ...(cause ? [cause.node, cause.link?.from, cause.link?.to, cause.runner_up?.node] : []),
  ]);
}

/**
 * Sentences of the server name nodes by id. Where the map gives names, those that have a part in the incident get theirs;
 * other words are left alone, even where some node's id is the same.
 */
export function inNames(incident: Told, names: Names): (text: string) => string {
  return namesFor(idsOf(incident), names);
}

/** Puts names for these ids into sentences. */
export function namesFor(ids: ReadonlySet<string | null | undefined>, names: Names): (text: string) => string {
  return (text) => text.replace(WORD, (word) => (ids.has(word) ? names(word) : word));
}

/** The same for a line of its own, which begins with a capital unless it begins with a node. */
export function asSentence(incident: Told, names: Names): (text: string) => string {
  const ids = idsOf(incident);
  const named = inNames(incident, names);
  return (text) => (ids.has(text.match(WORD)?.[0]) ? named(text) : named(text.charAt(0).toUpperCase() + text.slice(1)));
}
