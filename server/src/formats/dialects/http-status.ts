import type { Dialect } from "../dialect.ts";

/** The last resort: the status code alone. As a pinned dialect it reads no body at all, so that any 2xx is healthy. */
export const httpStatus: Dialect = {
  name: "http-status",
  title: "Bare HTTP status",
  recognised: "by nothing in the body: an empty 2xx, or a 5xx whose body no other dialect reads",
  mapped: "2xx healthy (unpinned: only with an empty body), 5xx unhealthy and possibly the gateway's word, no components",
  kinds: ["empty"],
  matches: ({ kind, httpStatus }) => kind === "empty" && httpStatus < 300,
  normalise: () => ({ word: null, silence: "healthy" }),
};
