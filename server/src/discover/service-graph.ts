import { child, items, type MapNodeTree, mapping, placeOf, scalar, type TreeNode, text, textOf } from "../config/tree.ts";
import { type Drafts, type EdgeDraft, noDrafts, type SourceKind } from "./graph.ts";
import { isTelemetry, kindOfWord } from "./technology.ts";

/** One edge as a trace backend counts it. */
interface Call {
  client: string;
  server: string;
  /** database, messaging_system, virtual_node, or nothing. */
  type: string;
  calls: number;
  where: string;
}

const METRIC = /(?:^|[._])(?:traces[._])?service[._]graph[._]request[._]total$/;
const MOST_EDGES = 200_000;

/** Whether a text is metrics in which a service graph stands. */
export const isServiceGraphText = (text: string) => /^\s*[\w:]*service_graph_request_total\{/m.test(text);

/** The counters of OpenTelemetry's service-graph connector, in the text format of Prometheus. */
export function readServiceGraphText(text: string, file: string): Drafts {
  const calls: Call[] = [];
  let line = 0;
  for (const row of text.split("\n")) {
    line++;
    const [, metric = "", labels = "", value] = /^\s*([\w:]+)\{(.*)\}\s+(\S+)(?:\s+-?\d+)?\s*(?:#.*)?$/.exec(row) ?? [];
    if (value === undefined || !METRIC.test(metric)) continue;
    const read = new Map(
      [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name = "", raw = ""]) => [
        name,
        raw.replace(/\\(.)/g, (_, c: string) => (c === "n" ? "\n" : c)),
      ]),
    );
    const [client, server] = [read.get("client"), read.get("server")];
    if (client && server && calls.length < MOST_EDGES)
      calls.push({ client, server, type: read.get("connection_type") ?? "", calls: Number(value), where: `${file}:${line}` });
  }
  return draftsOf(calls, "service-graph");
}

/** Whether a JSON or YAML value is a service graph; `null` where it is none. */
export function serviceGraphCalls(document: TreeNode): Call[] | null {
  const found = document.kind === "map" ? (fromQuery(document) ?? fromOtlp(document)) : fromFlatList(document);
  return found && found.length > MOST_EDGES ? found.slice(0, MOST_EDGES) : found;
}

export const readServiceGraph = (calls: readonly Call[]) => draftsOf(calls, "service-graph");

const lineOf = (node: TreeNode) => {
  const { file, line } = placeOf(node);
  return `${file}:${line}`;
};

/** The answer of Prometheus' query API, instant or over a range. */
function fromQuery(document: MapNodeTree): Call[] | null {
  const data = mapping(document, "data");
  const results = (data && items(data, "result")) ?? [];
  const found = results.flatMap((result) => {
    const metric = result.kind === "map" ? mapping(result, "metric") : null;
    if (!metric || result.kind !== "map" || !metric.entries.has("client") || !metric.entries.has("server")) return [];
    const last = items(result, "values").at(-1) ?? child(result, "value");
    const number = last?.kind === "list" ? last.items[1] : null;
    return callOf(metric, number ?? null);
  });
  return found.length > 0 ? found : null;
}

function callOf(labels: MapNodeTree, value: TreeNode | null): Call[] {
  const [client, server] = [text(labels, "client"), text(labels, "server")];
  if (!client || !server) return [];
  return [
    {
      client,
      server,
      type: text(labels, "connection_type") ?? "",
      calls: value?.kind === "scalar" ? Number(textOf(value)) : Number.NaN,
      where: lineOf(labels),
    },
  ];
}

/** Metrics as OTLP writes them in JSON. */
function fromOtlp(document: MapNodeTree): Call[] | null {
  if (!document.entries.has("resourceMetrics")) return null;
  const maps = (nodes: readonly TreeNode[]) => nodes.flatMap((node) => (node.kind === "map" ? [node] : []));
  const metrics = maps(items(document, "resourceMetrics"))
    .flatMap((part) => maps(items(part, "scopeMetrics")))
    .flatMap((part) => maps(items(part, "metrics")));
  const sums = metrics.filter((metric) => METRIC.test(text(metric, "name") ?? "")).flatMap((metric) => mapping(metric, "sum") ?? []);
  return sums
    .flatMap((sum) => maps(items(sum, "dataPoints")))
    .flatMap((point) => {
      const values = new Map(maps(items(point, "attributes")).map((attribute) => [text(attribute, "key"), mapping(attribute, "value")]));
      const word = (name: string) => {
        const value = values.get(name);
        return value ? text(value, "stringValue") : null;
      };
      const [client, server] = [word("client"), word("server")];
      const number = Number(text(point, "asInt") ?? text(point, "asDouble"));
      return client && server ? [{ client, server, type: word("connection_type") ?? "", calls: number, where: lineOf(point) }] : [];
    });
}

