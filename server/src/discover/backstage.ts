import { child, items, type MapNodeTree, mapping, placeOf, type ScalarNode, scalar, type TreeNode, text, textOf } from "../config/tree.ts";
import { redactText } from "../formats/redact.ts";
import { type Drafts, type EdgeDraft, type Evidence, noDrafts, type Target } from "./graph.ts";
import { kindOfWord } from "./technology.ts";

export function isBackstage(document: TreeNode): document is MapNodeTree {
  return document.kind === "map" && (text(document, "apiVersion") ?? "").startsWith("backstage.io/");
}

/** Components of these types are not running anywhere. */
const NOT_RUNNING = /^(?:library|documentation|docs|template|package|module|plugin|tool|cli|mobile-?app|sdk)$/i;

interface Entity {
  kind: string;
  name: string;
  spec: MapNodeTree | null;
  metadata: MapNodeTree;
  evidence: Evidence;
}

/** Components, resources, who needs whom, and whose they are. All entities at once: an API leads to whoever provides it. */
export function readBackstage(documents: readonly MapNodeTree[]): Drafts {
  const drafts = noDrafts();
  const entities = documents.flatMap((document) => entityOf(document) ?? []);
  const providers = providersOf(entities);
  for (const entity of entities) {
    if (entity.kind === "component") takeComponent(entity, providers, drafts);
    else if (entity.kind === "resource") takeResource(entity, drafts);
    else if (entity.kind === "system") takeSystem(entity, drafts);
    else if (entity.kind === "group") takeGroup(entity, drafts);
  }
  return drafts;
}

function entityOf(document: MapNodeTree): Entity | null {
  const metadata = mapping(document, "metadata");
  const name = metadata && scalar(metadata, "name");
  if (!metadata || !name) return null;
  const { file, line } = placeOf(name);
  const kind = (text(document, "kind") ?? "").toLowerCase();
  return {
    kind,
    name: textOf(name),
    metadata,
    spec: mapping(document, "spec"),
    evidence: { source: "backstage", where: `${file}:${line}`, what: text(document, "kind") ?? "" },
  };
}

/** `component:default/orders` → its kind and name; the kind may be missing. */
function referenceOf(reference: string): { kind: string | null; name: string } {
  const [, kind, name = reference] = /^(?:([\w-]+):)?(?:[^/]*\/)?([^/]+)$/.exec(reference.trim()) ?? [];
  return { kind: kind?.toLowerCase() ?? null, name };
}

const listed = (spec: MapNodeTree | null, key: string): ScalarNode[] =>
  spec ? items(spec, key).flatMap((item) => (item.kind === "scalar" ? [item] : [])) : [];

/** API → the components that provide it. */
function providersOf(entities: readonly Entity[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { kind, name, spec } of entities) {
    if (kind !== "component") continue;
    for (const api of listed(spec, "providesApis")) {
      const key = referenceOf(textOf(api)).name.toLowerCase();
      found.set(key, [...(found.get(key) ?? []), name]);
    }
  }
  return found;
}

function ownerOf(spec: MapNodeTree | null): string | null {
  const owner = spec && text(spec, "owner");
  return owner ? referenceOf(owner).name : null;
}

function takeComponent(entity: Entity, providers: ReadonlyMap<string, string[]>, drafts: Drafts): void {
  const { name, spec, metadata, evidence } = entity;
  const type = (spec && text(spec, "type")) ?? "";
  if (NOT_RUNNING.test(type)) {
    drafts.leftOut.push({ name, where: evidence.where, why: `a ${type}: it runs nowhere by itself` });
    return;
  }
  const annotations = mapping(metadata, "annotations");
  const alias = annotations && text(annotations, "backstage.io/kubernetes-id");
  drafts.nodes.push({ ...described(entity), kind: "service", resourceKind: null, aliases: alias && alias !== name ? [alias] : [] });
  belongs(entity, drafts);
  drafts.edges.push(...edgesOf(entity, providers, drafts));
}

function described({ name, spec, metadata, evidence }: Entity) {
  return {
    name,
    address: null,
    team: ownerOf(spec),
    title: prose(metadata, "title"),
    description: prose(metadata, "description"),
    evidence,
    confidence: "certain" as const,
  };
}

