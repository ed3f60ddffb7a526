import { BLIND_REASON, type Canary, judgeSight, type Watched } from "./blind.ts";
import { statusDamper } from "./damping.ts";
import { regainEdge } from "./edges.ts";
import type { ServiceIndex } from "./mapindex.ts";
import type { Sheet } from "./sheet.ts";

/** Judges our own sight when something gives reason to; going blind or seeing again touches every node. */
export function look(sheet: Sheet, canary: Canary): void {
  if (!sheet.cutOff && !sheet.blind && !sheet.cannotTell) return;
  const sight = judgeSight(watched(sheet), canary, sheet.blind !== null);
  const cannotTell = sight === "cannot_tell";
  const blind = sight === "blind";
  if (blind === (sheet.blind !== null) && cannotTell === sheet.cannotTell) return;
  sheet.cannotTell = cannotTell;
  if (blind !== (sheet.blind !== null)) {
    sheet.blind = blind ? { since: sheet.now } : null;
    const [from, to] = blind ? ["clear", "blind"] : ["blind", "clear"];
    sheet.transitions.push({ subject: "blind", id: "*", at: sheet.now, from, to, reason: null, incident: null });
    for (let at = 0; at < sheet.index.owner.length; at++) blind ? loseSight(sheet, at) : regainSight(sheet, at);
    for (let at = 0; at < sheet.index.reporter.length; at++) blind ? clearEdge(sheet, at) : hearAgain(sheet, at);
  }
  for (let at = 0; at < sheet.index.node.length; at++) sheet.touched.add(at);
}

function* watched(sheet: Sheet): Iterable<Watched> {
  for (let at = 0; at < sheet.index.owner.length; at++) yield { instance: sheet.instances.at(at), host: sheet.index.host[at] ?? "" };
}

function loseSight(sheet: Sheet, position: number): void {
  const before = sheet.instances.at(position);
  const { raw } = before.damped;
  const damped = { ...statusDamper.lose(before.damped, sheet.now), raw };
  sheet.putInstance(position, sheet.index.owner[position] as ServiceIndex, { ...before, damped, window: null });
  sheet.report("instance", before.id, before.damped.status, "unknown", BLIND_REASON);
}

/** An instance whose latest poll brought a report leaves unknown by it; the others wait for their next. */
function regainSight(sheet: Sheet, position: number): void {
  const before = sheet.instances.at(position);
  const { raw } = before.damped;
  const at = before.lastReportAt;
  const service = sheet.index.owner[position] as ServiceIndex;
  if (at === null || at !== before.lastPollAt || raw === "unknown") {
    // What it was asked while we were blind tells nothing: its silence counts from here.
    sheet.putInstance(position, service, { ...before, damped: { ...before.damped, since: sheet.now } });
    return;
  }
  const damped = statusDamper.step(before.damped, raw, at, service.node);
  const bad = damped.status === "degraded" || damped.status === "unhealthy";
  const window = bad ? { lastGood: before.lastGood ?? null, firstBad: at } : null;
  sheet.putInstance(position, service, { ...before, damped, window });
  sheet.report("instance", before.id, before.damped.status, damped.status, before.reason ?? null);
}

function clearEdge(sheet: Sheet, position: number): void {
  const before = sheet.edges.at(position);
  if (before.damped.run.length === 0) return;
  sheet.putEdge(position, before, { ...before, damped: { ...before.damped, run: [], pending: null } });
}

function hearAgain(sheet: Sheet, position: number): void {
  const before = sheet.edges.at(position);
  sheet.putEdge(position, before, regainEdge(before, sheet.now, (sheet.index.reporter[position] as ServiceIndex).node));
}
