import { isObject, textOf } from "../json.ts";
import { structured } from "../structured.ts";

/** Spring Boot Actuator in its three shapes: children in `components` (v3), in `details` (v2), or beside the status (v1). */
export const springActuator = structured({
  name: "spring-actuator",
  title: "Spring Boot Actuator 1 to 3",
  recognised:
    "`status` in capitals, with `components`, `details`, `groups` or child objects that have a `status` in capitals, or by its media type",
  mapped:
    "composites to leaves `parent/child`; the error is `details.error`, else `description`, `reason` or `message`; `groups` are no components",
  matches(value, { contentType }) {
    if (!isCapitals(value.status)) return false;
    if (contentType?.includes("spring-boot.actuator") || Array.isArray(value.groups)) return true;
    if (isObject(value.components) || isObject(value.details)) return true;
    return Object.values(value).some((child) => isObject(child) && isCapitals(child.status));
  },
});

function isCapitals(value: unknown): boolean {
  return textOf(value) !== null && /^[A-Z][A-Z_]*$/.test(String(value));
}
