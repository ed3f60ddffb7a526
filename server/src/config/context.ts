import type { Place } from "../domain/map.ts";
import type { Declarations } from "./collect.ts";
import type { Findings } from "./problems.ts";
import type { References } from "./references.ts";
import type { Suggester } from "./suggest.ts";
import type { ScalarNode } from "./tree.ts";

/** What the cross-checks share. */
export interface Context {
  all: Declarations;
  findings: Findings;
  suggester: Suggester;
  /** Where the map begins: its first file. */
  start: Place;
  /** `YYYY-MM-DD`. */
  today: string;
  /** Age in days at which a review is stale. */
  reviewAfterDays: number;
  /** Whether a file that could not be read or understood may declare the id. */
  mayDeclare(id: string): boolean;
  /** Some of the map could not be understood, so that what is missing may be there. */
  incomplete: boolean;
  /** Null where references, and so files, are left alone. */
  references: References | null;
}

/** Reports a reference to something that is nowhere declared, unless a broken file may declare it. */
export function undeclared(context: Context, node: ScalarNode, id: string, what: "node" | "team", candidates: Iterable<string>): void {
  if (node.opaque || context.mayDeclare(id)) return;
  const shown = node.references.length > 0 ? node.source : id;
  const hint = node.references.length > 0 ? "" : context.suggester.hint(id, candidates);
  const place = node.origin.place(node.at);
  context.findings.error(place, `undeclared-${what}`, `${JSON.stringify(shown)} is not declared: there is no such ${what}${hint}`);
}
