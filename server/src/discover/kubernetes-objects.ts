import { child, items, type MapNodeTree, mapping, placeOf, type ScalarNode, scalar, type TreeNode, text, textOf } from "../config/tree.ts";
import { operatedBy } from "./kubernetes-operators.ts";

/** Objects of Kubernetes and of what speaks its manifests, sorted by what they are to us. */
export interface Objects {
  workloads: Workload[];
  services: ServiceObject[];
  /** Settings by `namespace/name`. */
  settings: Map<string, Settings>;
  /** What a mesh calls outside itself, or adds to its names. */
  entries: ServiceEntry[];
  /** Host name → name of the Service behind it, with its namespace. */
  hosts: { host: string; namespace: string; service: string }[];
  /** Databases, caches and queues that an operator runs. */
  operated: OperatedObject[];
  /** Jobs: they run and end, and serve nobody. */
  jobs: { name: string; where: string }[];
}

export interface Workload {
  kind: string;
  name: string;
  namespace: string;
  labels: ReadonlyMap<string, string>;
  /** Of the object itself: labels and annotations. */
  marks: ReadonlyMap<string, string>;
  containers: MapNodeTree[];
  initContainers: MapNodeTree[];
  /** Names of config maps and secrets that are mounted. */
  mounted: string[];
  document: MapNodeTree;
}

export interface ServiceObject {
  name: string;
  namespace: string;
  selector: ReadonlyMap<string, string>;
  externalName: string | null;
  ports: { port: number; target: string }[];
  document: MapNodeTree;
}

/** Istio's `ServiceEntry`: hosts that the mesh does not know of itself. */
export interface ServiceEntry {
  name: string;
  namespace: string;
  hosts: string[];
  ports: number[];
  document: MapNodeTree;
}

/** A database, cache or queue that an operator runs, and the Services that it makes before it. */
export interface OperatedObject {
  kind: string;
  name: string;
  namespace: string;
  resourceKind: string;
  hosts: string[];
  document: MapNodeTree;
}

/** A config map, or a secret, of which nothing but hosts in addresses may be taken. */
export interface Settings {
  secret: boolean;
  values: Map<string, ScalarNode>;
}

const JOBS = new Set(["Job", "CronJob"]);
const GATEWAY_ROUTES = new Set(["HTTPRoute", "GRPCRoute", "TLSRoute"]);
/** Containers that a mesh puts beside every workload: what they call is the mesh's business. */
const OF_THE_MESH = /^(?:istio-(?:proxy|init|validation)|linkerd-(?:proxy|init|network-validator)|consul-dataplane|kuma-(?:sidecar|init))$/;
const MOST_OBJECTS = 20_000;

export function isKubernetes(document: TreeNode): document is MapNodeTree {
  if (document.kind !== "map") return false;
  const [version, kind] = [text(document, "apiVersion"), text(document, "kind")];
  if (version === null || kind === null || version.startsWith("backstage.io/")) return false;
  return document.entries.has("metadata") || document.entries.has("items");
}

/** Sorts documents into what they are, with those inside a `List`. */
export function sortObjects(documents: readonly MapNodeTree[]): Objects {
  const all: Objects = { workloads: [], services: [], settings: new Map(), entries: [], hosts: [], operated: [], jobs: [] };
  // Aliases share nodes: what a file repeats by them counts once.
  const seen = new Set<TreeNode>();
  const take = (document: TreeNode): void => {
    if (document.kind !== "map" || seen.has(document) || seen.size >= MOST_OBJECTS) return;
    seen.add(document);
    const kind = text(document, "kind") ?? "";
    if (kind.endsWith("List")) for (const item of items(document, "items")) take(item);
    else sortOne(document, kind, all);
  };
  for (const document of documents) take(document);
  return all;
}

