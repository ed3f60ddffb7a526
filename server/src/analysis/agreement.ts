import { localFault } from "../state/witnesses.ts";

/** How those who speak of a node divide: what `few` say once may be their own side, what `some` say is not sure yet. */
export type Agreement = "most" | "some" | "few";

/**
 * Weighs those who blame a node against fresh words that it is up. `few`: so few that the state takes it for their own
 * fault, or no more than those who found it up since the first of them looked (`first`; all times are of checks, epoch
 * milliseconds). `some`: not two thirds of those who looked since, or not half of all.
 */
export function agreementOf(blames: number, first: number, ups: readonly { checkedAt: number | null }[]): Agreement {
  if (localFault(blames, ups.length)) return "few";
  let since = 0;
  for (const { checkedAt } of ups) if (checkedAt !== null && checkedAt >= first) since++;
  if (since > 0 && since >= blames) return "few";
  return since * 2 > blames || ups.length > blames ? "some" : "most";
}