/** Text that people wrote, without what looks like a secret. */
function prose(map: MapNodeTree, key: string): string | null {
  const written = text(map, key);
  return written === null ? null : redactText(written) || null;
}

function takeResource(entity: Entity, drafts: Drafts): void {
  const { name, spec } = entity;
  const type = spec && text(spec, "type");
  drafts.nodes.push({
    ...described(entity),
    kind: "resource",
    resourceKind: (type && (kindOfWord(type) ?? type)) ?? kindOfWord(name),
    aliases: [],
  });
  belongs(entity, drafts);
  drafts.edges.push(...dependents(entity));
}

function takeSystem({ name, spec, metadata, evidence }: Entity, drafts: Drafts): void {
  drafts.systems.push({
    name,
    title: prose(metadata, "title"),
    description: prose(metadata, "description"),
    team: ownerOf(spec),
    evidence,
  });
}

function takeGroup({ name, spec, metadata, evidence }: Entity, drafts: Drafts): void {
  const profile = spec && mapping(spec, "profile");
  drafts.teams.push({
    name,
    title: (profile && text(profile, "displayName")) ?? text(metadata, "title"),
    contact: profile && text(profile, "email"),
    evidence,
  });
}

function belongs({ name, spec, evidence }: Entity, drafts: Drafts): void {
  const system = spec && text(spec, "system");
  if (system) drafts.members.push({ system: referenceOf(system).name, node: name, evidence });
}

function edgesOf(entity: Entity, providers: ReadonlyMap<string, string[]>, drafts: Drafts): EdgeDraft[] {
  const { name, spec } = entity;
  const needs = listed(spec, "dependsOn").flatMap((node) => {
    const { kind, name: to } = referenceOf(textOf(node));
    if (kind === "api") return throughApi(node, to, entity, providers, drafts, "dependsOn");
    const target: Target = {
      name: to,
      kind: kind === "resource" ? "resource" : "service",
      resourceKind: kind === "resource" ? kindOfWord(to) : null,
      exists: "always",
    };
    return [edge(name, target, node, "dependsOn")];
  });
  const consumed = listed(spec, "consumesApis").flatMap((node) =>
    throughApi(node, referenceOf(textOf(node)).name, entity, providers, drafts, "consumesApis"),
  );
  return [...needs, ...consumed, ...dependents(entity)];
}

/** The edges of `dependencyOf`, which is told from the other end. */
function dependents({ name, kind, spec }: Entity): EdgeDraft[] {
  return listed(spec, "dependencyOf").flatMap((node) => {
    const from = referenceOf(textOf(node));
    if (from.kind === "resource") return [];
    const target: Target = { name, kind: kind === "resource" ? "resource" : "service", resourceKind: null, exists: "known" };
    return [edge(from.name, target, node, "dependencyOf")];
  });
}

function throughApi(
  node: ScalarNode,
  api: string,
  { name }: Entity,
  providers: ReadonlyMap<string, string[]>,
  drafts: Drafts,
  what: string,
): EdgeDraft[] {
  const found = providers.get(api.toLowerCase());
  if (!found) {
    const { file, line } = placeOf(node);
    drafts.leftOut.push({ name: api, where: `${file}:${line}`, why: `an API that ${name} uses, and no component provides here` });
  }
  return (found ?? []).map((to) => edge(name, { name: to, kind: "service", resourceKind: null, exists: "known" }, node, `${what} ${api}`));
}

function edge(from: string, to: Target, node: ScalarNode, what: string): EdgeDraft {
  const { file, line } = placeOf(node);
  const evidence: Evidence = { source: "backstage", where: `${file}:${line}`, what };
  return { from, to, criticality: null, component: null, calls: null, message: false, evidence, confidence: "likely" };
}

/** Entities as the catalog's API lists them: a list, or one under `items`. */
export function backstageEntities(document: TreeNode): MapNodeTree[] {
  const all =
    document.kind === "list"
      ? document.items
      : document.kind === "map" && child(document, "items")?.kind === "list"
        ? items(document, "items")
        : [document];
  return all.filter(isBackstage);
}
