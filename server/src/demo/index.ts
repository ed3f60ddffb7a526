import type { Criticality } from "../domain/status.ts";

export { type Control, startControl } from "./control.ts";
export { createDirector, type Director } from "./director.ts";
export { type Fault, isResourceFault, isServiceFault, RESOURCE_FAULTS, SERVICE_FAULTS } from "./faults.ts";
export { type Fleet, type FleetOptions, startFleet, withAddresses } from "./fleet.ts";
export { bindKeys, keyHelp } from "./keys.ts";
export { type Act, momentAt, SCRIPT } from "./script.ts";

/** Where the fleet of the shipped map has moved on since its labels were written: two findings for the label page. */
export const QUIRKS: Readonly<Record<string, Readonly<Record<string, Criticality>>>> = {
  search: { "synonym-service": "soft" },
  pricing: { redis: "informational" },
};
