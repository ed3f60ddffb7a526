import type { Range } from "../../domain/history.ts";
import type { LabelFinding } from "../../domain/label.ts";
import type { Graph } from "../graph.ts";
import { type Label, type Outage, occasions, type Steps } from "./outages.ts";
import { type Fate, lengthOf, namesOf, outageFinding, outagesText, type Scene } from "./scene.ts";
import { shareOf } from "./spans.ts";

/** Of a single outage only a long one says that a hard label is none. */
const LONG_MS = 1_800_000;
/** This share of the outages must agree. */
const MOST_AGREE = 0.75;

/** Declared hard, yet the service went on while it was down; null where the label holds, or nothing tells. */
export function unharmed(label: Label, outages: readonly Outage[], scene: Scene): LabelFinding | null {
  const judged = occasions(outages).map(({ outage, told }) => ({ outage, fate: fateOf(label, told, scene) }));
  const unhurt = judged.filter(({ fate }) => fate === "fine" || fate === "worse");
  const count = unhurt.length + judged.filter(({ fate }) => fate === "failed").length;
  const agreeing = unhurt.map(({ outage }) => outage);
  if (unhurt.length === 0 || unhurt.length < MOST_AGREE * count) return null;
  if (unhurt.length === 1 && lengthOf(agreeing) < LONG_MS) return null;
  const worse = unhurt.filter(({ fate }) => fate === "worse").length;
  const how = worse === 0 ? "called itself healthy" : "called itself no worse than degraded";
  const notes: string[] = [];
  if (worse > 0 && worse < unhurt.length) notes.push(`degraded in ${worse} of them, healthy in the others`);
  if (outages.length > count) notes.push(`${outages.length - count} more were too short, too close to another, or could not tell`);
  return outageFinding(label, scene.facts, {
    kind: "hard_unharmed",
    suggested: "soft",
    // One outage is an anecdote, however long.
    confidence: ((unhurt.length + 0.5) / (count + 1)) * (unhurt.length === 1 ? 0.8 : 1),
    text: `${label.service.id} declares ${namesOf(label)} hard, yet ${how} ${outagesText(agreeing, count)}`,
    count,
    agreeing,
    notes,
  });
}

/** By its own word, unless those who call it say otherwise. */
function fateOf(label: Label, told: Range, { steps, graph }: Scene): Fate {
  const words = steps.word(label.service.id);
  const fine = shareOf(words, told, ["healthy"]);
  const working = fine + shareOf(words, told, ["degraded"]);
  const failed = shareOf(words, told, ["unhealthy"]);
  if (working + failed < 0.8) return "unclear";
  if (failed > 0.1 || isBlamed(label, told, steps, graph)) return "failed";
  return fine >= 0.9 ? "fine" : "worse";
}

/** Most of those who call the service and say anything say that it is down, for half of the time or more. */
function isBlamed({ service }: Label, told: Range, steps: Steps, graph: Graph): boolean {
  let speaking = 0;
  let blaming = 0;
  for (const { declared } of graph.byId.get(service.id)?.in ?? []) {
    const words = steps.edge(declared);
    const down = shareOf(words, told, ["down"]);
    if (down + shareOf(words, told, ["up", "degraded"]) < 0.5) continue;
    speaking++;
    if (down >= 0.5) blaming++;
  }
  return blaming * 2 > speaking;
}
