import { incidentsByNode } from "../analysis/membership.ts";
import type * as wire from "../contract/index.ts";
import { wayToCause } from "../domain/incident.ts";
import type { Live } from "../domain/live.ts";
import { type Edge, edgeKey, isPolled, type MapNode, type ServiceNode } from "../domain/map.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import type { EdgeState, InstanceState } from "../domain/state.ts";
import type { ComponentStatus } from "../domain/status.ts";
import { ageOf, incomingEdges, nodeView, publicUrl, tenths, tenthsOrNull, time, timeOrNull } from "./view.ts";

/** More than this a page does not list. */
const MAX_UNMAPPED = 200;

export type Answer = NonNullable<ReturnType<Live["lastObservation"]>>;

/** One node in full, with what each side says of it. `answer` is the last answer worth showing, or null. */
export function nodeDetail(snapshot: Snapshot, node: MapNode, answer: Answer | null, now: number): wire.NodeDetail {
  const { map, state, verdict } = snapshot;
  const incoming = incomingEdges(map).get(node.id) ?? [];
  const way = wayToCause(verdict, node.id);
  const team = node.team === null ? undefined : map.teams.get(node.team);
  const role = (id: string) => verdict.roles.get(id)?.role ?? null;
  const status = (id: string) => state.nodes.get(id)?.status ?? "unknown";
  const instances = node.kind === "service" ? node.instances.map(({ id }) => state.instances.get(id)) : [];
  return {
    generated_at: time(now),
    node: nodeView(node, state.nodes.get(node.id), role(node.id), incidentsByNode(snapshot).get(node.id) ?? null, now),
    description: node.description,
    contact: team?.contact ?? null,
    links: { ...team?.links, ...node.links },
    place: { file: node.place.file, line: node.place.line },
    own_word: state.nodes.get(node.id)?.ownWord ?? null,
    format: instances.find((instance) => instance?.format)?.format ?? null,
    path: [...way.ids],
    ...(way.cut > 0 ? { path_cut: way.cut } : {}),
    instances:
      node.kind === "service"
        ? node.instances.map(({ id, url, shown }) => instanceView(id, shown ?? url, state.instances.get(id), now))
        : [],
    dependencies: node.kind === "service" ? node.edges.map((edge) => dependencyView(snapshot, node, edge, now)) : [],
    unmapped: node.kind === "service" ? unmappedViews(node, instances, now) : [],
    witnesses: incoming.map((edge) => ({
      from: edge.from,
      criticality: edge.criticality,
      ...statementView(state.edges.get(edgeKey(edge.from, edge.to)), now),
    })),
    dependents: incoming.map(({ from, criticality }) => ({ id: from, criticality, status: status(from), role: role(from) })),
    systems: [...map.systems.values()].flatMap((system) => {
      const member = system.members.find((candidate) => candidate.node === node.id);
      return member ? [{ id: system.id, name: system.name, criticality: member.criticality }] : [];
    }),
    cost: isPolled(node) ? costOf(node, instances) : null,
    last_answer: answer?.body
      ? { http_status: answer.httpStatus, latency_ms: tenths(answer.latencyMs), bytes: Buffer.byteLength(answer.body), text: answer.body }
      : null,
  };
}

function instanceView(id: string, url: string, state: InstanceState | undefined, now: number): wire.InstanceView {
  return {
    id,
    url: publicUrl(url),
    status: state?.damped.status ?? "unknown",
    outcome: state?.outcome ?? null,
    http_status: state?.httpStatus ?? null,
    format: state?.format ?? null,
    phase: state?.phase ?? null,
    latency_ms: tenthsOrNull(state?.latencyMs ?? null),
    last_poll: timeOrNull(state?.lastPollAt ?? null),
    age_ms: ageOf(state?.lastPollAt ?? null, now),
    error: state?.error ?? null,
  };
}

function statementView(edge: EdgeState | undefined, now: number): Omit<wire.WitnessView, "from" | "criticality"> {
  return {
    status: edge?.damped.raw ?? "unknown",
    damped: edge?.damped.status ?? "unknown",
    latency_ms: tenthsOrNull(edge?.latencyMs ?? null),
    checked_at: timeOrNull(edge?.checkedAt ?? null),
    age_ms: ageOf(edge?.checkedAt ?? null, now),
    error: edge?.error ?? null,
    counts: edge !== undefined && !edge.stale,
  };
}

function dependencyView(snapshot: Snapshot, service: ServiceNode, edge: Edge, now: number): wire.DependencyView {
  const { state } = snapshot;
  const words = (incomingEdges(snapshot.map).get(edge.to) ?? []).flatMap(({ from, to }) => {
    const other = from === service.id ? undefined : state.edges.get(edgeKey(from, to));
    return other && !other.stale ? [other.damped.raw] : [];
  });
  return {
    to: edge.to,
    criticality: edge.criticality,
    owner: edge.owner,
    reviewed: edge.reviewed,
    group: edge.group,
    need: edge.group === null ? null : (service.groups[edge.group]?.need ?? null),
    ...statementView(state.edges.get(edgeKey(edge.from, edge.to)), now),
    node_status: state.nodes.get(edge.to)?.status ?? "unknown",
    others: { up: words.filter((word) => word === "up").length, down: words.filter((word) => word === "down").length },
  };
}

/** Components that the report lists and the map does not; where instances differ, the worst word is shown. */
function unmappedViews(service: ServiceNode, instances: readonly (InstanceState | undefined)[], now: number): wire.NodeDetail["unmapped"] {
  const declared = new Set(service.edges.flatMap((edge) => edge.components));
  const found = new Map<string, wire.NodeDetail["unmapped"][number]>();
  for (const instance of instances)
    for (const component of instance?.components ?? []) {
      if (declared.has(component.name)) continue;
      const known = found.get(component.name);
      if ((known && BADNESS[known.status] >= BADNESS[component.status]) || (!known && found.size >= MAX_UNMAPPED)) continue;
      const sinceReport = ageOf(instance?.lastReportAt ?? null, now) ?? 0;
      found.set(component.name, {
        name: component.name,
        status: component.status,
        criticality: component.criticality ?? null,
        age_ms: component.computedAgeMs === null ? null : component.computedAgeMs + sinceReport,
        error: component.error ?? null,
      });
    }
  return [...found.values()];
}

const BADNESS: Readonly<Record<ComponentStatus, number>> = { up: 0, unknown: 1, degraded: 2, down: 3 };

/** What watching the service costs, and how late it can tell; the largest age seen makes that a lower bound. */
function costOf(service: ServiceNode, instances: readonly (InstanceState | undefined)[]): NonNullable<wire.NodeDetail["cost"]> {
  const ages = instances.flatMap((instance) => instance?.components.flatMap(({ computedAgeMs }) => computedAgeMs ?? []) ?? []);
  return {
    calls_per_second: Number((service.instances.length / (service.interval / 1_000)).toPrecision(6)),
    interval_ms: service.interval,
    timeout_ms: service.timeout,
    worst_staleness_ms: service.interval + service.timeout,
    worst_detection_ms: service.downAfter * service.interval + service.timeout,
    largest_component_age_ms: ages.length > 0 ? Math.max(...ages) : null,
  };
}
