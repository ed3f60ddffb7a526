import type { Range } from "../../domain/history.ts";
import type { LabelFinding } from "../../domain/label.ts";
import { byChance } from "./chance.ts";
import { type Label, type Outage, occasions, type Steps, settleOf } from "./outages.ts";
import { type Fate, namesOf, outageFinding, outagesText, reach, type Scene } from "./scene.ts";
import { shareOf, wordAt } from "./spans.ts";

/** This share of the outages must agree. */
const MOST_AGREE = 0.75;
/** Above this the failures of service and dependency may well have met by chance. */
const BY_CHANCE = 0.01;

/** Declared soft or informational, yet the service went unhealthy with it and nothing else explains that; else null. */
export function hurt(label: Label, outages: readonly Outage[], scene: Scene): LabelFinding | null {
  const { service } = label;
  // What needs the service itself may have failed because of it.
  const above = reach([scene.graph.byId.get(service.id)], (vertex) => vertex.in.map(({ from }) => from));
  if (label.edges.some(({ to }) => above.has(to))) return null;
  const judged = occasions(outages).map(({ outage, told }) => ({ outage, fate: fallOf(label, outage, told, scene) }));
  const felled = judged.filter(({ fate }) => fate === "failed");
  const count = felled.length + judged.filter(({ fate }) => fate === "fine" || fate === "worse").length;
  if (felled.length < 2 || felled.length < MOST_AGREE * count) return null;
  const chance = byChance(label, outages, felled.length, count, scene);
  if (chance > BY_CHANCE) return null;
  const agreeing = felled.map(({ outage }) => outage);
  const notes = [
    `by chance alone this would happen ${chance < 1e-6 ? "less than once in a million times" : `once in ${Math.round(1 / chance)} times`}`,
  ];
  const unclear = judged.length - count;
  if (unclear > 0) notes.push(`${unclear} more had another explanation, or could not tell`);
  return outageFinding(label, scene.facts, {
    kind: "soft_hurts",
    suggested: "hard",
    confidence: ((felled.length + 0.5) / (count + 1)) * (1 - chance) * (felled.length === 2 ? 0.75 : 1),
    text: `${service.id} declares ${namesOf(label)} ${label.criticality}, yet was unhealthy ${outagesText(agreeing, count)}, and nothing else explains that`,
    count,
    agreeing,
    notes,
  });
}

function fallOf(label: Label, outage: Outage, told: Range, scene: Scene): Fate {
  const { service } = label;
  const { steps } = scene;
  const words = steps.word(service.id);
  const failed = shareOf(words, told, ["unhealthy"]);
  const working = shareOf(words, told, ["healthy", "degraded"]);
  if (working + failed < 0.8) return "unclear";
  if (failed <= 0.2) return "fine";
  const lead = 2 * settleOf(service);
  const before = wordAt(steps.node(service.id), outage.from - lead);
  if (failed < 0.7 || before === "unhealthy" || before === "unknown") return "unclear";
  const onset = { from: outage.from - lead, to: outage.from + lead };
  const elsewhere = othersInTrouble(label, onset, outage, steps) || onlyThisOneSays(label, outage, scene) || isShared(label, onset, scene);
  return elsewhere ? "unclear" : "failed";
}

/** Something else that the service needs was in trouble when it fell, by its own reports or by what the node itself was. */
function othersInTrouble(label: Label, onset: Range, outage: Outage, steps: Steps): boolean {
  return label.service.edges.some((edge) => {
    if (edge.criticality === "informational" || label.edges.includes(edge)) return false;
    const words = steps.edge(edge);
    if (shareOf(words, onset, ["down", "degraded"]) > 0 || shareOf(words, outage, ["down", "degraded"]) > 0.2) return true;
    return edge.criticality === "hard" && shareOf(steps.node(edge.to), onset, ["unhealthy"]) > 0;
  });
}

/** Others see what it calls down at work: then the trouble is its own. */
function onlyThisOneSays(label: Label, outage: Outage, { steps, graph }: Scene): boolean {
  return label.edges.every(({ to }) => {
    const target = graph.byId.get(to);
    const known = target !== undefined && (target.polled || target.in.length > 1);
    return known && shareOf(steps.node(to), outage, ["healthy"]) > 0.9;
  });
}

/** More fell at that time than chance brings, and not by way of the dependency: a wider trouble took them all. */
function isShared(label: Label, onset: Range, { steps, graph, falls, facts }: Scene): boolean {
  const targets = label.edges.map(({ to }) => graph.byId.get(to));
  const below = reach(targets, (vertex) => vertex.out.map(({ to }) => to));
  const sick = [...below].filter((id) => shareOf(steps.node(id), onset, ["unhealthy", "degraded", "unknown"]) > 0);
  const felled = [...targets, ...[...sick, label.service.id].map((id) => graph.byId.get(id))];
  const related = reach(felled, (vertex) => vertex.in.map(({ from }) => from));
  const unrelated = falls.filter(({ id }) => !related.has(id));
  const then = unrelated.filter(({ at }) => at >= onset.from && at < onset.to).length;
  const usual = (unrelated.length * (onset.to - onset.from)) / Math.max(1, facts.to - facts.from);
  return then > usual + 3 * Math.sqrt(usual) + 1;
}
