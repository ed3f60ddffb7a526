import { isObject } from "../json.ts";
import { everyMember, structured } from "../structured.ts";

/** @nestjs/terminus: `details` is `info` and `error` together; an interceptor may have dropped it. */
export const nestjsTerminus = structured({
  name: "nestjs-terminus",
  title: "@nestjs/terminus",
  recognised: "`status` is ok, error or shutting_down, beside two of the objects `info`, `error`, `details`, whose members say up or down",
  mapped: "each name once, the worse of what the three objects say; shutting_down is unhealthy, with phase draining",
  matches(value) {
    if (value.status !== "ok" && value.status !== "error" && value.status !== "shutting_down") return false;
    const parts = [value.info, value.error, value.details].filter((part) => part !== undefined && part !== null);
    if (parts.length < 2 || !parts.every(isObject)) return false;
    return parts.every((part) => Object.keys(part).length === 0 || everyMember(part, (entry) => typeof entry.status === "string"));
  },
});
