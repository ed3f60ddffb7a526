import type {
  Edge,
  Maintenance,
  MapNode,
  Redundancy,
  ResourceNode,
  ServiceNode,
  System,
  SystemMap,
} from "../../../server/src/domain/map.ts";
import type { Component, Observation, Report } from "../../../server/src/domain/observation.ts";
import type { ComponentStatus, Criticality, Outcome, Phase, Status } from "../../../server/src/domain/status.ts";
import { ANSWERED } from "../../support/answered.ts";

const place = { file: "map/test.yaml", line: 1, column: 1 };

/** The epoch second from which the tests count: any moment but zero. */
export const T0 = 1_790_000_000_000;
/** `at(30)`: thirty seconds into the test. */
export const at = (seconds: number): number => T0 + seconds * 1_000;

/** `"db"` is a hard edge, `"db?"` soft, `"db~"` informational. */
export type EdgeText = string;

function edge(from: string, text: EdgeText, more: Partial<Edge> = {}): Edge {
  const criticality: Criticality = text.endsWith("?") ? "soft" : text.endsWith("~") ? "informational" : "hard";
  const to = text.replace(/[?~]$/, "");
  return { from, to, criticality, owner: null, reviewed: null, components: [to], group: null, place, ...more };
}

const common = (id: string) => ({ id, name: id, description: null, team: null, tags: {}, links: {}, renamedFrom: null, place });

/** A service polled every 10 s with a timeout of 2 s and flip_after 3, unless told otherwise. */
export function service(
  id: string,
  needs: readonly EdgeText[] = [],
  more: Partial<ServiceNode> & { count?: number; alternatives?: readonly { on: readonly EdgeText[]; need: number }[] } = {},
): ServiceNode {
  const { count = 1, alternatives = [], ...rest } = more;
  const groups: Redundancy[] = [];
  const edges = needs.map((text) => edge(id, text));
  for (const { on, need } of alternatives) {
    const members = on.map((text) => edge(id, text, { group: groups.length }));
    groups.push({ members: members.map(({ to }) => to), need, criticality: members[0]?.criticality ?? "hard" });
    edges.push(...members);
  }
  const instances = Array.from({ length: count }, (_, n) => ({
    id: count === 1 ? id : `${id}#${n}`,
    service: id,
    url: `http://${id}-${n}.test:8080/health/deep`,
  }));
  return {
    ...common(id),
    kind: "service",
    instances,
    need: Math.ceil(count / 2),
    interval: 10_000,
    timeout: 2_000,
    downAfter: 3,
    upAfter: 3,
    maxAge: 60_000,
    componentMaxAge: 60_000,
    format: "auto",
    maxBody: 262_144,
    headers: {},
    references: [],
    tls: null,
    edges,
    groups,
    ...rest,
  };
}

export function resource(id: string): ResourceNode {
  return { ...common(id), kind: "resource", resourceKind: "database" };
}

/** `members` as edge texts. */
export function system(id: string, members: readonly EdgeText[]): System {
  return {
    id,
    name: id,
    description: null,
    public: false,
    team: null,
    members: members.map((text) => {
      const { to, criticality } = edge(id, text);
      return { node: to, criticality, place };
    }),
    place,
  };
}

export function mapOf(
  nodes: readonly MapNode[],
  more: { systems?: readonly System[]; maintenance?: readonly Maintenance[] } = {},
): SystemMap {
  return {
    nodes: new Map(nodes.map((node) => [node.id, node])),
    systems: new Map((more.systems ?? []).map((one) => [one.id, one])),
    teams: new Map(),
    maintenance: more.maintenance ?? [],
  };
}

export function poll(service: string, seconds: number, more: Partial<Observation> = {}): Observation {
  return {
    service,
    instance: service,
    at: at(seconds),
    latencyMs: 8,
    ...ANSWERED,
    report: { status: "healthy", components: [] },
    ...more,
  };
}

type Words = Readonly<Record<string, ComponentStatus | Partial<Component>>>;

/** A poll that brought a report: a status, and a word or more for each component. */
export function says(
  service: string,
  seconds: number,
  status: Status,
  words: Words = {},
  more: Partial<Observation> & { phase?: Phase; word?: Status | null; failuresOnly?: boolean } = {},
): Observation {
  const { phase, word, failuresOnly, ...rest } = more;
  const components = Object.entries(words).map(
    ([name, one]): Component => (typeof one === "string" ? { name, status: one } : { name, status: "up", ...one }),
  );
  const report: Report = {
    status,
    components,
    ...(phase ? { phase } : {}),
    ...(word === undefined ? {} : { word }),
    ...(failuresOnly ? { failuresOnly } : {}),
  };
  return poll(service, seconds, { report, httpStatus: status === "unhealthy" ? 503 : 200, ...rest });
}

/** A poll that brought none. */
export function fails(service: string, seconds: number, outcome: Outcome = "timeout", more: Partial<Observation> = {}): Observation {
  return poll(service, seconds, { outcome, report: null, httpStatus: null, format: null, ...more });
}
