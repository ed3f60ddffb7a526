import type { IncidentDetail } from "headwater/contract";
import type { Names } from "./headline.ts";

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

/** A word that may be an id: what ends a sentence is not part of it. */
export const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}_.:/-]*[\p{L}\p{N}])?/gu;

/** Words of the server's sentences by which a node may well be called: it keeps its id there. */
const OURS =
  /^((report|check|host|error|service|instance|node)s?|work|zone|pool|name|link|map|probe|change|gateway|connection|authentication)$/;

/** Sentences of the server name nodes by id: those that the map has get their names, words of the sentence itself are left alone. */
export function inNames(names: Names): (text: string) => string {
  return (text) => text.replace(WORD, (word) => (OURS.test(word) ? word : names(word)));
}
