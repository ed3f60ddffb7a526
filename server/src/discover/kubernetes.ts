import { child, items, type MapNodeTree, mapping, placeOf, type ScalarNode, scalar, text, textOf } from "../config/tree.ts";
import { type Mention, mentionsInCommand } from "./addresses.ts";
import { targetOf } from "./compose.ts";
import { type Drafts, type EdgeDraft, type FoundAddress, type NodeDraft, noDrafts } from "./graph.ts";
import { looksDeep } from "./health.ts";
import { Namespaces } from "./kubernetes-names.ts";
import {
  down,
  type Objects,
  type OperatedObject,
  type ServiceEntry,
  type ServiceObject,
  type Settings,
  sortObjects,
  type Workload,
  whereIs,
} from "./kubernetes-objects.ts";
import { kindOfImage, kindOfPort, kindOfWord } from "./technology.ts";
import { mentionsInValue, type PlacedMention } from "./text.ts";

/** Workloads, the Services before them, and whom their environment and settings name. All documents of a run at once: they refer to each other. */
export function readKubernetes(documents: readonly MapNodeTree[]): Drafts {
  const drafts = noDrafts();
  const objects = sortObjects(documents);
  const behind = new Set<ServiceObject>();
  const pairs = objects.workloads.map((workload) => ({
    workload,
    services: objects.services.filter((service) => selects(service, workload)),
  }));
  const sizes = new Map<ServiceObject, number>();
  for (const { services } of pairs) for (const service of services) sizes.set(service, (sizes.get(service) ?? 0) + 1);
  const named = pairs.map(({ workload, services }) => {
    for (const service of services) behind.add(service);
    const naming = namingServices(workload, services, sizes);
    const name = naming.find((service) => isVersionOf(workload.name, service))?.name ?? workload.name;
    return { workload: { ...workload, name }, naming };
  });
  const alone = objects.services.filter((service) => !behind.has(service));
  const namespaces = new Namespaces([
    ...named.flatMap(({ workload, naming }) => [workload, ...naming]),
    ...alone,
    ...objects.operated.flatMap(({ name, hosts, namespace }) => [name, ...hosts].map((known) => ({ name: known, namespace }))),
  ]);
  const take = (node: NodeDraft, namespace: string) =>
    drafts.nodes.push({
      ...node,
      name: namespaces.nameOf(node.name, namespace),
      aliases: node.aliases.map((alias) => namespaces.nameOf(alias, namespace)),
    });
  for (const { workload, naming } of named) {
    take(nodeOf(workload, naming, objects), workload.namespace);
    for (const edge of edgesOf(workload, objects)) {
      const to = { ...edge.to, name: namespaces.hostFrom(workload.namespace, edge.to.name) };
      drafts.edges.push({ ...edge, from: namespaces.nameOf(edge.from, workload.namespace), to });
    }
  }
  for (const service of alone) take(nodeOfService(service), service.namespace);
  for (const operated of objects.operated) take(nodeOfOperated(operated), operated.namespace);
  for (const entry of objects.entries) {
    if (entry.hosts.length > 0) drafts.nodes.push(nodeOfEntry(entry));
    else drafts.leftOut.push({ name: entry.name, where: whereIs(entry.document), why: "a ServiceEntry without a host that is no pattern" });
  }
  for (const { name, where } of objects.jobs)
    drafts.leftOut.push({ name, where, why: "a job: it runs and ends, and nobody needs its answer" });
  return drafts;
}

function selects({ selector, namespace }: ServiceObject, workload: Workload): boolean {
  if (selector.size === 0 || namespace !== workload.namespace) return false;
  return [...selector].every(([key, value]) => workload.labels.get(key) === value);
}

const VERSION = /^-(?:v?\d+(?:[.-]\d+)*|blue|green|canary|stable|primary)$/i;

/** Versions behind one Service, such as `reviews-v1` and `reviews-v2`, are one node, named as others call it. */
const isVersionOf = (name: string, service: ServiceObject) =>
  name.startsWith(`${service.name}-`) && VERSION.test(name.slice(service.name.length));

/** The Services that lead to this workload alone, or to versions of it: one that gathers many, as for scraping, names none. */
const namingServices = ({ name }: Workload, services: readonly ServiceObject[], sizes: ReadonlyMap<ServiceObject, number>) =>
  services.filter((service) => sizes.get(service) === 1 || service.name === name || isVersionOf(name, service));

/** What says which team something belongs to. */
const TEAM_MARK = /(?:^|\/)(?:team|owner|squad|owned-by)$/i;

