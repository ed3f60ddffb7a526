import { child, items, type MapNodeTree, mapping, scalar, type TreeNode, text } from "../tree.ts";

/** One container of a manifest with what is needed to judge its probes. */
export interface Container {
  workload: string;
  /** Names under which it may ask itself: its own, and that of a stateful set's service. */
  names: readonly string[];
  kind: string;
  cloudRun: boolean;
  /** An init container that goes on running beside the others, and so may have probes. */
  sidecar: boolean;
  body: MapNodeTree;
}

/** What the entries of a list are, where they do not say it themselves. */
interface Listed {
  version: string | null;
  kind: string;
}

/** All containers of one document, also of those inside a `List` or a `DeploymentList`; what aliases repeat counts once. */
export function containersOf(document: TreeNode, listed: Listed = { version: null, kind: "" }, seen = new Set<TreeNode>()): Container[] {
  if (document.kind !== "map" || seen.has(document)) return [];
  seen.add(document);
  const version = text(document, "apiVersion") ?? listed.version;
  const kind = text(document, "kind") ?? listed.kind;
  if (kind.endsWith("List")) {
    const each = { version, kind: kind.slice(0, -"List".length) };
    return items(document, "items").flatMap((item) => containersOf(item, each, seen));
  }
  const spec = podSpec(document, kind);
  const workload = text(mapping(document, "metadata") ?? document, "name") ?? "";
  if (!spec || version === null) return [];
  const cloudRun = isCloudRun(document, version);
  const names = [workload, text(mapping(document, "spec") ?? document, "serviceName")].filter(
    (name): name is string => name !== null && name !== "",
  );
  const container = (body: TreeNode, sidecar: boolean) => (body.kind === "map" ? [{ workload, names, kind, cloudRun, sidecar, body }] : []);
  const sidecars = items(spec, "initContainers").filter((body) => body.kind === "map" && text(body, "restartPolicy") === "Always");
  return [...items(spec, "containers").flatMap((body) => container(body, false)), ...sidecars.flatMap((body) => container(body, true))];
}

function podSpec(document: MapNodeTree, kind: string): MapNodeTree | null {
  const spec = mapping(document, "spec");
  if (!spec) return null;
  if (kind === "Pod") return spec;
  const inside = kind === "CronJob" ? down(spec, ["jobTemplate", "spec", "template", "spec"]) : down(spec, ["template", "spec"]);
  // A job of Cloud Run wraps its task once more.
  return inside && (mapping(inside, "template") ? (down(inside, ["template", "spec"]) ?? inside) : inside);
}

function down(from: MapNodeTree, path: readonly string[]): MapNodeTree | null {
  return path.reduce<MapNodeTree | null>((at, key) => at && mapping(at, key), from);
}

/** Cloud Run speaks Knative's manifests; what only Knative itself understands tells them apart. */
function isCloudRun(document: MapNodeTree, version: string): boolean {
  if (version.startsWith("run.googleapis.com/")) return true;
  if (!version.startsWith("serving.knative.dev/")) return false;
  const metadata = mapping(document, "metadata");
  const keys = ["annotations", "labels"].flatMap((key) => [...((metadata && mapping(metadata, key))?.entries.keys() ?? [])]);
  return keys.some((key) => key.includes("googleapis.com/")) || !keys.some((key) => key.includes("networking.knative.dev/"));
}

/** A probe with Kubernetes' defaults filled in; times are seconds. */
export interface Probe {
  key: "livenessProbe" | "readinessProbe" | "startupProbe";
  body: MapNodeTree;
  /** Line of the probe's key. */
  line: number;
  http: MapNodeTree | null;
  path: string | null;
  period: number;
  threshold: number;
  delay: number;
  /** Null where none is set; then it is one second. */
  timeout: number | null;
}

export function probeOf(container: MapNodeTree, key: Probe["key"]): Probe | null {
  const body = mapping(container, key);
  const entry = container.entries.get(key);
  if (!body || !entry) return null;
  const http = mapping(body, "httpGet");
  return {
    key,
    body,
    line: body.origin.place(entry.at).line,
    http,
    path: http ? (text(http, "path") ?? "/") : null,
    period: numberOf(body, "periodSeconds") ?? 10,
    threshold: numberOf(body, "failureThreshold") ?? 3,
    delay: numberOf(body, "initialDelaySeconds") ?? 0,
    timeout: numberOf(body, "timeoutSeconds"),
  };
}

function numberOf(map: MapNodeTree, key: string): number | null {
  const node = scalar(map, key);
  const value = node ? Number(node.value) : Number.NaN;
  return node && node.value !== "" && Number.isFinite(value) ? value : null;
}

/** Ports that a container lists, by name and number; null where it lists none. */
export function portsOf(container: MapNodeTree): { names: ReadonlyMap<string, number>; numbers: ReadonlySet<number> } | null {
  const list = items(container, "ports");
  if (list.length === 0) return null;
  const names = new Map<string, number>();
  const numbers = new Set<number>();
  for (const port of list) {
    if (port.kind !== "map") continue;
    const number = numberOf(port, "containerPort");
    const name = text(port, "name");
    if (number === null) continue;
    numbers.add(number);
    if (name !== null) names.set(name, number);
  }
  return { names, numbers };
}

/** The plain values of a container's environment, with where they stand. */
export function environmentOf(container: MapNodeTree): Map<string, { value: string; at: TreeNode }> {
  const values = new Map<string, { value: string; at: TreeNode }>();
  for (const item of items(container, "env")) {
    if (item.kind !== "map") continue;
    const [name, value] = [text(item, "name"), text(item, "value")];
    if (name !== null && value !== null) values.set(name, { value, at: item });
  }
  return values;
}

/** The value of a key where it is text or a list of texts. */
export function commandOf(map: MapNodeTree, key: string) {
  const node = child(map, key);
  const all = node?.kind === "list" ? node.items : node ? [node] : [];
  return all.flatMap((item) => (item.kind === "scalar" && item.value !== null ? [item] : []));
}
