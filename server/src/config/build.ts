import type {
  Edge,
  Instance,
  MapNode,
  Member,
  Redundancy,
  ResourceNode,
  ServiceNode,
  System,
  SystemMap,
  Team,
  TlsSettings,
} from "../domain/map.ts";
import type { Criticality } from "../domain/status.ts";
import { type Declarations, type Declared, type DraftEdge, edgesOf, scalars } from "./collect.ts";
import { maintenanceOf } from "./maintenance.ts";
import type { References } from "./references.ts";
import type { Reuse } from "./reuse.ts";
import { timingOf } from "./timing.ts";
import { items, type MapNodeTree, mapping, placeOf, type ScalarNode, scalar, text, textOf } from "./tree.ts";
import { linksOf, pemOf } from "./urls.ts";

/** Makes the domain's map of declarations that were found free of errors. */
export function buildMap(all: Declarations, references: References | null, reuse?: Reuse): SystemMap {
  const nodes = new Map<string, MapNode>();
  for (const node of all.nodes.values()) {
    const make = () => (node.section === "services" ? service(node, all.defaults, references) : resource(node));
    nodes.set(node.id, reuse ? reuse.node(node.body, node.id, all.defaults, make) : make());
  }
  return {
    nodes,
    systems: new Map([...all.systems.values()].map((declared) => [declared.id, system(declared)])),
    teams: new Map([...all.teams.values()].map((declared) => [declared.id, team(declared)])),
    maintenance: all.maintenance.map(maintenanceOf),
  };
}

function record(map: MapNodeTree | null): Record<string, string> {
  const values = Object.create(null) as Record<string, string>;
  for (const key of map?.entries.keys() ?? []) {
    const value = map ? text(map, key) : null;
    if (value !== null) values[key] = value;
  }
  return values;
}

function common({ id, body, place }: Declared) {
  return {
    id,
    name: text(body, "name") ?? id,
    description: text(body, "description"),
    team: text(body, "team"),
    tags: record(mapping(body, "tags")),
    links: linksOf(body),
    renamedFrom: text(body, "renamed_from"),
    place,
  };
}

// Nodes are written out and not spread, so that all have one hidden class: with one each, every look at a node is slow.
function resource(declared: Declared): ResourceNode {
  const { id, name, description, team, tags, links, renamedFrom, place } = common(declared);
  const resourceKind = text(declared.body, "kind");
  return { id, name, description, team, tags, links, renamedFrom, place, kind: "resource", resourceKind };
}

function service(declared: Declared, defaults: MapNodeTree | null, references: References | null): ServiceNode {
  const { body } = declared;
  const instances = instancesOf(declared);
  const drafts = edgesOf(declared);
  const groups: Redundancy[] = [];
  const edges = drafts.flatMap((draft) => edgesFrom(draft, groups));
  const headers = mapping(body, "headers");
  const need = scalar(body, "need")?.value;
  const { id, name, description, team, tags, links, renamedFrom, place } = common(declared);
  const { interval, timeout, downAfter, upAfter, maxAge, componentMaxAge, format, maxBody } = timingOf(body, defaults);
  return {
    id,
    name,
    description,
    team,
    tags,
    links,
    renamedFrom,
    place,
    kind: "service",
    instances,
    need: typeof need === "number" ? need : Math.ceil(instances.length / 2),
    interval,
    timeout,
    downAfter,
    upAfter,
    maxAge,
    componentMaxAge,
    format,
    maxBody,
    headers: record(headers),
    references: referencesOf(body, headers),
    tls: tlsOf(body, references),
    edges,
    groups,
  };
}

/** The id of an instance comes from its address, so that the order of the list does not matter. */
function instancesOf({ id, body }: Declared): Instance[] {
  const single = scalar(body, "url");
  if (single) return [{ id, service: id, ...addressOf(single) }];
  const addresses = scalars(body, "instances").map(addressOf);
  const short = addresses.map(({ url }) => `${id}/${hostOf(url)}`);
  const taken = new Map<string, number>();
  return addresses.map((address, index) => {
    const name = short[index] ?? id;
    const shared = short.filter((other) => other === name).length > 1;
    const readable = address.shown ?? address.url;
    const wanted = shared && URL.canParse(readable) ? `${name}${new URL(readable).pathname}` : name;
    const times = (taken.get(wanted) ?? 0) + 1;
    taken.set(wanted, times);
    return { id: times === 1 ? wanted : `${wanted}#${times}`, service: id, ...address };
  });
}

/** An address, and where a reference brings some of its path, the same with the reference in that place. */
function addressOf(node: ScalarNode): Pick<Instance, "url" | "shown"> {
  const url = textOf(node);
  if (node.references.length === 0 || !URL.canParse(url)) return { url };
  const { origin, search } = new URL(url);
  const written = /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(node.source);
  const path = written ? (written[1] ?? "") : `/${node.source.split(/[?#]/, 1)[0]}`;
  return path.includes("\u0024{") ? { url, shown: `${origin}${path}${search}` } : { url };
}

function hostOf(text: string): string {
  if (!URL.canParse(text)) return text;
  const url = new URL(text);
  return `${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`;
}

function edgesFrom(draft: DraftEdge, groups: Redundancy[]): Edge[] {
  const criticality = draft.criticality as Criticality;
  const need = draft.need?.value;
  const names = draft.components.map(textOf);
  const members = draft.targets.map(textOf);
  const group = draft.group ? groups.length : null;
  if (draft.group) groups.push({ members, need: typeof need === "number" ? need : 1, criticality });
  const paired = draft.group && names.length === members.length && names.length > 1;
  return members.map((to, index) => ({
    from: draft.from.id,
    to,
    criticality,
    owner: draft.owner ? textOf(draft.owner) : text(draft.from.body, "team"),
    reviewed: draft.reviewed ? textOf(draft.reviewed) : null,
    components: names.length === 0 ? [to] : paired ? [names[index] ?? to] : names,
    group,
    place: draft.place,
  }));
}

function referencesOf(body: MapNodeTree, headers: MapNodeTree | null): string[] {
  const found = new Set<string>();
  for (const node of [...scalars(body, "url"), ...scalars(body, "instances")]) for (const name of node.references) found.add(name);
  for (const { node } of headers?.entries.values() ?? []) if (node.kind === "scalar") for (const name of node.references) found.add(name);
  return [...found];
}

function tlsOf(body: MapNodeTree, references: References | null): TlsSettings | null {
  const tls = mapping(body, "tls");
  if (!tls) return null;
  const pem = (key: string) => {
    const node = scalar(tls, key);
    return node && references ? (pemOf(node, references.file) ?? null) : null;
  };
  return { ca: pem("ca"), cert: pem("cert"), key: pem("key"), servername: text(tls, "servername") };
}

function system({ id, body, place }: Declared): System {
  const members: Member[] = items(body, "members").flatMap((item) =>
    item.kind === "map"
      ? [{ node: text(item, "node") ?? "", criticality: (text(item, "criticality") ?? "soft") as Criticality, place: placeOf(item) }]
      : [],
  );
  return {
    id,
    name: text(body, "name") ?? id,
    description: text(body, "description"),
    public: scalar(body, "public")?.value === true,
    team: text(body, "team"),
    members,
    place,
  };
}

function team({ id, body }: Declared): Team {
  const runbooks = text(body, "runbooks");
  const links = linksOf(body);
  if (runbooks !== null) links.runbooks = runbooks;
  return { id, name: text(body, "name") ?? id, description: text(body, "description"), contact: text(body, "contact"), links };
}
