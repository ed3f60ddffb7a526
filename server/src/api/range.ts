import { z } from "zod";
import { ApiError } from "./errors.ts";

const Moment = z.iso.datetime({ offset: true }).describe("ISO 8601");

/** `from` and `to` of a query. */
export const RangeQuery = z.object({ from: Moment.optional(), to: Moment.optional() });
export const MomentQuery = Moment;

/** How far back anyone may ask: a little over the longest history kept by default. */
const MAX_RANGE_MS = 800 * 86_400_000;

/** A query's range in epoch milliseconds, ending now and `span` long where it does not say. Throws `bad_request`. */
export function rangeOf(query: z.infer<typeof RangeQuery>, now: number, span: number): { from: number; to: number } {
  const to = Math.min(query.to === undefined ? now : Date.parse(query.to), now);
  const from = query.from === undefined ? to - span : Date.parse(query.from);
  if (from >= to) throw new ApiError("bad_request", "from must lie before to, and before now");
  return { from: Math.max(from, to - MAX_RANGE_MS), to };
}

/** `cursor` and `limit` of a list. */
export const ListQuery = z.object({
  cursor: z
    .string()
    .regex(/^\d{1,15}$/, "not a cursor of ours")
    .optional(),
  limit: z.coerce.number().int().min(1).max(500).default(200),
});
