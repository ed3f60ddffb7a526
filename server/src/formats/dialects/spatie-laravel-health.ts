import { textOf } from "../json.ts";
import { structured } from "../structured.ts";

/** spatie/laravel-health: results come from a store and can be hours old. */
export const spatie = structured({
  name: "spatie-laravel-health",
  title: "spatie/laravel-health",
  recognised: "`checkResults` is a list, beside `finishedAt`",
  mapped: "`finishedAt`, epoch seconds, is the time of every check; the error is `notificationMessage`, else `shortSummary`",
  matches: (value) => Array.isArray(value.checkResults),
  habits: (value) => ({ commonTime: value.finishedAt, error: (entry) => textOf(entry.notificationMessage) ?? textOf(entry.shortSummary) }),
});
