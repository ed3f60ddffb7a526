import type { Criticality } from "../domain/status.ts";

export { startControl } from "./control.ts";
export { createDirector } from "./director.ts";
export { type Fleet, startFleet, withAddresses } from "./fleet.ts";
export { bindKeys, keyHelp } from "./keys.ts";
export { SCRIPT } from "./script.ts";

/** Where the fleet of the shipped map has moved on since its labels were written: two findings for the label page. */
export const QUIRKS: Readonly<Record<string, Readonly<Record<string, Criticality>>>> = {
  search: { "synonym-service": "soft" },
  pricing: { redis: "informational" },
};
