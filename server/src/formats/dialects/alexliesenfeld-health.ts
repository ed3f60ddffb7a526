import { textOf } from "../json.ts";
import { everyMember, structured } from "../structured.ts";

/** alexliesenfeld/health for Go: checks run on their own clock and state when. */
export const alexliesenfeld = structured({
  name: "alexliesenfeld-health",
  title: "alexliesenfeld/health",
  recognised: "`status` is up, down or unknown, and the members of `details` have `status` and `timestamp`",
  mapped: "`timestamp` is the time of the check; the zero time of Go means never",
  matches: (value) =>
    ["up", "down", "unknown"].includes(textOf(value.status) ?? "") &&
    everyMember(value.details, (check) => typeof check.status === "string" && "timestamp" in check),
});
