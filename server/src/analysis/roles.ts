import type { Step, Verdict } from "../domain/incident.ts";
import type { Finding } from "./causes.ts";
import type { Explanation } from "./explain.ts";
import { effect, type Fact, type Facts } from "./facts.ts";
import type { Link } from "./graph.ts";
import { isCoping } from "./prices.ts";

type Roles = Map<string, { role: "root_cause" | "impacted" | "at_risk"; cause: number }>;

/** Lays a role beside every node that has one, with the first step from each impacted node towards its cause. */
export function assignRoles(story: Explanation, findings: readonly Finding[]): Pick<Verdict, "roles" | "steps"> {
  const roles: Roles = new Map();
  const steps = new Map<string, Step>();
  const number = new Map<Fact, number>();
  const impacted = findings.map((_, cause) => ({ role: "impacted" as const, cause }));
  findings.forEach((finding, index) => {
    if (!number.has(finding.fact)) number.set(finding.fact, index);
    roles.set(finding.fact.vertex.id, { role: "root_cause", cause: number.get(finding.fact) ?? index });
  });
  for (const [fact, reason] of story.reasons) {
    const { id } = fact.vertex;
    if (reason.via) steps.set(id, { to: reason.via.to.vertex.id, left: reason.steps });
    const role = impacted[number.get(reason.cause) ?? -1];
    if (role && !roles.has(id)) roles.set(id, role);
  }
  for (const finding of findings) {
    const cause = number.get(finding.fact);
    if (cause === undefined || (finding.basis !== "slow" && finding.basis !== "zone")) continue;
    for (const { vertex } of finding.from) {
      if (roles.has(vertex.id)) continue;
      roles.set(vertex.id, { role: "impacted", cause });
      steps.set(vertex.id, { to: finding.fact.vertex.id, left: 1 });
    }
  }
  addCoping(story, number, roles, steps);
  spreadRisk(findings, number, story.facts, roles);
  return { roles, steps };
}

/** Those that cope with the lasting loss of what they need softly: no evidence for anything, and yet degraded by it. */
function addCoping({ facts, reasons }: Explanation, number: ReadonlyMap<Fact, number>, roles: Roles, steps: Map<string, Step>): void {
  for (const fact of facts.nodes) {
    if (roles.has(fact.vertex.id) || fact.trouble === 0 || !isCoping(fact)) continue;
    const lost = fact.bad.find((one) => one.says !== "outdated" && one.repeats > 1 && effect(one) > 0 && reasons.has(one.to));
    const reason = lost && reasons.get(lost.to);
    const cause = reason && number.get(reason.cause);
    if (!lost || !reason || cause === undefined) continue;
    roles.set(fact.vertex.id, { role: "impacted", cause });
    steps.set(fact.vertex.id, { to: lost.to.vertex.id, left: reason.steps + 1 });
  }
}

/** Fine so far, but reaches a cause through hard edges alone: the nearest cause is named. */
function spreadRisk(findings: readonly Finding[], number: ReadonlyMap<Fact, number>, facts: Facts, roles: Roles): void {
  const reached = new Map(findings.map(({ fact }) => [fact, number.get(fact) ?? 0]));
  for (const [fact, cause] of reached) {
    for (const link of fact.vertex.in) {
      if (!isHard(link, fact)) continue;
      const from = facts.factOf(link.from);
      if (reached.has(from)) continue;
      reached.set(from, cause);
      const status = from.state?.status;
      if (!roles.has(from.vertex.id) && (from.fine || (!from.vertex.polled && status !== "unhealthy" && status !== "degraded"))) {
        roles.set(from.vertex.id, { role: "at_risk", cause });
      }
    }
  }
}

/** One of several alternatives is needed hard only while not enough of the others are left. */
function isHard(link: Link, to: Fact): boolean {
  if (link.declared.group === null) return link.declared.criticality === "hard";
  return to.in.some((statement) => statement.link === link && statement.criticality === "hard");
}
