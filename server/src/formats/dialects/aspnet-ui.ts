import type { Habits } from "../check.ts";
import { pick } from "../fields.ts";
import { isObject } from "../json.ts";
import { structured } from "../structured.ts";
import type { Word } from "../vocabulary.ts";
import { wordOf } from "../word.ts";

/** `HealthStatus` as a number, where an application serialises the report as it is. */
const NUMBERS: readonly Word[] = [{ status: "down" }, { status: "degraded" }, { status: "up" }];

const habits: Habits = {
  unit: "ms",
  word(entry) {
    const status = pick(entry, "status");
    return typeof status === "number" ? (NUMBERS[status] ?? null) : status === undefined ? null : wordOf(status);
  },
};

/** ASP.NET Core health checks: the writer of HealthChecks UI, and the report serialised as it is. */
export const aspnetUi = structured({
  name: "aspnet-ui",
  title: "ASP.NET Core health checks (HealthChecks UI writer, or the raw report)",
  recognised: "`entries` (in any case) as an object, with a status and `totalDuration` or members that have `duration`",
  mapped: "`duration` is a TimeSpan; a status number is 0 unhealthy, 1 degraded, 2 healthy; the error is `exception`, else `description`",
  matches(value) {
    const entries = pick(value, "entries");
    if (!isObject(entries) || pick(value, "status") === undefined) return false;
    return (
      pick(value, "totalduration") !== undefined ||
      Object.values(entries).some((entry) => isObject(entry) && pick(entry, "duration") !== undefined)
    );
  },
  habits,
});