function nodeOf(workload: Workload, services: readonly ServiceObject[], objects: Objects): NodeDraft {
  const image = workload.containers.map((container) => text(container, "image") ?? "").find((name) => name !== "") ?? "";
  const resourceKind = kindOfImage(image);
  const names = services.map(({ name }) => name);
  const hosts = objects.hosts
    .filter(({ namespace, service }) => namespace === workload.namespace && names.includes(service))
    .map(({ host }) => host);
  return {
    name: workload.name,
    kind: resourceKind ? "resource" : "service",
    resourceKind,
    aliases: [...names, ...hosts].filter((name) => name !== workload.name),
    address: resourceKind ? null : addressOf(workload, services),
    team: [...workload.marks].find(([key, value]) => TEAM_MARK.test(key) && value !== "")?.[1] ?? null,
    title: null,
    description: null,
    evidence: { source: "kubernetes", where: whereIs(workload.document), what: workload.kind },
    confidence: "certain",
  };
}

/** A Service before nothing that we were shown: an ExternalName, one with endpoints made by hand, or half of the manifests. */
function nodeOfService({ name, namespace, selector, externalName, ports, document }: ServiceObject): NodeDraft {
  const [port] = ports;
  const resourceKind = kindOfWord(name) ?? (externalName && kindOfHost(externalName)) ?? (port ? kindOfPort(port.port) : null);
  const outside = externalName !== null || selector.size === 0;
  const kind = resourceKind !== null || outside ? "resource" : "service";
  return {
    name,
    kind,
    resourceKind: resourceKind ?? (outside ? "external-api" : null),
    aliases: [...(externalName ? [externalName] : []), ...(namespace === "" ? [] : [`${name}.${namespace}`])],
    address: null,
    team: null,
    title: null,
    description: null,
    evidence: {
      source: "kubernetes",
      where: whereIs(document),
      what: externalName ? "Service, ExternalName" : "Service without a workload here",
    },
    confidence: "likely",
  };
}

/** What an operator runs, known by the name of its resource and by the Services that the operator makes. */
function nodeOfOperated({ kind, name, hosts, resourceKind, document }: OperatedObject): NodeDraft {
  return {
    name,
    kind: "resource",
    resourceKind,
    aliases: hosts.filter((host) => host !== name),
    address: null,
    team: null,
    title: null,
    description: null,
    evidence: { source: "kubernetes", where: whereIs(document), what: `${kind}, run by an operator` },
    confidence: "certain",
  };
}

/** A host that a mesh calls outside itself, known by each of its names. */
function nodeOfEntry({ name, hosts, ports, document }: ServiceEntry): NodeDraft {
  const [host = name] = hosts;
  return {
    name,
    kind: "resource",
    resourceKind: kindOfHost(host) ?? kindOfWord(name) ?? ports.map(kindOfPort).find((kind) => kind !== null) ?? "external-api",
    aliases: hosts.filter((other) => other !== name),
    address: null,
    team: null,
    title: null,
    description: null,
    evidence: { source: "kubernetes", where: whereIs(document), what: `ServiceEntry, ${host}` },
    confidence: "likely",
  };
}

/** Managed databases and caches, by the domains under which they are sold. */
function kindOfHost(host: string): string | null {
  if (
    /\.(?:rds|docdb|redshift|neptune)(?:\.[\w-]+)?\.amazonaws\.com$|\.(?:database|postgres\.database|mysql\.database|documents)\.(?:windows\.net|azure\.com)$|\.mongodb\.net$/i.test(
      host,
    )
  )
    return "database";
  if (/\.cache\.(?:amazonaws\.com|windows\.net)$|\.(?:elasticache)\.|\.redis\.cache\./i.test(host)) return "cache";
  return /\.(?:kafka|mq)\.[\w-]+\.amazonaws\.com$|\.servicebus\.windows\.net$/i.test(host) ? "queue" : null;
}

