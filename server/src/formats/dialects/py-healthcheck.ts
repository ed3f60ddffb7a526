import { everyItem, structured } from "../structured.ts";

/** py-healthcheck: results are cached for seconds, so their own time counts. */
export const pyHealthcheck = structured({
  name: "py-healthcheck",
  title: "py-healthcheck",
  recognised: "`results` is a list of objects with `checker` and `passed`",
  mapped: "`response_time` in seconds; `timestamp` in epoch seconds; the error is `output`",
  matches: (value) => everyItem(value.results, (result) => typeof result.checker === "string" && typeof result.passed === "boolean"),
  habits: { unit: "s" },
});
