import { type Face, faceOf } from "./status.ts";
import type { Incident, NodeView, SystemView } from "./types.ts";

/** In the order of the filter line: those that are there most often first, as the others keep their place while there are none. */
export const SHOWS = ["all", "healthy", "cause", "impacted", "unknown", "at_risk", "own", "maintenance"] as const;
export type Show = (typeof SHOWS)[number];

/** The words of the filter line. */
export const SHOW_WORDS = {
  all: "All",
  cause: "Causes",
  own: "Own fault",
  impacted: "Impacted",
  unknown: "Unknown",
  at_risk: "At risk",
  maintenance: "Maintenance",
  healthy: "Healthy",
} as const satisfies Record<Show, string>;

/** What the board shows; all of it is in the URL. */
export interface Filters {
  /** Words, all of which must occur in the id, name, team or tags. */
  q: string;
  show: Show;
  team: string | null;
  system: string | null;
  /** `key:value`. */
  tag: string | null;
  /** `team`, `system`, `none` or `tag:<key>`; null is the page's own choice. */
  group: string | null;
  view: "rows" | "tiles";
  /** Keys of the groups that are unfolded where groups are folded. */
  open: readonly string[];
}

export const NO_FILTERS: Filters = { q: "", show: "all", team: null, system: null, tag: null, group: null, view: "rows", open: [] };

/** Reads the filters of a URL's search part; what is not understood is left out. */
export function parseFilters(search: string): Filters {
  const params = new URLSearchParams(search);
  const show = params.get("status");
  return {
    q: params.get("q") ?? "",
    show: SHOWS.find((known) => known === show) ?? "all",
    team: params.get("team"),
    system: params.get("system"),
    tag: params.get("tag"),
    group: params.get("group"),
    view: params.get("view") === "tiles" ? "tiles" : "rows",
    open: params.getAll("open"),
  };
}

/** The search part for some filters: empty, or with its question mark. Parameters of others are kept. */
export function writeFilters(filters: Filters, search = ""): string {
  const params = new URLSearchParams(search);
  const put = (key: string, value: string | null): void => {
    if (value) params.set(key, value);
    else params.delete(key);
  };
  put("q", filters.q.trim() === "" ? null : filters.q);
  put("status", filters.show === "all" ? null : filters.show);
  put("team", filters.team);
  put("system", filters.system);
  put("tag", filters.tag);
  put("group", filters.group);
  put("view", filters.view === "rows" ? null : filters.view);
  params.delete("open");
  for (const key of filters.open) params.append("open", key);
  const text = params.toString().replaceAll("%3A", ":");
  return text === "" ? "" : `?${text}`;
}

/** Which of the filter's words a node answers to, besides `all`. */
function showsOf(node: NodeView): Show[] {
  const face: Face = faceOf(node);
  const shows: Show[] = [face];
  if (face === "maintenance" && node.role === "root_cause") shows.push("cause");
  if (node.role === "at_risk") shows.push("at_risk");
  return shows;
}

/** How many nodes each word would show. */
export function countShows(nodes: readonly NodeView[]): Record<Show, number> {
  const counts = { all: nodes.length, cause: 0, own: 0, impacted: 0, unknown: 0, at_risk: 0, maintenance: 0, healthy: 0 };
  for (const node of nodes) for (const show of showsOf(node)) counts[show]++;
  return counts;
}

function hasWords(node: NodeView, words: readonly string[]): boolean {
  const tags = Object.entries(node.tags).map(([key, value]) => `${key}:${value}`);
  const text = [node.id, node.name, node.team ?? "", node.resource_kind ?? "", ...tags].join(" ").toLowerCase();
  return words.every((word) => text.includes(word));
}

/**
 * Nodes by team, system, tag and words, in map order. A team's view holds its own nodes and the causes that hurt them,
 * whoever owns those. The status word is not applied: counts are made of the result.
 */
export function selectNodes(
  nodes: readonly NodeView[],
  filters: Filters,
  systems: readonly SystemView[],
  incidents: readonly Incident[],
): NodeView[] {
  const words = filters.q.toLowerCase().split(/\s+/).filter(Boolean);
  const [tagKey = "", ...tagRest] = (filters.tag ?? "").split(":");
  const tagValue = tagRest.join(":");
  const members =
    filters.system === null ? null : new Set(systems.find((one) => one.id === filters.system)?.members.map((one) => one.node));
  const own = filters.team === null ? null : new Set(nodes.filter((node) => node.team === filters.team).map((node) => node.id));
  if (own) {
    for (const incident of incidents) {
      if (incident.status === "resolved" || !incident.impacted.some((one) => own.has(one.node))) continue;
      own.add(incident.anchor);
      if (incident.cause) own.add(incident.cause.node);
    }
  }
  return nodes.filter(
    (node) =>
      (own === null || own.has(node.id)) &&
      (members === null || members.has(node.id)) &&
      (filters.tag === null || node.tags[tagKey] === tagValue) &&
      (words.length === 0 || hasWords(node, words)),
  );
}

/** The nodes that the chosen word shows. */
export function showOnly(nodes: NodeView[], show: Show): NodeView[] {
  return show === "all" ? nodes : nodes.filter((node) => showsOf(node).includes(show));
}
