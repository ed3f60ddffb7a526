import { isObject } from "../json.ts";
import { everyMember, structured } from "../structured.ts";

/** Micronaut: `name` is the application's at every level, so that only the keys tell the checks apart. */
export const micronaut = structured({
  name: "micronaut",
  title: "Micronaut management",
  recognised: "`name`, `status` and `details`, whose members have `name` and `status` too",
  mapped: "names are the keys of `details`, nested ones `parent/child`; the error is `details.error`",
  matches: (value) =>
    typeof value.name === "string" &&
    typeof value.status === "string" &&
    isObject(value.details) &&
    everyMember(value.details, (child) => typeof child.name === "string" && typeof child.status === "string" && !("check_time" in child)),
});
