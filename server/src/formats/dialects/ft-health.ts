import type { Criticality } from "../../domain/status.ts";
import { isObject } from "../json.ts";
import { everyItem, structured } from "../structured.ts";

const SEVERITIES: readonly (Criticality | null)[] = [null, "hard", "soft", "informational"];

/** The Financial Times' standard: always 200; a severity describes the check, also while it passes. */
export const ftHealth = structured({
  name: "ft-health",
  title: "FT health check standard",
  recognised: "`schemaVersion`, and `checks` is a list of objects with `ok` and `severity`",
  mapped: "severity 1 hard, 2 soft, 3 informational; the error is `checkOutput`; failing checks of severity 2 and 3 alone are degraded",
  matches: (value) =>
    "schemaVersion" in value &&
    Array.isArray(value.checks) &&
    (value.checks.length === 0 || everyItem(value.checks, (check) => typeof check.ok === "boolean")),
  habits: {
    criticality: (entry) => ("checkOutput" in entry || "panicGuide" in entry ? (SEVERITIES[Number(entry.severity)] ?? null) : null),
    error: (entry) => (typeof entry.checkOutput === "string" ? entry.checkOutput : null),
  },
  adjust(reading, value) {
    const failing = (Array.isArray(value.checks) ? value.checks : []).filter((check) => isObject(check) && check.ok === false);
    const mild = failing.length > 0 && failing.every((check) => check.severity === 2 || check.severity === 3);
    return mild && reading.word?.status === "down" ? { ...reading, word: { status: "degraded" } } : reading;
  },
});
