import type { FoundEdge, FoundGraph, FoundNode, FoundSystem, FoundTeam } from "./graph.ts";
import { variableFor } from "./report.ts";
import { count } from "./summary.ts";

/** What an editor that speaks the YAML language server reads first. */
const SCHEMA_LINE = "# yaml-language-server: $schema=../schema/map.schema.json";

/**
 * The graph as one file of the map. What was inferred carries a comment with `review:`, and no label has a date of
 * review, so that the page of labels lists it until somebody has looked.
 */
export function mapYaml(graph: FoundGraph, sources: readonly string[]): string {
  const services = graph.nodes.filter(({ kind }) => kind === "service");
  const resources = graph.nodes.filter(({ kind }) => kind === "resource");
  const shown = shortPlaces(graph);
  const edges = new Map<string, FoundEdge[]>();
  for (const edge of graph.edges) edges.set(edge.from, [...(edges.get(edge.from) ?? []), edge]);
  const lines = [
    SCHEMA_LINE,
    `# A first map, made by headwater init from ${comment(sources.slice(0, 4).join(", "))}${sources.length > 4 ? ` and ${sources.length - 4} more` : ""}.`,
    "# What was inferred is marked with review: correct it, delete the mark, and give the label the date, as in",
    "# reviewed: 2026-10-01. Labels without a date are listed as never reviewed.",
    ...section("teams", graph.teams.map(team)),
    ...section(
      "resources",
      resources.map((node) => resource(node, shown)),
    ),
    ...section(
      "services",
      services.map((node) => service(node, edges.get(node.id) ?? [], shown)),
    ),
    ...section("systems", graph.systems.map(system)),
  ];
  return `${lines.join("\n")}\n`;
}

const section = (key: string, parts: readonly string[][]) => (parts.length === 0 ? [] : ["", `${key}:`, ...parts.flat()]);

function team({ id, name, contact }: FoundTeam): string[] {
  const facts = [...(name === id ? [] : [`name: ${flowText(name)}`]), ...(contact === null ? [] : [`contact: ${flowText(contact)}`])];
  return [
    `  ${key(id)}: {${facts.length > 0 ? ` ${facts.join(", ")} ` : ""}}${contact === null ? " # review: how is the team reached? contact:" : ""}`,
  ];
}

/** Evidence as a comment shows it. */
type Shown = (of: FoundNode | FoundEdge) => string;

/** Two pieces of evidence at most, by the file's name alone where no other source has that name. */
function shortPlaces({ nodes, edges }: FoundGraph): Shown {
  const folders = new Map<string, Set<string>>();
  const split = (where: string) => /^(?!https?:)(.*\/)?([^/]*)$/.exec(where);
  for (const { evidence } of [...nodes, ...edges]) {
    for (const { where } of evidence) {
      const [, folder = "", name = ""] = split(where) ?? [];
      const file = name.replace(/:\d+$/, "");
      folders.set(file, (folders.get(file) ?? new Set()).add(folder));
    }
  }
  const short = (where: string) => {
    const name = split(where)?.[2] ?? where;
    return folders.get(name.replace(/:\d+$/, ""))?.size === 1 ? name : where;
  };
  return ({ evidence }) =>
    evidence
      .slice(0, 2)
      .map(({ what, where }) => `${what} (${short(where)})`)
      .join(", ");
}

function head(node: FoundNode, shown: Shown): string {
  const doubts = [...node.doubts, ...(node.confidence === "guess" ? ["guessed"] : [])];
  const review = doubts.length > 0 ? `review: ${doubts.join("; ")}; ` : "";
  return `  ${key(node.id)}: # ${comment(review + shown(node))}`;
}

function common(node: FoundNode): string[] {
  return [
    ...(node.name === node.id ? [] : [`    name: ${text(node.name)}`]),
    ...(node.description === null ? [] : [`    description: ${text(node.description)}`]),
    ...(node.team === null ? [] : [`    team: ${key(node.team)}`]),
  ];
}

function resource(node: FoundNode, shown: Shown): string[] {
  const kind =
    node.resourceKind === null ? "    # review: a database, cache, queue, external-api? kind:" : `    kind: ${text(node.resourceKind)}`;
  const body = [...common(node), kind];
  // A body of comments alone is none.
  if (body.every((line) => line.trim().startsWith("#")))
    return [`  ${key(node.id)}: {} # ${comment(`review: its kind is unknown; ${shown(node)}`)}`];
  return [head(node, shown), ...body];
}

function service(node: FoundNode, edges: readonly FoundEdge[], shown: Shown): string[] {
  const body = [...common(node), ...address(node), ...dependencies(node, edges, shown)];
  if (body.every((line) => line.trim().startsWith("#"))) return [`${head(node, shown).replace(/: #/, ": {} #")}`, ...body];
  return [head(node, shown), ...body];
}

