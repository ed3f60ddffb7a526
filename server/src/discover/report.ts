import type { Observation } from "../domain/observation.ts";
import { isOfItself } from "../domain/own-checks.ts";
import { mentionsIn } from "./addresses.ts";
import { type Drafts, type Evidence, noDrafts, type Target } from "./graph.ts";
import { fold, isInside, isIp, isSelf, slug } from "./names.ts";
import { kindOfWord } from "./technology.ts";

/** A deep endpoint that was asked once. */
export interface Asked {
  /** As people named it; null where the address must do. */
  name: string | null;
  /** Without user and password. */
  url: string;
  /** Names of the headers that were sent. */
  headers: readonly string[];
  /** No other address that is asked has its host and port: those name the service. */
  alone: boolean;
}

/** Words of a path that name no service. */
const HEALTH_WORDS = /^(?:health\w*|-|_?status|api|v\d+|actuator|deep|check|hc|management|internal|live|ready|monitoring|q|\.well-known)$/i;

/** Names for services by their addresses, one for each, in order: the host's where it tells them apart, else a part of the path, else the port. */
export function nameAddresses(asked: readonly Asked[]): string[] {
  const byHost = asked.map(({ name, url }) => name ?? hostName(new URL(url)));
  const distinct = asked.map(({ name, url }, index) => {
    const own = byHost[index] ?? "";
    if (name !== null) return name;
    const same = asked.filter((other, at) => other.name === null && byHost[at] === own && other.url !== url);
    const part = pathName(new URL(url));
    const elsewhere = same.map((other) => pathName(new URL(other.url)));
    if (same.length === 0 || part === null || elsewhere.includes(part)) return same.length === 0 ? own : withPort(new URL(url), own);
    return part;
  });
  const taken = new Set<string>();
  return distinct.map((name, index) => {
    if (asked[index]?.name !== null) return name;
    let free = name;
    for (let turn = 2; taken.has(fold(free)); turn++) free = `${name}-${turn}`;
    taken.add(fold(free));
    return free;
  });
}

function hostName(url: URL): string {
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  if (isSelf(host)) return `localhost-${portOf(url)}`;
  if (isIp(host)) return slug(`${host}-${portOf(url)}`);
  const first = host.split(".")[0] ?? host;
  return isInside(host) || !/^(?:www|api|app|health|status|gateway|prod|staging|dev)$/.test(first) ? first : host;
}

const portOf = (url: URL) => url.port || (url.protocol === "https:" ? "443" : "80");
const withPort = (url: URL, name: string) => (name.endsWith(`-${portOf(url)}`) ? name : `${name}-${portOf(url)}`);
const pathName = (url: URL) => url.pathname.split("/").find((part) => part !== "" && !HEALTH_WORDS.test(part) && slug(part) !== "") ?? null;

/** What one answer of a deep endpoint tells: the service, and what it says it needs. */
export function readReport(asked: Asked, name: string, observation: Observation): Drafts {
  const drafts = noDrafts();
  const url = new URL(asked.url);
  const host = url.hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const where = `${url.origin}${url.pathname}`;
  const evidence = (what: string): Evidence => ({ source: "report", where, what });
  const { report, outcome } = observation;
  drafts.nodes.push({
    name,
    kind: "service",
    resourceKind: null,
    aliases: asked.alone ? [isSelf(host) ? `localhost:${portOf(url)}` : isIp(host) ? `${host}:${portOf(url)}` : host] : [],
    address: { url: withoutSecrets(url), deep: true, from: null, headers: asked.headers },
    team: null,
    title: null,
    description: null,
    evidence: evidence(report ? "reports" : `did not report: ${outcome}`),
    confidence: report ? "certain" : "guess",
  });
  for (const component of report?.components ?? []) {
    const bare = component.name.trim();
    if (isOfItself(bare)) {
      drafts.leftOut.push({ name: bare, where, why: `a component of ${name} that says how the process itself is` });
      continue;
    }
    drafts.edges.push({
      from: name,
      to: targetOf(bare),
      criticality: component.criticality ?? null,
      component: component.name,
      calls: null,
      message: false,
      evidence: evidence("component"),
      confidence: "certain",
    });
  }
  return drafts;
}

/** Some checks are named by the address that they try. */
function targetOf(component: string): Target {
  const [mention] = component.includes("://") ? mentionsIn("", component) : [];
  const name = mention?.host ?? component;
  return { name, kind: "resource", resourceKind: mention?.resourceKind ?? kindOfWord(name), exists: "always" };
}

const HARMLESS = /^[a-z0-9_-]{0,8}$/i;
const SECRET = /auth|cookie|cred|pass|secret|token|key|sig|code|session/i;

/** The address with references in place of query values that may be secrets. */
function withoutSecrets(url: URL): string {
  const query = [...url.searchParams].map(([name, value]) => {
    const kept = HARMLESS.test(value) && !SECRET.test(name);
    return `${encodeURIComponent(name)}=${kept ? value : `\u0024{${variableFor(name)}}`}`;
  });
  return `${url.origin}${url.pathname}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

/** The environment variable from which the map takes a header or a query value. */
export const variableFor = (name: string) => `HEALTH_${name.toUpperCase().replace(/[^A-Z0-9]+/g, "_")}`;
