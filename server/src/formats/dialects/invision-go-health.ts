import { everyMember, structured } from "../structured.ts";

/** InVisionApp/go-health: `fatal` is left out when false, so its absence states soft. */
export const invision = structured({
  name: "invision-go-health",
  title: "InVisionApp/go-health",
  recognised: "the members of `details` have `check_time` and `num_failures`",
  mapped: "`fatal` is hard, its absence soft; `check_time` is the time of the check",
  matches: (value) => everyMember(value.details, (check) => "check_time" in check && "num_failures" in check),
  habits: { time: /^check_time$/, criticality: (entry) => ("check_time" in entry ? (entry.fatal === true ? "hard" : "soft") : null) },
});
