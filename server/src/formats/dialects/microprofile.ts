import { everyItem, structured } from "../structured.ts";

/** MicroProfile Health (Quarkus, Helidon, Open Liberty, Keycloak), 1.0 with `outcome` and `state`, and what copies it. */
export const microprofile = structured({
  name: "microprofile",
  title: "MicroProfile Health 1 to 4 and its copies for Node",
  recognised:
    "`checks` is a list of objects with `name` and `status` or `state`, beside a `status` or `outcome`; or an empty list beside UP or DOWN",
  mapped: "the error is whatever text the application chose in `data`: error, rootCause, cause, reason, message",
  matches(value) {
    const word = value.status ?? value.outcome;
    if (typeof word !== "string") return false;
    if (Array.isArray(value.checks) && value.checks.length === 0) return word === "UP" || word === "DOWN";
    return everyItem(
      value.checks,
      (check) =>
        typeof check.name === "string" && (typeof check.status === "string" || typeof check.state === "string") && !("ok" in check),
    );
  },
});
