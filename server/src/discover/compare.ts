import type { MapNode, SystemMap } from "../domain/map.ts";
import type { Criticality } from "../domain/status.ts";
import { type Context, contextOf, type Drift, type DriftFinding, type DriftKind, NOTHING } from "./findings.ts";
import type { FoundEdge, FoundGraph, FoundNode } from "./graph.ts";
import { matchNodes } from "./match.ts";
import { fold } from "./names.ts";
import { count } from "./summary.ts";
import { kindOfWord } from "./technology.ts";
import { judgeUnseen } from "./unseen.ts";

/** Compares what was discovered with what is declared. `told`: name in the sources → id of the map. Pure. */
export function compareGraph(graph: FoundGraph, map: SystemMap, told: ReadonlyMap<string, string>): Drift {
  const matching = matchNodes(graph, map, told);
  const context = contextOf(graph, map, matching);
  const findings = [...graph.nodes.flatMap((node) => judgeNode(node, context)), ...graph.edges.flatMap((edge) => judgeEdge(edge, context))];
  const unseen = [...map.nodes.values()].flatMap((node) => judgeUnseen(node, context));
  for (const one of unseen) if ("kind" in one) findings.push(one);
  return { findings: sorted(once(findings)), notJudged: unseen.filter((one) => "why" in one), matching };
}

function judgeNode(node: FoundNode, { declaredOf, map }: Context): DriftFinding[] {
  const declared = declaredOf(node.id);
  const { id, evidence, confidence } = node;
  if (!declared) {
    // An address that somebody asked, and that did not report, shows nothing.
    if (confidence === "guess" && evidence.every(({ source }) => source === "report")) return [];
    const seen = node.resourceKind ?? node.kind;
    return [
      {
        ...NOTHING,
        kind: "undeclared_node",
        node: id,
        seen,
        confidence,
        evidence,
        team: node.team !== null && map.teams.has(node.team) ? node.team : null,
        message: `${id} (${seen}) is not in the map`,
      },
    ];
  }
  const { team, place } = declared;
  const common = { ...NOTHING, node: declared.id, evidence, confidence, team, place };
  const found: DriftFinding[] = [];
  const [before, after] = kindsThatDiffer(declared, node) ?? [null, null];
  if (before !== null && after !== null)
    found.push({
      ...common,
      kind: "kind_differs",
      declared: before,
      seen: after,
      message: `${declared.id} is declared a ${before}, and seen as a ${after}`,
    });
  if (node.team !== null && team !== null && fold(node.team) !== fold(team))
    found.push({
      ...common,
      kind: "team_differs",
      declared: team,
      seen: node.team,
      message: `${declared.id} belongs to ${team} in the map, and to ${node.team} elsewhere`,
    });
  return found;
}

/** Kinds of products that may serve as a database: Redis, Elasticsearch, MinIO. */
const MAY_BE_DATABASE = new Set(["cache", "search", "storage"]);

/** Declared and seen kind where they differ; null where they agree or one of them is not known well enough. */
function kindsThatDiffer(declared: MapNode, node: FoundNode): [string, string] | null {
  // Whoever is only spoken of may be anything: what a name suggests is no evidence against the map.
  const evident = node.evidence.some(({ what }) => what !== "component") && node.confidence !== "guess";
  if (declared.kind !== node.kind)
    return evident && (node.kind === "service" ? node.shown : node.resourceKind !== null)
      ? [declared.kind, node.kind === "service" ? "service" : (node.resourceKind ?? "resource")]
      : null;
  if (declared.kind === "service" || declared.resourceKind === null || node.resourceKind === null || !evident) return null;
  const [before, after] = [
    kindOfWord(declared.resourceKind) ?? fold(declared.resourceKind),
    kindOfWord(node.resourceKind) ?? fold(node.resourceKind),
  ];
  const known = kindOfWord(declared.resourceKind) !== null && kindOfWord(node.resourceKind) !== null;
  // Redis is a cache to one and a database to another; a word that we do not know may mean the same.
  const usedSo = before === "database" && MAY_BE_DATABASE.has(after);
  return known && !usedSo && fold(before) !== fold(after) ? [declared.resourceKind, node.resourceKind] : null;
}

function judgeEdge(edge: FoundEdge, context: Context): DriftFinding[] {
  const { idOf, endOf, declaredOf, map } = context;
  const [from, to] = [idOf(edge.from), endOf(edge)];
  if (from === to) return [];
  const service = declaredOf(edge.from);
  const declared = service?.kind === "service" ? service.edges.find((other) => other.to === to) : undefined;
  const common = { ...NOTHING, node: from, to, calls: edge.calls, evidence: edge.evidence, confidence: edge.confidence };
  if (!declared) {
    // Both ends of a queue need the queue, and not each other.
    if (edge.message && shareResource(map, from, to)) return [];
    const calls = edge.calls === null ? "" : `, ${count(edge.calls, "call")}`;
    const place = service?.place ?? null;
    return [
      {
        ...common,
        kind: "undeclared_edge",
        seen: edge.criticality,
        team: service?.team ?? null,
        place,
        message: `${from} needs ${to}, which the map does not say${calls}`,
      },
    ];
  }
  if (edge.guessed !== null || edge.criticality === declared.criticality) return [];
  return [
    {
      ...common,
      kind: "criticality_differs",
      declared: declared.criticality,
      seen: edge.criticality,
      team: declared.owner ?? service?.team ?? null,
      place: declared.place,
      message: `${from} reports ${to} as ${edge.criticality}, the map says ${declared.criticality}`,
    },
  ];
}

function shareResource(map: SystemMap, a: string, b: string): boolean {
  const needs = (id: string) => {
    const node = map.nodes.get(id);
    return new Set(node?.kind === "service" ? node.edges.map(({ to }) => to) : []);
  };
  const other = needs(b);
  return [...needs(a)].some((id) => other.has(id) && map.nodes.get(id)?.kind === "resource");
}

const ORDER: readonly DriftKind[] = [
  "undeclared_edge",
  "undeclared_node",
  "unseen_edge",
  "unseen_node",
  "kind_differs",
  "criticality_differs",
  "team_differs",
];

/** Several nodes of the sources may be one of the map, such as its instances: what holds for all of them is told once. */
function once(findings: readonly DriftFinding[]): DriftFinding[] {
  const seen = new Map<string, DriftFinding>();
  for (const finding of findings) {
    const key = `${finding.kind}>${finding.node}>${finding.to ?? ""}>${finding.seen ?? ""}`;
    const before = seen.get(key);
    if (!before) seen.set(key, finding);
    else
      seen.set(key, {
        ...before,
        calls: finding.calls === null ? before.calls : (before.calls ?? 0) + finding.calls,
        evidence: [...before.evidence, ...finding.evidence].slice(0, 10),
      });
  }
  return [...seen.values()];
}

function sorted(findings: readonly DriftFinding[]): DriftFinding[] {
  const key = ({ node, to }: DriftFinding) => `${node}>${to ?? ""}`;
  return [...findings].sort(
    (a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind) || (b.calls ?? 0) - (a.calls ?? 0) || (key(a) < key(b) ? -1 : 1),
  );
}

/** The label to propose for an edge that is not declared. */
export const proposed = (finding: DriftFinding): Criticality =>
  finding.seen === "hard" || finding.seen === "informational" ? finding.seen : "soft";
