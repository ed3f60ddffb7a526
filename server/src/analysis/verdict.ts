import type { RunnerUp, Verdict } from "../domain/incident.ts";
import type { Evidence } from "../domain/snapshot.ts";
import { causeFrom, findCauses } from "./causes.ts";
import { readEvidence } from "./evidence.ts";
import { type Explanation, explain } from "./explain.ts";
import { lapsedBelow } from "./lapsed.ts";
import { isCoping, ownTrouble } from "./prices.ts";
import { assignRoles } from "./roles.ts";

const BLIND: Verdict = { causes: [], roles: new Map(), steps: new Map(), unexplained: [], blind: true };

/**
 * The verdict of one moment: which nodes are causes, who suffers from which, and how sure that is. A pure function of
 * the snapshot: nothing is latched, and the order in which results came does not matter. Blind, it names nothing.
 */
export function judge(evidence: Evidence): Verdict {
  if (evidence.state.blind) return BLIND;
  const story = storyOf(evidence);
  const findings = findCauses(story);
  const told = assignRoles(story, findings);
  const explained = findings.map(() => 0);
  for (const { role, cause } of told.roles.values()) if (role === "impacted") explained[cause] = (explained[cause] ?? 0) + 1;
  return {
    causes: findings.map((finding, number) => causeFrom(finding, story, explained[number] ?? 0)),
    ...told,
    unexplained: unexplained(story),
    blind: false,
  };
}

/** The cheapest story by what is said since the latest recoveries; by older words too where that leaves no more causes. */
function storyOf(evidence: Evidence): Explanation {
  const { maintenance } = evidence.map;
  const story = explain(readEvidence(evidence), maintenance);
  const still = lapsedBelow(story);
  if (still.size === 0) return story;
  const other = explain(readEvidence(evidence, still), maintenance);
  return findCauses(other).length > findCauses(story).length ? story : other;
}

/** Trouble without enough evidence for any cause: a report that contradicts itself about nodes that others do not blame. */
function unexplained(story: Explanation): Verdict["unexplained"] {
  const left: { node: string; candidates: RunnerUp[] }[] = [];
  for (const fact of story.facts.nodes) {
    if (ownTrouble(fact) === 0 || story.reasons.has(fact) || story.local.has(fact)) continue;
    if (isCoping(fact) && fact.out.some(({ to, says }) => says === "down" && story.reasons.has(to))) continue;
    const { id } = fact.vertex;
    const candidates: RunnerUp[] = [];
    for (const { to, says } of fact.out) {
      if (says !== "down" && says !== "degraded") continue;
      candidates.push({ node: to.vertex.id, confidence: 0.3, why: `${id} alone reports it ${says}, and calls itself healthy` });
    }
    candidates.push({ node: id, confidence: 0.3, why: "its report contradicts itself" });
    left.push({ node: id, candidates });
  }
  return left;
}