function sortOne(document: MapNodeTree, kind: string, all: Objects): void {
  const metadata = mapping(document, "metadata");
  const name = metadata && text(metadata, "name");
  if (!metadata || !name) return;
  const namespace = text(metadata, "namespace") ?? "";
  const spec = mapping(document, "spec");
  const version = text(document, "apiVersion") ?? "";
  const knative = version.startsWith("serving.knative.dev/");
  const operated = operatedBy(version, kind, name);
  if (kind === "Service" && !knative) all.services.push(serviceOf(document, name, namespace));
  else if (kind === "ConfigMap" || kind === "Secret") all.settings.set(`${namespace}/${name}`, settingsOf(document, kind === "Secret"));
  else if (kind === "Ingress" && spec) all.hosts.push(...hostsOf(spec, namespace));
  else if (kind === "Route" && spec) all.hosts.push(...hostOfRoute(spec, namespace));
  else if (GATEWAY_ROUTES.has(kind) && spec) all.hosts.push(...hostsOfGateway(spec, namespace));
  else if (kind === "VirtualService" && spec) all.hosts.push(...hostsOfRoutes(spec, namespace));
  else if (kind === "ServiceEntry" && spec) all.entries.push(entryOf(document, spec, name, namespace));
  else if (operated) all.operated.push({ kind, name, namespace, ...operated, document });
  else if (JOBS.has(kind) || (kind === "Pod" && runsOnce(metadata, spec))) all.jobs.push({ name, where: whereIs(document) });
  else {
    const pod = kind === "Pod" ? spec : spec && down(spec, ["template", "spec"]);
    if (!pod || items(pod, "containers").length === 0) return;
    const template = kind === "Pod" ? document : (spec && mapping(spec, "template")) || document;
    const labels = textsOf(down(template, ["metadata", "labels"]));
    const marks = new Map([...textsOf(mapping(metadata, "annotations")), ...textsOf(mapping(metadata, "labels"))]);
    const body = (key: string) =>
      items(pod, key).flatMap((item) => (item.kind === "map" && !OF_THE_MESH.test(text(item, "name") ?? "") ? [item] : []));
    all.workloads.push({
      kind,
      name,
      namespace,
      labels,
      marks,
      containers: body("containers"),
      initContainers: body("initContainers"),
      mounted: mountedBy(pod),
      document,
    });
  }
}

/** A bare pod that is not started again when it ends, or that a release runs at some step, such as a chart's test. */
function runsOnce(metadata: MapNodeTree, spec: MapNodeTree | null): boolean {
  const hook = [...textsOf(mapping(metadata, "annotations")).keys()].some((key) => /^(?:helm\.sh|argocd\.argoproj\.io)\/hook$/.test(key));
  const restart = spec && text(spec, "restartPolicy");
  return hook || restart === "Never" || restart === "OnFailure";
}

export function whereIs(document: MapNodeTree): string {
  const name = mapping(document, "metadata") && scalar(mapping(document, "metadata") as MapNodeTree, "name");
  const { file, line } = placeOf(name ?? document);
  return `${file}:${line}`;
}

function serviceOf(document: MapNodeTree, name: string, namespace: string): ServiceObject {
  const spec = mapping(document, "spec") ?? document;
  const ports = items(spec, "ports").flatMap((item) => {
    const port = item.kind === "map" ? Number(text(item, "port")) : Number.NaN;
    return item.kind === "map" && Number.isInteger(port) ? [{ port, target: text(item, "targetPort") ?? String(port) }] : [];
  });
  const externalName = text(spec, "type") === "ExternalName" ? text(spec, "externalName") : null;
  return { name, namespace, selector: textsOf(mapping(spec, "selector")), externalName, ports, document };
}

function settingsOf(document: MapNodeTree, secret: boolean): Settings {
  const values = new Map<string, ScalarNode>();
  for (const key of ["data", "stringData"]) {
    const data = mapping(document, key);
    for (const name of data?.entries.keys() ?? []) {
      const value = data && scalar(data, name);
      if (value) values.set(name, secret && key === "data" ? { ...value, value: decoded(textOf(value)) } : value);
    }
  }
  return { secret, values };
}

const decoded = (value: string) => Buffer.from(value.slice(0, 100_000), "base64").toString("utf8");