function address({ addresses, id }: FoundNode): string[] {
  const [first] = addresses;
  if (!first) return [`    # review: where does it report? url: http://${id}/health/deep`];
  if (!first.deep) return [`    # review: ${comment(first.from ?? "")} asks ${comment(first.url)}, no deep endpoint by its name. url:`];
  const headers = [...new Set(addresses.flatMap((address) => address.headers))];
  const sent = headers.map((name) => `${text(name)}: ${JSON.stringify(`\u0024{${variableFor(name)}}`)}`);
  const mark = first.from === null ? "" : ` # review: asked by a ${comment(first.from)}; is it the deep endpoint?`;
  const urls = addresses.map(({ url }) => urlText(url));
  const lines = urls.length === 1 ? [`    url: ${urls[0]}${mark}`] : ["    instances:", ...urls.map((url) => `      - ${url}`)];
  return [...lines, ...(sent.length > 0 ? [`    headers: { ${sent.join(", ")} }`] : [])];
}

function dependencies({ id }: FoundNode, edges: readonly FoundEdge[], shown: Shown): string[] {
  if (edges.length === 0) return [];
  const names = new Set<string>();
  return [
    "    dependencies:",
    ...edges.slice(0, MOST_EDGES).map((edge) => {
      const components = edge.components.filter((name) => !names.has(name) && !(edge.components.length === 1 && name === edge.to));
      for (const name of [...components, edge.to]) names.add(name);
      return `      - ${dependency(edge, components)} # ${comment(edgeComment(edge, id, shown))}`;
    }),
  ];
}

/** As many as one service may declare. */
const MOST_EDGES = 1_000;

/** One entry under `dependencies`, in flow form. */
export function dependency({ to, criticality }: Pick<FoundEdge, "to" | "criticality">, components: readonly string[]): string {
  const component =
    components.length === 0
      ? ""
      : `, component: ${components.length === 1 ? flowText(components[0] ?? "") : `[${components.map(flowText).join(", ")}]`}`;
  return `{ on: ${key(to)}${component}, criticality: ${criticality} }`;
}

function edgeComment(edge: FoundEdge, from: string, shown: Shown): string {
  const calls = edge.calls === null ? "" : `; ${count(edge.calls, "call")}`;
  if (edge.guessed === null) return `as ${from} reports${calls}; ${shown(edge)}`;
  const unsure = edge.confidence === "guess" ? "does it call it at all? " : "";
  return `review: ${unsure}${edge.criticality} is a guess${edge.guessed === "" ? "" : `, ${edge.guessed}`}${calls}; ${shown(edge)}`;
}

function system({ id, name, description, team, members, evidence }: FoundSystem): string[] {
  return [
    `  ${key(id)}: # ${comment(`${evidence.what} (${evidence.where})`)}`,
    ...(name === id ? [] : [`    name: ${text(name)}`]),
    ...(description === null ? [] : [`    description: ${text(description)}`]),
    ...(team === null ? [] : [`    team: ${key(team)}`]),
    "    members:",
    ...members.slice(0, 1_000).map((node) => `      - { node: ${key(node)}, criticality: soft } # review: soft is a guess`),
  ];
}

const PLAIN = /^[A-Za-z][A-Za-z0-9_./-]*(?: [A-Za-z0-9_./-]+)*$/;
const WORDS_OF_OTHER_TYPES = /^(?:true|false|null|yes|no|on|off|y|n|~)$/i;

/** A key, or an id as a value. */
export const key = (id: string) => (/^[a-z][a-z0-9._-]*$/.test(id) && !WORDS_OF_OTHER_TYPES.test(id) ? id : JSON.stringify(id));

/** One line of text as a YAML scalar; what is foreign or long is quoted, cut, and free of control characters. */
export function text(value: string): string {
  const clean = printed(value).slice(0, 500);
  return PLAIN.test(clean) && !WORDS_OF_OTHER_TYPES.test(clean)
    ? clean
    : /^https?:\/\/[\w.:/?&=%~+-]+$/.test(clean)
      ? clean
      : quoted(clean);
}

/** The same inside `{ }`. */
const flowText = (value: string) => (text(value).includes(": ") ? quoted(printed(value).slice(0, 500)) : text(value));

/** Text of others must not become a reference to a variable of ours. */
const quoted = (value: string) => JSON.stringify(value.replaceAll("\u0024{", "\u0024 {"));

/** An address; the references that we put into it stay. */
const urlText = (url: string) => (/^https?:\/\/[\w.:/?&=%~+-]+$/.test(url) ? url : JSON.stringify(url));

function printed(value: string): string {
  return value
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** Text of others inside a comment: one line. */
function comment(value: string): string {
  return printed(value).slice(0, 400);
}
