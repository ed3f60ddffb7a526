import type { Place } from "../domain/map.ts";
import type { Declared } from "./collect.ts";
import { scalars } from "./collect.ts";
import type { Context } from "./context.ts";
import { checkMetadataAddress } from "./metadata-address.ts";
import { REFERENCE_FORMS } from "./references.ts";
import { type MapNodeTree, mapping, placeOf, type ScalarNode, scalar, text, textOf } from "./tree.ts";

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,200}$/;
/** The client sets these itself, and refuses them from others. */
const OWN_HEADERS = new Set([
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const SECRET_NAME = /auth|cookie|credential|passw|secret|token|api-?key|access-?key|signature|^x?-?key$/i;
const SECRET_QUERY = /^(?:access_?)?token$|^api_?key$|^key$|passw|secret|^sig(?:nature)?$/i;
const LIVENESS_ANYWHERE = new Set(["livez", "liveness"]);
const LIVENESS_LAST = new Set(["live", "alive", "lively", "ping", "heartbeat", "is-alive", "isalive"]);

/** Checks how services are reached: addresses, headers, certificates. */
export function checkAddresses(context: Context): void {
  const seen = new Map<string, { by: string; place: Place }>();
  for (const node of context.all.nodes.values()) {
    checkLinks(context, node.body, "links");
    if (node.section !== "services") continue;
    checkUrls(context, node, seen);
    checkHeaders(context, node);
    checkTls(context, node);
  }
  for (const team of context.all.teams.values()) checkLinks(context, team.body, "links");
  for (const team of context.all.teams.values()) {
    const runbooks = scalar(team.body, "runbooks");
    if (runbooks) checkLink(context, runbooks, "runbooks");
  }
}

function checkUrls(context: Context, service: Declared, seen: Map<string, { by: string; place: Place }>): void {
  const { body, id } = service;
  const [url, instances] = [body.entries.get("url"), body.entries.get("instances")];
  if (url && instances) {
    const later = url.at > instances.at ? url : instances;
    context.findings.error(later.node.origin.place(later.at), "url-and-instances", `${id} has both url and instances: keep one of them`);
  }
  const addresses = [...scalars(body, "url"), ...scalars(body, "instances")];
  checkNeed(context, service, url ? 1 : instances?.node.kind === "list" ? instances.node.items.length : 0);
  for (const address of addresses) {
    if (address.opaque || !URL.canParse(textOf(address))) continue;
    checkAddress(context, id, address, new URL(textOf(address)), seen);
    checkMetadataAddress(address, `the address of ${id}`, context.findings);
  }
}

function checkNeed(context: Context, { body, id }: Declared, instances: number): void {
  const need = scalar(body, "need");
  if (!need || typeof need.value !== "number" || need.value <= instances) return;
  const has = instances === 1 ? "one instance" : `${instances} instances`;
  context.findings.error(placeOf(need), "bad-need", `need is ${need.value}, yet ${id} has ${has}`);
}

function checkAddress(context: Context, id: string, node: ScalarNode, url: URL, seen: Map<string, { by: string; place: Place }>): void {
  const place = placeOf(node);
  url.hash = "";
  const first = seen.get(url.href);
  if (first) {
    const whose = first.by === id ? "already one of its own" : `the same as that of ${first.by}`;
    context.findings.warning(
      place,
      "same-url",
      `the address of ${id} is ${whose} (${first.place.file}:${first.place.line}): it is polled twice`,
    );
  } else seen.set(url.href, { by: id, place });
  const parts = url.pathname.toLowerCase().split("/").filter(Boolean);
  const last = (parts.at(-1) ?? "").replace(/\.[a-z]+$/, "");
  if (LIVENESS_LAST.has(last) || parts.some((part) => LIVENESS_ANYWHERE.has(part.replace(/\.[a-z]+$/, "")))) {
    context.findings.warning(
      place,
      "liveness-url",
      `${id} is polled at what looks like a liveness endpoint, which says nothing of dependencies; name its deep endpoint`,
    );
  }
  for (const [name, value] of url.searchParams) {
    if (SECRET_QUERY.test(name) && value !== "" && node.references.length === 0) {
      context.findings.warning(
        place,
        "literal-secret",
        `the query parameter ${name} looks like a secret: write it as a reference, ${REFERENCE_FORMS}`,
      );
    }
  }
}

function checkHeaders(context: Context, service: Declared): void {
  const headers = mapping(service.body, "headers");
  if (!headers) return;
  const names = new Map<string, string>();
  for (const [name, entry] of headers.entries) {
    const place = entry.node.origin.place(entry.at);
    const folded = name.toLowerCase();
    const shown = JSON.stringify(name.slice(0, 80));
    if (!TOKEN.test(name))
      context.findings.error(place, "bad-header", `header ${shown} cannot be sent: its name holds a character that none may hold`);
    else if (OWN_HEADERS.has(folded))
      context.findings.error(place, "bad-header", `header ${shown} cannot be sent: the connection sets it itself`);
    else if (names.has(folded))
      context.findings.error(place, "bad-header", `header ${shown} is already set as ${JSON.stringify(names.get(folded))}`);
    names.set(folded, name);
    const { node } = entry;
    if (!SECRET_NAME.test(name) || node.bad || node.kind !== "scalar" || node.references.length > 0 || textOf(node) === "") continue;
    context.findings.warning(
      placeOf(node),
      "literal-secret",
      `header ${shown} looks like a literal secret: write it as a reference, ${REFERENCE_FORMS}`,
    );
  }
}

function checkTls(context: Context, service: Declared): void {
  const tls = mapping(service.body, "tls");
  if (!tls) return;
  for (const key of ["ca", "cert", "key"]) {
    const node = scalar(tls, key);
    if (!node || node.opaque || !context.references) continue;
    const pem = pemOf(node, context.references.file);
    if (pem === undefined)
      context.findings.error(placeOf(node), "missing-file", `the ${key} file ${JSON.stringify(node.source.slice(0, 200))} cannot be read`);
    else if (!pem.includes("-----BEGIN ")) context.findings.warning(placeOf(node), "not-pem", `the ${key} file holds no PEM text`);
    if (key === "key" && textOf(node).startsWith("-----BEGIN ") && node.references.length === 0) {
      context.findings.warning(placeOf(node), "literal-secret", "the private key stands in the map: name a file instead");
    }
  }
  const [cert, key] = [tls.entries.has("cert"), tls.entries.has("key")];
  if (cert !== key)
    context.findings.error(
      placeOf(tls),
      "tls-pair",
      `tls has ${cert ? "cert without key" : "key without cert"}: a client certificate needs both`,
    );
  const urls = [...scalars(service.body, "url"), ...scalars(service.body, "instances")];
  if (urls.length > 0 && urls.every((url) => /^http:/i.test(textOf(url)))) {
    context.findings.warning(placeOf(tls), "tls-unused", `tls has no effect: ${service.id} is polled over http`);
  }
}

/** PEM text: the value itself where it is one, else the file it names; undefined where that cannot be read. */
export function pemOf(node: ScalarNode, file: (path: string) => string | undefined): string | undefined {
  const value = textOf(node);
  return value.startsWith("-----BEGIN ") ? value : file(value);
}

function checkLinks(context: Context, body: MapNodeTree, key: string): void {
  const links = mapping(body, key);
  for (const [name, entry] of links?.entries ?? []) {
    if (entry.node.kind === "scalar" && !entry.node.bad && entry.node.value !== null) checkLink(context, entry.node, name);
  }
}

/** Links are followed by people who trust the board. */
function checkLink(context: Context, node: ScalarNode, name: string): void {
  if (node.opaque) return;
  const shown = JSON.stringify(name.slice(0, 80));
  const scheme = /^\s*([a-z][a-z0-9+.-]*):/i.exec(textOf(node))?.[1]?.toLowerCase() ?? "";
  if (DANGEROUS.has(scheme)) context.findings.error(placeOf(node), "bad-link", `the link ${shown} must not be a ${scheme}: URL`);
  else if (/^\s*https?:\/\/[^/?#]*@/i.test(textOf(node))) {
    context.findings.error(placeOf(node), "bad-link", `the link ${shown} must hold no user or password: everybody sees it`);
  } else if (!FOLLOWED.has(scheme)) {
    context.findings.warning(placeOf(node), "bad-link", `the link ${shown} is no http, https or mailto URL, so it is shown as text`);
  }
}

const FOLLOWED = new Set(["http", "https", "mailto"]);
const DANGEROUS = new Set(["javascript", "data", "vbscript", "file"]);

/** The links of a node or team, in order. */
export function linksOf(body: MapNodeTree): Record<string, string> {
  const links: Record<string, string> = Object.create(null) as Record<string, string>;
  const declared = mapping(body, "links");
  for (const key of declared?.entries.keys() ?? []) {
    const value = declared ? text(declared, key) : null;
    if (value !== null) links[key] = value;
  }
  return links;
}
