import { formatDuration } from "../domain/duration.ts";
import type { Place } from "../domain/map.ts";
import { type Declared, type DraftEdge, edgesOf } from "./collect.ts";
import { type Context, undeclared } from "./context.ts";
import { hardCycles } from "./cycles.ts";
import { checkMaintenance } from "./maintenance.ts";
import { checkTiming } from "./timing.ts";
import { items, type MapNodeTree, placeOf, type ScalarNode, scalar, textOf } from "./tree.ts";
import { checkAddresses } from "./urls.ts";
import { checkWitnesses } from "./witnesses.ts";

const DAY = 86_400_000;

/** Checks everything that needs more than one place of the map at once: what a schema alone cannot see. */
export function checkLinks(context: Context): void {
  const { nodes, systems } = context.all;
  const edges = new Map<string, DraftEdge[]>();
  for (const node of nodes.values()) {
    checkTeam(context, node.body, "team");
    if (node.section !== "services") continue;
    const own = edgesOf(node);
    edges.set(node.id, own);
    checkEdges(context, node, own);
  }
  for (const system of systems.values()) checkSystem(context, system);
  checkRenames(context);
  checkTiming(context);
  checkAddresses(context);
  checkMaintenance(context);
  checkWitnesses(context, edges);
  hardCycles(context, edges);
  if (nodes.size === 0 && !context.incomplete)
    context.findings.warning(
      context.start,
      "empty-map",
      "the map is empty: it declares no service and no resource; its files are map/*.yaml in the configuration folder",
    );
}

function checkTeam(context: Context, body: MapNodeTree, key: "team" | "owner"): void {
  const node = scalar(body, key);
  if (node && !context.all.teams.has(textOf(node))) undeclared(context, node, textOf(node), "team", context.all.teams.keys());
}

const where = (place: Place) => `${place.file}:${place.line}`;

function checkEdges(context: Context, service: Declared, edges: readonly DraftEdge[]): void {
  const targets = new Map<string, ScalarNode>();
  const names = new Map<string, { edge: DraftEdge; place: Place }>();
  const team = service.body.entries.has("team");
  for (const edge of edges) {
    for (const target of edge.targets) checkTarget(context, service, target, targets);
    checkNeed(context, edge);
    checkComponents(context, edge, names);
    checkReview(context, edge);
    if (edge.owner && !context.all.teams.has(textOf(edge.owner))) {
      undeclared(context, edge.owner, textOf(edge.owner), "team", context.all.teams.keys());
    }
    if (edge.criticality === "hard" && !team && !edge.item.entries.has("owner")) {
      const to = edge.targets.map(textOf).join(", ");
      context.findings.warning(
        edge.place,
        "no-owner",
        `the hard dependency of ${service.id} on ${to} has no owner, and ${service.id} has no team`,
      );
    }
  }
}

function checkTarget(context: Context, service: Declared, target: ScalarNode, seen: Map<string, ScalarNode>): void {
  const id = textOf(target);
  if (target.opaque) return;
  const first = seen.get(id);
  if (id === service.id) context.findings.error(placeOf(target), "self-dependency", `${service.id} depends on itself`);
  else if (first) {
    const message = `${service.id} depends on ${id} twice: it is already named in ${where(placeOf(first))}`;
    context.findings.error(placeOf(target), "two-edges", message);
  } else {
    seen.set(id, target);
    checkNode(context, target, context.all.nodes.keys());
  }
}

function checkNode(context: Context, target: ScalarNode, candidates: Iterable<string>): void {
  const id = textOf(target);
  if (context.all.nodes.has(id)) return;
  if (!target.opaque && context.all.systems.has(id)) {
    context.findings.error(
      placeOf(target),
      "names-a-system",
      `${JSON.stringify(id)} is a system, not a node: name the services or resources it consists of`,
    );
  } else undeclared(context, target, id, "node", candidates);
}

function checkNeed(context: Context, edge: DraftEdge): void {
  const { need, group, targets } = edge;
  if (!need || typeof need.value !== "number" || targets.length === 0) return;
  const place = placeOf(need);
  if (!group) context.findings.error(place, "bad-need", "need counts alternatives, so it goes only with a list under on");
  else if (need.value > targets.length)
    context.findings.error(place, "bad-need", `need is ${need.value}, yet on lists only ${targets.length}`);
}

/** A component name decides which edge a report speaks of, so no two edges of a service may share one. */
function checkComponents(context: Context, edge: DraftEdge, names: Map<string, { edge: DraftEdge; place: Place }>): void {
  const declared = edge.components.length > 0 ? edge.components : edge.targets;
  const here = new Set<string>();
  for (const node of declared) {
    const name = textOf(node);
    if (node.opaque || here.has(name)) continue;
    here.add(name);
    const first = names.get(name);
    if (first && first.edge !== edge) {
      if (edge.components.length === 0 && first.edge.components.length === 0) continue;
      const message = `the component ${JSON.stringify(name)} already belongs to another dependency of ${edge.from.id}, in ${where(first.place)}`;
      context.findings.error(placeOf(node), "component-twice", message);
    } else names.set(name, { edge, place: placeOf(node) });
  }
}

function checkReview(context: Context, edge: DraftEdge): void {
  const { reviewed } = edge;
  if (!reviewed || reviewed.opaque) return;
  const days = Math.round((Date.parse(context.today) - Date.parse(textOf(reviewed))) / DAY);
  if (days < -1) context.findings.warning(placeOf(reviewed), "review-in-future", `reviewed lies ${-days} days in the future`);
  else if (days > context.reviewAfterDays) {
    const message = `reviewed ${days} days ago; labels are to be looked at again after ${formatDuration(context.reviewAfterDays * DAY)}`;
    context.findings.warning(placeOf(reviewed), "stale-review", message);
  }
}

function checkSystem(context: Context, system: Declared): void {
  checkTeam(context, system.body, "team");
  const seen = new Map<string, Place>();
  const members = items(system.body, "members");
  if (members.length === 0 && !hasContent(system.body, "members")) {
    context.findings.warning(
      system.place,
      "empty-system",
      `system ${JSON.stringify(system.id)} has no members, so its status is never known`,
    );
  }
  for (const member of members) {
    const node = member.kind === "map" ? scalar(member, "node") : null;
    if (!node || node.opaque) continue;
    const id = textOf(node);
    const first = seen.get(id);
    if (first)
      context.findings.error(
        placeOf(node),
        "member-twice",
        `${id} is a member of ${system.id} twice: it is already named in ${where(first)}`,
      );
    else checkNode(context, node, context.all.nodes.keys());
    if (!first) seen.set(id, placeOf(node));
  }
}

function hasContent(body: MapNodeTree, key: string): boolean {
  const node = body.entries.get(key)?.node;
  return node !== undefined && (node.bad || node.kind !== "scalar") && !(node.kind === "list" && node.items.length === 0);
}

function checkRenames(context: Context): void {
  const claims = new Map<string, { by: string; place: Place }>();
  for (const node of context.all.nodes.values()) {
    const from = scalar(node.body, "renamed_from");
    if (!from || from.opaque) continue;
    const id = textOf(from);
    const place = placeOf(from);
    const first = claims.get(id);
    if (context.all.nodes.has(id)) {
      context.findings.error(
        place,
        "renamed-from-in-use",
        `${JSON.stringify(id)} is still in use: it is declared in ${where(context.all.nodes.get(id)?.place ?? place)}`,
      );
    } else if (first)
      context.findings.error(place, "renamed-twice", `${JSON.stringify(id)} is already claimed by ${first.by}, in ${where(first.place)}`);
    else claims.set(id, { by: node.id, place });
  }
}
