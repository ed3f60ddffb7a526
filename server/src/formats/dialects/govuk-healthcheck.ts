import { everyMember, structured } from "../structured.ts";

/** GOV.UK health checks: anything but ok is a 500, a mere warning too. */
export const govuk = structured({
  name: "govuk-healthcheck",
  title: "GOV.UK health checks",
  recognised: "`status` and the members of `checks` say ok, warning, critical or unknown",
  mapped: "a 500 with status warning is degraded",
  matches: (value) => isLevel(value.status) && everyMember(value.checks, (check) => isLevel(check.status) || check.status === "unknown"),
  adjust: (reading) => (reading.word?.status === "degraded" ? { ...reading, serverError: "degraded" } : reading),
});

function isLevel(value: unknown): boolean {
  return value === "ok" || value === "warning" || value === "critical";
}
