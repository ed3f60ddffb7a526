import type { MaintenanceView } from "headwater/contract";
import type { Names } from "./headline.ts";
import type { Incident } from "./types.ts";

/** Work under way at a moment, epoch milliseconds. */
export function worksAt(works: readonly MaintenanceView[], at: number): MaintenanceView[] {
  return works.filter((work) => Date.parse(work.from) <= at && at < Date.parse(work.to));
}

/** What is announced for each node, in a few words: `work until 15:04: new disks`. */
export function workTexts(works: readonly MaintenanceView[], at: number, until: (at: number) => string): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const work of worksAt(works, at))
    for (const node of work.nodes) texts.set(node, `work until ${until(Date.parse(work.to))}: ${work.reason}`);
  return texts;
}

/** Incidents that some work explains: those of announced work on its nodes. */
export function incidentsOf(work: MaintenanceView, open: readonly Incident[]): Incident[] {
  return open.filter((one) => one.kind === "maintenance" && work.nodes.includes(one.anchor));
}

/** The nodes of some work, the first few named. */
export function worksOn(work: MaintenanceView, names: Names): string {
  const [first, second, ...more] = work.nodes.map(names);
  if (second === undefined) return first ?? "";
  return more.length > 0 ? `${first}, ${second} and ${more.length} more` : `${first} and ${second}`;
}
