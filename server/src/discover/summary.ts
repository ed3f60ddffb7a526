import { someOf } from "../domain/phrases.ts";
import type { FoundGraph } from "./graph.ts";

/** Names that are listed in one sentence; the rest is counted. */
const LISTED = 8;

/** What was found, what was guessed and what to do next, for people; one line each. `map` is the graph as YAML. */
export function summaryOf(graph: FoundGraph, map: string): { found: string; guessed: string[]; next: string[] } {
  const services = graph.nodes.filter(({ kind }) => kind === "service");
  const resources = graph.nodes.filter(({ kind }) => kind === "resource");
  const edges = graph.edges;
  const found = [
    count(services.length, "service"),
    count(resources.length, "resource"),
    count(edges.length, "dependency", "dependencies"),
    ...(graph.teams.length > 0 ? [count(graph.teams.length, "team")] : []),
    ...(graph.systems.length > 0 ? [count(graph.systems.length, "system")] : []),
  ];
  return { found: found.join(", "), guessed: guessesOf(graph), next: nextSteps(graph, map) };
}

export const count = (n: number, word: string, plural = `${word}s`) => `${n.toLocaleString("en")} ${n === 1 ? word : plural}`;

export function listed(names: readonly string[]): string {
  return someOf(names, LISTED);
}

function guessesOf({ nodes, edges, systems }: FoundGraph): string[] {
  const lines: string[] = [];
  const labels = edges.filter(({ guessed }) => guessed !== null);
  const hard = labels.filter(({ criticality }) => criticality === "hard").length;
  const informational = labels.filter(({ criticality }) => criticality === "informational").length;
  if (labels.length > 0) {
    const parts = [
      ...(hard > 0 ? [`${hard} hard (databases)`] : []),
      ...(hard + informational < labels.length ? [`${labels.length - hard - informational} soft`] : []),
      ...(informational > 0 ? [`${informational} informational (telemetry, messages)`] : []),
    ];
    lines.push(`the criticality of ${count(labels.length, "dependency", "dependencies")}: ${parts.join(", ")}`);
  }
  const order = edges.filter(({ confidence }) => confidence === "guess");
  if (order.length > 0)
    lines.push(
      `${count(order.length, "dependency", "dependencies")} known by the order of start or a name alone: ${listed(order.map(({ from, to }) => `${from} → ${to}`))}`,
    );
  const doubts = nodes.filter((node) => node.doubts.length > 0);
  if (doubts.length > 0) lines.push(`what ${count(doubts.length, "node")} may be: ${listed(doubts.map(({ id }) => id))}`);
  const addresses = nodes.filter((node) => node.addresses.some(({ from, deep }) => from !== null && deep));
  if (addresses.length > 0) lines.push(`that the health check of ${listed(addresses.map(({ id }) => id))} is the deep endpoint`);
  if (systems.length > 0) lines.push(`the criticality of every member of ${listed(systems.map(({ id }) => id))}: soft`);
  return lines;
}

function nextSteps({ nodes, edges, systems, teams }: FoundGraph, map: string): string[] {
  const services = nodes.filter(({ kind }) => kind === "service");
  const lines: string[] = [];
  const mute = services.filter(({ addresses }) => !addresses.some(({ deep }) => deep));
  if (mute.length > 0)
    lines.push(
      `give ${listed(mute.map(({ id }) => id))} the url of a deep endpoint: without one a service is known through its dependents only`,
    );
  const variables = [...new Set([...map.matchAll(/\$\{(HEALTH_\w+)\}/g)].map(([, name = ""]) => name))];
  if (variables.length > 0) lines.push(`set ${listed(variables)}: the map takes from there what was sent with the questions`);
  if (edges.length > 0) lines.push("go through the lines marked review: is each criticality what a user of the service would notice?");
  const unowned = services.filter(({ team }) => team === null);
  if (teams.length === 0 || unowned.length > 0)
    lines.push(`say which team answers for ${unowned.length === services.length ? "each service" : listed(unowned.map(({ id }) => id))}`);
  if (systems.length === 0 && services.length > 0) {
    const needed = new Set(edges.map(({ to }) => to));
    const entries = services.filter(({ id }) => !needed.has(id)).map(({ id }) => id);
    lines.push(`add a system: what do users see?${entries.length > 0 ? ` Nothing depends on ${listed(entries)}` : ""}`);
  }
  return lines;
}