/** Hosts of an Ingress with the Service behind each, in the present form and the one before. */
function hostsOf(spec: MapNodeTree, namespace: string): Objects["hosts"] {
  return items(spec, "rules").flatMap((rule) => {
    const host = rule.kind === "map" ? text(rule, "host") : null;
    const http = rule.kind === "map" ? mapping(rule, "http") : null;
    if (!host || !http || host.includes("*")) return [];
    const backends = items(http, "paths").flatMap((path) => (path.kind === "map" ? (mapping(path, "backend") ?? []) : []));
    const names = backends.flatMap((backend) => text(mapping(backend, "service") ?? backend, "name") ?? text(backend, "serviceName") ?? []);
    // One host before several services names none of them.
    return new Set(names).size === 1 && names[0] !== undefined ? [{ host, namespace, service: names[0] }] : [];
  });
}

/** The host of OpenShift's `Route`, with the Service behind it. */
function hostOfRoute(spec: MapNodeTree, namespace: string): Objects["hosts"] {
  const host = text(spec, "host");
  const service = text(mapping(spec, "to") ?? spec, "name");
  return host && service && items(spec, "alternateBackends").length === 0 ? [{ host, namespace, service }] : [];
}

/** Hosts of a route of the Gateway API with the Service that all its rules lead to. */
function hostsOfGateway(spec: MapNodeTree, namespace: string): Objects["hosts"] {
  const backends = items(spec, "rules").flatMap((rule) => (rule.kind === "map" ? items(rule, "backendRefs") : []));
  const targets = backends.flatMap((backend) =>
    backend.kind === "map" ? [`${text(backend, "name") ?? ""}/${text(backend, "namespace") ?? namespace}`] : [],
  );
  const [service = "", there = namespace] = (targets[0] ?? "").split("/");
  if (new Set(targets).size !== 1 || service === "") return [];
  return hostNamesIn(spec, "hostnames").map((host) => ({ host, namespace: there, service }));
}

/** Hosts of Istio's `VirtualService` with the Service that all its routes lead to. */
function hostsOfRoutes(spec: MapNodeTree, namespace: string): Objects["hosts"] {
  const routes = ["http", "tls", "tcp"]
    .flatMap((key) => items(spec, key))
    .flatMap((rule) => (rule.kind === "map" ? items(rule, "route") : []));
  const targets = routes.flatMap((route) => (route.kind === "map" ? (text(mapping(route, "destination") ?? route, "host") ?? []) : []));
  const [first = ""] = targets;
  const [service = "", there = namespace] = first.split(".");
  if (new Set(targets).size !== 1) return [];
  return hostNamesIn(spec).map((host) => ({ host, namespace: there, service }));
}

/** The hosts under a key that are no pattern. */
const hostNamesIn = (spec: MapNodeTree, key = "hosts") =>
  items(spec, key).flatMap((item) => (item.kind === "scalar" && !textOf(item).includes("*") ? [textOf(item)] : []));

function entryOf(document: MapNodeTree, spec: MapNodeTree, name: string, namespace: string): ServiceEntry {
  const ports = items(spec, "ports").flatMap((port) => (port.kind === "map" ? [Number(text(port, "number"))] : []));
  return { name, namespace, hosts: hostNamesIn(spec), ports, document };
}

function mountedBy(pod: MapNodeTree): string[] {
  return items(pod, "volumes").flatMap((volume) => {
    if (volume.kind !== "map") return [];
    const [map, secret] = [mapping(volume, "configMap"), mapping(volume, "secret")];
    return [map && text(map, "name"), secret && text(secret, "secretName")].filter((name): name is string => typeof name === "string");
  });
}

export function down(from: MapNodeTree, path: readonly string[]): MapNodeTree | null {
  return path.reduce<MapNodeTree | null>((at, key) => at && mapping(at, key), from);
}

function textsOf(map: MapNodeTree | null): Map<string, string> {
  const found = new Map<string, string>();
  for (const key of map?.entries.keys() ?? []) {
    const value = map && child(map, key);
    if (value?.kind === "scalar") found.set(key, textOf(value));
  }
  return found;
}
