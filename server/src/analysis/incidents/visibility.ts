import type { Verdict } from "../../domain/incident.ts";
import { effectsOn } from "../severity.ts";
import type { Book } from "./book.ts";
import { unreachableAfter } from "./waits.ts";

/** Hard members of systems that have been unknown too long, although we can see. */
export function takeInvisible(book: Book): void {
  const { evidence, verdict, frozen } = book.input;
  if (frozen || verdict.blind) return;
  const wanted = new Set<string>();
  for (const system of evidence.map.systems.values())
    for (const { node, criticality } of system.members) if (criticality === "hard") wanted.add(node);
  for (const node of wanted) openFor(book, node);
  for (const incident of book.unresolved()) {
    if (incident.kind !== "visibility") continue;
    const hidden = evidence.state.nodes.get(incident.anchor)?.status === "unknown";
    if (hidden && wanted.has(incident.anchor)) continue;
    book.resolve(incident, "cleared", hidden ? "no system needs it any more" : `${incident.anchor} answers again`);
  }
}

function openFor(book: Book, node: string): void {
  const { evidence, verdict, settings } = book.input;
  const state = evidence.state.nodes.get(node);
  if (state?.status !== "unknown" || state.since === 0 || hasTroubleRole(verdict, node)) return;
  if (book.now - state.since < (settings.unreachableAfter ?? unreachableAfter(evidence.map, node))) return;
  if (book.unresolved().some(({ anchor }) => anchor === node)) return;
  const systems = effectsOn(evidence, verdict, new Set([node]));
  const incident = { ...book.blank("visibility", node, state.since), severity: "ticket" as const, systems };
  book.put(incident);
  book.say(incident, "opened", `${node} is unknown${state.reason ? `: ${state.reason}` : ""}`);
}

function hasTroubleRole({ roles }: Verdict, node: string): boolean {
  const role = roles.get(node)?.role;
  return role === "root_cause" || role === "impacted";
}
