import type { Names } from "./headline.ts";
import { inNames, WORD } from "./timeline.ts";
import type { NodeView } from "./types.ts";

/** Sentences of the server in names, each a line of its own, which begins with a capital unless it begins with a node. */
export function asSentence(nodes: readonly Pick<NodeView, "id">[], names: Names): (text: string) => string {
  const ids = new Set<string | undefined>(nodes.map((node) => node.id));
  const named = inNames(names);
  return (text) => named(ids.has(text.match(WORD)?.[0]) ? text : text.charAt(0).toUpperCase() + text.slice(1));
}
