import { humanDuration } from "../../domain/duration.ts";
import type { LabelFacts, LabelFinding, ReportedNames } from "../../domain/label.ts";
import { type Edge, edgeKey, polledServices, type ServiceNode, type SystemMap } from "../../domain/map.ts";
import { isOfItself } from "../../domain/own-checks.ts";
import type { InstanceState, SystemState } from "../../domain/state.ts";
import { levelOf } from "../confidence.ts";
import { NO_OUTAGES } from "./scene.ts";

/** A dependency that was spoken of within this time is looked up no further. */
const RECENT_MS = 3_600_000;
/** Fewer reports than these prove neither that a name is there to stay nor that it is missing. */
const LISTED_IN = 10;
const MISSING_IN = 100;
const MISSING_FOR_MS = 1_800_000;
/** A service that is polled seldom has fewer in a day: of it, most of what there can be in so long is enough. */
const MISSING_FOR_LONG_MS = 64_800_000;
/** Of one service, beyond which its names are no dependencies but made up anew each time. */
const MOST_NAMES = 20;

const fold = (name: string): string => name.toLowerCase().replace(/[-_. :/]/g, "");
/** A repeated name (`db#2`) speaks of the same thing. */
const baseOf = (name: string): string => name.replace(/#\d+$/, "");

/** What a service says now, beside what is declared of it. */
interface Listing {
  service: ServiceNode;
  instances: readonly InstanceState[];
  /** Reported names that no edge has. */
  unmapped: readonly string[];
  /** Edges that no report of late speaks of. */
  missing: readonly Edge[];
}

function listingOf(service: ServiceNode, state: SystemState, now: number): Listing {
  const instances = service.instances.flatMap(({ id }) => state.instances.get(id) ?? []);
  const declared = new Set(service.edges.flatMap(({ components }) => components));
  const reported = new Set(instances.flatMap(({ components }) => components.map(({ name }) => name)));
  const unmapped = new Set([...reported].filter((name) => !declared.has(name) && !declared.has(baseOf(name))).map(baseOf));
  const recent = (edge: Edge): boolean => now - (state.edges.get(edgeKey(edge.from, edge.to))?.reportedAt ?? 0) < RECENT_MS;
  return {
    service,
    instances,
    unmapped: [...unmapped].filter((name) => !isOfItself(name) && fold(name) !== fold(service.id)),
    missing: instances.some(({ failuresOnly }) => failuresOnly) ? [] : service.edges.filter((edge) => !recent(edge)),
  };
}

/** Services whose single reports have to be looked at: they list what nobody declared, or not what somebody did. */
export function lookedUp(map: SystemMap, state: SystemState, now: number): string[] {
  return polledServices(map).flatMap((service) => {
    const { unmapped, missing } = listingOf(service, state, now);
    return unmapped.length + missing.length > 0 ? [service.id] : [];
  });
}

/** Reported but not declared, declared but never reported, and criticalities on which report and map differ. */
export function reportFindings(map: SystemMap, state: SystemState, facts: LabelFacts, now: number): LabelFinding[] {
  const meanings = meaningsIn(map);
  return polledServices(map).flatMap((service) => {
    const listing = listingOf(service, state, now);
    const reported = facts.reported.get(service.id);
    const found = reported ? [...missingFrom(listing, reported), ...undeclared(listing, reported, map, meanings)] : [];
    return [...found, ...differing(listing, facts)];
  });
}

/** Whether so many reports over so long prove that what none of them lists is missing. */
function suffices({ reports, from, to }: ReportedNames, { interval }: ServiceNode): boolean {
  const span = to - from;
  if (reports >= MISSING_IN) return span >= MISSING_FOR_MS;
  return reports >= LISTED_IN && span >= MISSING_FOR_LONG_MS && reports * interval >= span / 2;
}

function missingFrom({ service, unmapped, missing }: Listing, reported: ReportedNames): LabelFinding[] {
  const { reports, from, to } = reported;
  if (!suffices(reported, service)) return [];
  return missing
    .filter(({ components }) => !components.some((name) => [...reported.names.keys()].some((listed) => baseOf(listed) === name)))
    .map((edge) => {
      const other = unmapped.find((name) => soundsLike(name, edge));
      const all = `none of its ${reports} reports of ${humanDuration(to - from)} lists it`;
      const names = edge.components.length === 1 && edge.components[0] === edge.to ? [] : edge.components;
      return finding(service, "not_reported", reported, {
        edge,
        component: other ?? null,
        confidence: 0.95,
        text: `${service.id} declares ${edge.to}, yet ${all}${other === undefined ? "" : `; they list ${other}, which may be it`}`,
        agreeing: reported.reports,
        edit: other === undefined ? { kind: "remove" } : { kind: "components", names: [...names, other] },
      });
    });
}

function undeclared(
  listing: Listing,
  reported: ReportedNames,
  map: SystemMap,
  meanings: ReadonlyMap<string, string | null>,
): LabelFinding[] {
  const { service, instances, unmapped, missing } = listing;
  const found = unmapped.flatMap((name) => {
    // Told with the dependency that is missing under its own name.
    if (missing.some((edge) => soundsLike(name, edge))) return [];
    let count = 0;
    for (const [listed, times] of reported.names) if (baseOf(listed) === name) count = Math.max(count, times);
    if (count < LISTED_IN) return [];
    const to = map.nodes.has(name) ? name : (meanings.get(fold(name)) ?? null);
    const edge = service.edges.find((one) => one.to === to) ?? null;
    const stated = instances.flatMap(({ components }) =>
      components.flatMap((one) => (baseOf(one.name) === name ? (one.criticality ?? []) : [])),
    )[0];
    const criticality = stated ?? "soft";
    const means = to === null ? "" : to === name ? "" : `, which others use for ${to}`;
    return finding(service, "not_declared", reported, {
      edge,
      to,
      component: name,
      suggested: edge ? null : criticality,
      confidence: count * 2 > reported.reports ? 0.95 : 0.75,
      text: edge
        ? `${service.id} reports ${name}${means}, and declares that dependency under another name`
        : `${service.id} reports ${name}${means}, and declares no such dependency`,
      agreeing: count,
      edit: edge
        ? { kind: "components", names: [...edge.components, name] }
        : { kind: "add", on: to ?? idFrom(name), component: name === (to ?? idFrom(name)) ? null : name, criticality, isNew: to === null },
    });
  });
  return found.length > MOST_NAMES ? [] : found;
}

function differing({ service, instances }: Listing, facts: LabelFacts): LabelFinding[] {
  return service.edges.flatMap((edge) => {
    // Alternatives are each soft to those who check them one by one, and hard together.
    if (edge.group !== null) return [];
    const stated = instances.flatMap(({ components }) =>
      components.flatMap(({ name, criticality }) => (criticality && edge.components.includes(baseOf(name)) ? [criticality] : [])),
    );
    const [first] = stated;
    if (first === undefined || first === edge.criticality || stated.some((one) => one !== first)) return [];
    const reporting = { from: facts.from, to: facts.to, reports: stated.length };
    return finding(service, "criticality_differs", reporting, {
      edge,
      suggested: first,
      component: edge.components[0] ?? null,
      confidence: 0.7,
      text: `${service.id} declares ${edge.to} ${edge.criticality}, and its own report calls it ${first}`,
      agreeing: stated.length,
      edit: { kind: "set", key: "criticality", value: first },
    });
  });
}

/** What names mean that services give to nodes, where all agree; folded, ids included. */
function meaningsIn(map: SystemMap): ReadonlyMap<string, string | null> {
  const meanings = new Map<string, string | null>();
  for (const node of map.nodes.values())
    for (const edge of node.kind === "service" ? node.edges : [])
      for (const name of edge.components) {
        const known = meanings.get(fold(name));
        meanings.set(fold(name), known === undefined || known === edge.to ? edge.to : null);
      }
  for (const id of map.nodes.keys()) meanings.set(fold(id), id);
  return meanings;
}

/** One name is part of the other, as a word of it where it is short, or the same in another spelling. */
function soundsLike(name: string, { to, components }: Edge): boolean {
  const heard = fold(name);
  return [to, ...components].some((known) => {
    if (wordsOf(name).includes(fold(known)) || wordsOf(known).includes(heard)) return true;
    const [short = "", long = ""] = [heard, fold(known)].sort((a, b) => a.length - b.length);
    return short.length >= 4 && long.includes(short);
  });
}

/** The words that a name is made of: `S3Client`, `orders-db`. */
const wordsOf = (name: string): string[] =>
  name
    .replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, " ")
    .split(/[-_. :/]+/)
    .map(fold);

/** An id that the map allows, from a reported name. */
function idFrom(name: string): string {
  const id = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 100);
  return id === "" ? "unnamed" : id;
}

/** One finding; `looked` is the time and the number of reports that were looked at. */
function finding(
  service: ServiceNode,
  kind: LabelFinding["kind"],
  looked: Pick<ReportedNames, "from" | "to" | "reports">,
  found: Pick<LabelFinding, "component" | "confidence" | "text" | "edit"> &
    Partial<Pick<LabelFinding, "to" | "suggested">> & { edge: Edge | null; agreeing: number },
): LabelFinding {
  const { edge, component, confidence, text, edit, agreeing } = found;
  return {
    kind,
    from: service.id,
    to: edge?.to ?? found.to ?? null,
    component,
    declared: edge?.criticality ?? null,
    suggested: found.suggested ?? null,
    team: edge?.owner ?? service.team,
    confidence,
    level: levelOf(confidence),
    text,
    evidence: { ...NO_OUTAGES, from: looked.from, to: looked.to, reports: { total: looked.reports, agreeing } },
    edit,
  };
}