/** What a probe asks, as others in the cluster would: through the Service that leads to the probe's port. */
function addressOf({ containers, name }: Workload, services: readonly ServiceObject[]): FoundAddress | null {
  const found: FoundAddress[] = [];
  for (const container of containers) {
    for (const key of ["readinessProbe", "startupProbe", "livenessProbe"]) {
      const probe = down(container, [key, "httpGet"]);
      const path = probe && (text(probe, "path") ?? "/");
      if (!probe || !path) continue;
      const asked = text(probe, "port") ?? "";
      const number = numberOf(container, asked);
      for (const service of services) {
        const port = service.ports.find(
          ({ target }) => target === asked || Number(target) === number || numberOf(container, target) === number,
        );
        if (!port) continue;
        const scheme = (text(probe, "scheme") ?? "HTTP").toLowerCase() === "https" ? "https" : "http";
        const host = service.namespace === "" ? service.name : `${service.name}.${service.namespace}`;
        const shown = port.port === (scheme === "https" ? 443 : 80) ? "" : `:${port.port}`;
        const { file, line } = placeOf(probe);
        const clean = path.replace(/[?#].*$/s, "").replace(/^\/?/, "/");
        if (URL.canParse(`${scheme}://${host}${shown}${clean}`))
          found.push({
            url: `${scheme}://${host}${shown}${clean}`,
            deep: looksDeep(clean) && name !== "",
            from: `${key}, ${file}:${line}`,
            headers: [],
          });
        break;
      }
    }
  }
  return found.find(({ deep }) => deep) ?? found[0] ?? null;
}

/** The number behind a port's name in a container; the number itself where it is one. */
function numberOf(container: MapNodeTree, port: string): number | null {
  if (/^\d+$/.test(port)) return Number(port);
  const named = items(container, "ports").find((item) => item.kind === "map" && text(item, "name") === port);
  return named?.kind === "map" ? Number(text(named, "containerPort")) : null;
}

function edgesOf(workload: Workload, objects: Objects): EdgeDraft[] {
  const { containers, initContainers } = workload;
  return [
    ...containers.flatMap((container) => [...fromSettings(container, workload, objects), ...fromCommands(container, workload.name, false)]),
    ...initContainers.flatMap((container) => [
      ...fromSettings(container, workload, objects),
      ...fromCommands(container, workload.name, true),
    ]),
    ...workload.mounted.flatMap((name) => {
      const settings = objects.settings.get(`${workload.namespace}/${name}`);
      return settings ? [...settings.values].flatMap(([key, value]) => edgesFor(workload.name, mentionsOf(settings, key, value))) : [];
    }),
  ];
}

function fromSettings(container: MapNodeTree, { name, namespace }: Workload, { settings }: Objects): EdgeDraft[] {
  const values = new Map<string, string>();
  const found: EdgeDraft[] = [];
  for (const item of items(container, "env")) {
    if (item.kind !== "map") continue;
    const [key, value] = [text(item, "name"), scalar(item, "value")];
    if (key === null) continue;
    if (value) {
      const text = expanded(textOf(value), values);
      values.set(key, text);
      found.push(...edgesFor(name, mentionsInValue(key, { ...value, value: text })));
    }
    for (const form of ["configMapKeyRef", "secretKeyRef"]) {
      const reference = down(item, ["valueFrom", form]);
      const known = reference && settings.get(`${namespace}/${text(reference, "name") ?? ""}`);
      const behind = known?.values.get((reference && text(reference, "key")) ?? "");
      if (!known || !behind) continue;
      if (!known.secret) values.set(key, textOf(behind));
      found.push(...edgesFor(name, mentionsOf(known, key, behind)));
    }
  }
  for (const item of items(container, "envFrom")) {
    for (const form of ["configMapRef", "secretRef"]) {
      const reference = item.kind === "map" ? mapping(item, form) : null;
      const known = reference && settings.get(`${namespace}/${text(reference, "name") ?? ""}`);
      for (const [key, value] of known?.values ?? []) if (known) found.push(...edgesFor(name, mentionsOf(known, key, value)));
    }
  }
  return found;
}

/** Of a secret, only the host of an address with a scheme: a bare word might be the secret itself. */
function mentionsOf({ secret }: Settings, key: string, value: ScalarNode): PlacedMention[] {
  const found = mentionsInValue(key, value);
  return secret ? found.filter(({ mention }) => mention.form === "url") : found;
}

/** `$(NAME)` as the kubelet replaces it. */
const expanded = (value: string, values: ReadonlyMap<string, string>) =>
  value.replace(/\$\((\w+)\)/g, (whole, name: string) => values.get(name) ?? whole);

function edgesFor(from: string, mentions: readonly PlacedMention[]): EdgeDraft[] {
  return mentions.map(({ mention, key, where }) => edgeOf(from, mention, where, key, "likely"));
}

/** What a manifest mentions of another node; how much it is needed, and by which component, it does not tell. */
function edgeOf(from: string, mention: Mention, where: string, what: string, confidence: EdgeDraft["confidence"]): EdgeDraft {
  const evidence = { source: "kubernetes" as const, where, what };
  return { from, to: targetOf(mention), criticality: null, component: null, calls: null, message: false, evidence, confidence };
}

/** Hosts in commands. An init container waits for others by name, so there bare words count, where some node has them. */
function fromCommands(container: MapNodeTree, from: string, waits: boolean): EdgeDraft[] {
  return ["command", "args"].flatMap((key) => {
    const node = child(container, key);
    const parts = node?.kind === "list" ? node.items : [];
    return parts.flatMap((part) => {
      if (part.kind !== "scalar") return [];
      const { file, line } = placeOf(part);
      const what = waits ? "waits for it before it starts" : key;
      return mentionsInCommand(textOf(part), waits).map((mention) =>
        edgeOf(from, mention, `${file}:${line}`, what, mention.form === "word" ? "guess" : "likely"),
      );
    });
  });
}
