import type { Level } from "../domain/incident.ts";
import { CONFIRMED, LIKELY } from "./weights.ts";

/** One word alone never confirms; nor does a cause that nobody reports. */
const UNCONFIRMED_AT_MOST = 0.89;
const SUSPECTED_AT_MOST = 0.64;
/** How fast confidence grows with the margin, in points, between the best story and the next. */
const STEEPNESS = 0.75;

/** Confidence from how much dearer the best other story is; 0 to 1, two decimals. */
export function confidenceOf(margin: number, limits: { loneWitness: boolean; suspicionOnly: boolean }): number {
  let confidence = 1 / (1 + Math.exp(-STEEPNESS * margin));
  if (limits.loneWitness) confidence = Math.min(confidence, UNCONFIRMED_AT_MOST);
  if (limits.suspicionOnly) confidence = Math.min(confidence, SUSPECTED_AT_MOST);
  return Math.round(Math.min(confidence, 0.99) * 100) / 100;
}

/** The word for a confidence. */
export function levelOf(confidence: number): Level {
  if (confidence >= CONFIRMED) return "confirmed";
  return confidence >= LIKELY ? "likely" : "suspected";
}
