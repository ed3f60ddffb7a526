import type { Dialect } from "../dialect.ts";
import { isObject } from "../json.ts";

/** express-healthcheck says how long it runs while it is well, and anything at all with a 500 when it is not. */
export const expressHealthcheck: Dialect = {
  name: "express-healthcheck",
  title: "express-healthcheck (default answer)",
  recognised: "a 2xx with `uptime` as a number and nothing else",
  mapped: "healthy, no components",
  kinds: ["object"],
  matches: ({ value, httpStatus }) =>
    isObject(value) && httpStatus < 300 && typeof value.uptime === "number" && Object.keys(value).length === 1,
  normalise: () => ({ word: null, silence: "healthy" }),
};
