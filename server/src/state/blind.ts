import type { InstanceState } from "../domain/state.ts";
import type { Outcome } from "../domain/status.ts";

/** What addresses outside the fleet say about our own path: all fail, one works, or there is none to ask. */
export type Canary = "failing" | "working" | "none";

/** Whether our own network is the likely cause of what we do not see. */
export type Sight = "clear" | "blind" | "cannot_tell";

export const BLIND_REASON = "we are cut off: our own network is the likely cause";

const SHARE = 0.8;
const INSTANCES = 5;
const HOSTS = 2;

/** No connection came about: the only failures that may be our own path's. Every other outcome proves that it works. */
export function isCutOff(outcome: Outcome | null): boolean {
  return outcome === "connect_timeout" || outcome === "dns";
}

export interface Watched {
  instance: InstanceState;
  host: string;
}

/**
 * Judges our own sight by the latest polls. Only instances that had answered before count. It ends when half report
 * again; a working canary forbids it, a failing one decides fleets too small to tell.
 */
export function judgeSight(fleet: Iterable<Watched>, canary: Canary, blindNow: boolean): Sight {
  const answering: InstanceState[] = [];
  const lastReports: number[] = [];
  const hosts = new Set<string>();
  let known = 0;
  let reporting = 0;
  for (const { instance, host } of fleet) {
    if (instance.lastReportAt === null) continue;
    known++;
    if (instance.lastReportAt === instance.lastPollAt) reporting++;
    if (!isCutOff(instance.outcome)) answering.push(instance);
    else {
      lastReports.push(instance.lastReportAt);
      hosts.add(host);
    }
  }
  if (canary === "working" || known === 0) return "clear";
  if (blindNow) return reporting * 2 >= known ? "clear" : "blind";
  const failing = lastReports.length;
  if (failing === 0 || failing < SHARE * known) return "clear";
  // Half of those that fail now still reported then: trouble that began later is news from services that we do reach.
  const onset = lastReports.sort((a, b) => a - b)[Math.floor(failing / 2)] as number;
  if (answering.some((instance) => hasNewTrouble(instance, onset))) return "clear";
  if (canary === "failing" || (failing >= INSTANCES && hosts.size >= HOSTS)) return "blind";
  return "cannot_tell";
}

function hasNewTrouble({ damped, window, lastReportAt, lastPollAt }: InstanceState, onset: number): boolean {
  if (lastReportAt !== lastPollAt || (damped.raw !== "degraded" && damped.raw !== "unhealthy")) return false;
  const began = damped.raw === damped.status ? (window?.firstBad ?? damped.since) : (damped.run[0]?.at ?? damped.since);
  return began >= onset;
}