/** A list of `{ client, server, … }`, as a script would write them. */
function fromFlatList(document: TreeNode): Call[] | null {
  if (document.kind !== "list") return null;
  const found = document.items.flatMap((item) => {
    if (item.kind !== "map") return [];
    const labels = mapping(item, "labels") ?? mapping(item, "metric") ?? item;
    const value = ["value", "calls", "count", "callCount"].map((key) => child(item, key)).find((node) => node !== null) ?? null;
    return callOf(labels, value?.kind === "list" ? (value.items[1] ?? null) : value);
  });
  return found.length > 0 ? found : null;
}

/** Jaeger's dependencies, `{ data: [ { parent, child, callCount } ] }`, and Zipkin's, the list alone. Null for any other value. */
export function dependencyCalls(document: TreeNode): Call[] | null {
  const list =
    document.kind === "list"
      ? document.items
      : document.kind === "map"
        ? (
            ["data", "dependencies"].map((key) => child(document, key)).find((node) => node?.kind === "list") as
              | { items: TreeNode[] }
              | undefined
          )?.items
        : undefined;
  if (!list) return null;
  const found = list.slice(0, MOST_EDGES).flatMap((item) => {
    if (item.kind !== "map") return [];
    const [parent, to] = [text(item, "parent"), text(item, "child")];
    const count = scalar(item, "callCount");
    return parent && to
      ? [{ client: parent, server: to, type: "", calls: count ? Number(textOf(count)) : Number.NaN, where: lineOf(item) }]
      : [];
  });
  // An empty answer is one too: nothing was traced in the time that was asked for.
  const empty = list.length === 0 && document.kind === "map" && document.entries.has("data");
  return found.length > 0 || empty ? found : null;
}

export const readDependencies = (calls: readonly Call[]) => draftsOf(calls, "jaeger");

/** A caller that no trace begins in: the users, not a node. */
const isUser = (name: string) => /^(?:user|users|client|unknown|anonymous|browser|<unknown>|unknown_service.*)$/i.test(name);

function draftsOf(calls: readonly Call[], source: SourceKind): Drafts {
  const drafts = noDrafts();
  const nodes = new Map<string, { kind: "service" | "resource"; resourceKind: string | null; where: string }>();
  const edges = new Map<string, EdgeDraft>();
  const unknown = new Map<string, string>();
  const see = (name: string, kind: "service" | "resource", resourceKind: string | null, where: string) => {
    const before = nodes.get(name);
    // Whoever calls others is a service, whatever its name.
    if (!before || (before.kind === "resource" && kind === "service")) nodes.set(name, { kind, resourceKind, where });
  };
  for (const { client, server, type, calls: count, where } of calls) {
    if (isUser(server)) unknown.set(server, where);
    if (isUser(client) || isUser(server) || client === server) {
      if (!isUser(server)) see(server, "service", null, where);
      continue;
    }
    // A counter that never moved is an edge that nobody used.
    if (count <= 0) continue;
    see(client, "service", null, where);
    const resourceKind =
      type === "database"
        ? (kindOfWord(server) ?? "database")
        : type === "virtual_node"
          ? (kindOfWord(server) ?? (server.includes(".") ? "external-api" : null))
          : isTelemetry(server)
            ? null
            : kindOfWord(server);
    const kind = type === "database" || (type !== "messaging_system" && resourceKind !== null) ? "resource" : "service";
    see(server, kind, resourceKind, where);
    const key = `${client}\0${server}`;
    const counted = Number.isFinite(count) ? Math.round(count) : null;
    const known = edges.get(key);
    if (known) known.calls = known.calls === null && counted === null ? null : (known.calls ?? 0) + (counted ?? 0);
    else
      edges.set(key, {
        from: client,
        to: { name: server, kind, resourceKind, exists: "always" },
        criticality: null,
        component: null,
        calls: counted,
        message: type === "messaging_system",
        evidence: { source, where, what: type === "" ? "calls" : `calls, ${type}` },
        confidence: "certain",
      });
    if (known && type !== "messaging_system") known.message = false;
  }
  for (const [name, { kind, resourceKind, where }] of nodes)
    drafts.nodes.push({
      name,
      kind,
      resourceKind,
      aliases: [],
      address: null,
      team: null,
      title: null,
      description: null,
      evidence: { source, where, what: "traced" },
      confidence: "certain",
    });
  // One by one: so many arguments would not fit on the stack.
  for (const edge of edges.values()) drafts.edges.push(edge);
  for (const [name, where] of unknown) drafts.leftOut.push({ name, where, why: "no name of a node: what was called was not traced" });
  return drafts;
}
