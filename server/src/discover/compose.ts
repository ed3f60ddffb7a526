import { interpolated, servicesOf, type Variables } from "../config/compose.ts";
import { child, items, keyPlace, type MapNodeTree, mapping, placeOf, type TreeNode, text, textOf } from "../config/tree.ts";
import { type Mention, mentionsInCommand } from "./addresses.ts";
import { laidOverBases, missingFiles } from "./compose-files.ts";
import { type Beside, environmentOf, scalarsOf } from "./compose-settings.ts";
import { type Drafts, type EdgeDraft, type Evidence, type FoundAddress, noDrafts, type Target } from "./graph.ts";
import { healthPath, looksDeep } from "./health.ts";
import { isInside } from "./names.ts";
import { kindOfImage } from "./technology.ts";
import { mentionsInValue } from "./text.ts";

/** More than anybody's file has. */
const MOST_SERVICES = 5_000;

const OWN_KEYS =
  "image build extends depends_on environment env_file ports expose command entrypoint healthcheck deploy volumes networks links container_name hostname restart".split(
    " ",
  );

/** Other files have an `include` too. */
const INCLUDES = /compose[^/]*\.ya?ml$/i;

/** A Compose file, or one that overrides another: `services` of the format in use, or services at the top level as in the first one. */
export function isCompose(document: TreeNode): document is MapNodeTree {
  if (document.kind !== "map" || document.entries.has("apiVersion") || document.entries.has("kind")) return false;
  if (INCLUDES.test(document.origin.path) && document.entries.has("include")) return true;
  const keys = document.entries.has("services") ? OWN_KEYS : ["image", "build"];
  const bodies = [...servicesOf(document).entries.values()].map(({ node }) => node);
  return bodies.some((body) => body.kind === "map" && keys.some((key) => body.entries.has(key)));
}

/** Services, what they start after, link to and are configured to call. A service that runs a database is a resource. */
export function readCompose(document: MapNodeTree, beside: Beside): Drafts {
  const { variables } = beside;
  const drafts = noDrafts();
  const services = laidOverBases(servicesOf(document), beside);
  const tasks = oneShots(services);
  drafts.leftOut.push(...missingFiles(document, beside));
  for (const name of [...services.entries.keys()].slice(0, MOST_SERVICES)) {
    const body = mapping(services, name);
    if (!body || name.startsWith("x-")) continue;
    const place = keyPlace(services, name);
    const where = `${place.file}:${place.line}`;
    if (tasks.has(name)) {
      drafts.leftOut.push({ name, where, why: "runs once and ends: others wait for its completion" });
      continue;
    }
    const off = profilesOff(body, beside);
    if (off.length > 0) {
      const on = `only under the ${off.length > 1 ? "profiles" : "profile"} ${off.join(", ")}, which COMPOSE_PROFILES does not turn on`;
      drafts.leftOut.push({ name, where, why: on });
      continue;
    }
    const image = interpolated(text(body, "image") ?? "", variables);
    const resourceKind = kindOfImage(image);
    const aliases = aliasesOf(body, name, variables);
    drafts.nodes.push({
      name,
      kind: resourceKind ? "resource" : "service",
      resourceKind,
      aliases,
      address: resourceKind ? null : addressOf(body, name, aliases),
      team: null,
      title: null,
      description: null,
      evidence: { source: "compose", where, what: image === "" ? "service" : `service, image ${shortImage(image)}` },
      confidence: "certain",
    });
    drafts.edges.push(...edgesOf(body, name, beside).filter(({ to }) => !tasks.has(to.name)));
  }
  return drafts;
}

/** The profiles of a service that is not started, as none of them is on; none where it is. */
function profilesOff(body: MapNodeTree, { variables, profiles }: Beside): string[] {
  const own = scalarsOf(body, "profiles").map((node) => interpolated(textOf(node), variables));
  return profiles.has("*") || own.some((name) => profiles.has(name)) ? [] : own;
}

/** The name and tag of an image, without a registry that may hold credentials. */
const shortImage = (image: string) => (image.split("/").at(-1) ?? image).replace(/[^\w.:@-]/g, "").slice(0, 60);

/** Services that others wait for until they have ended, such as migrations. */
function oneShots(services: MapNodeTree): Set<string> {
  const found = new Set<string>();
  for (const name of services.entries.keys()) {
    const after = mapping(services, name) && child(mapping(services, name) as MapNodeTree, "depends_on");
    if (after?.kind !== "map") continue;
    for (const [target, { node }] of after.entries)
      if (node.kind === "map" && text(node, "condition") === "service_completed_successfully") found.add(target);
  }
  return found;
}

function aliasesOf(body: MapNodeTree, name: string, variables: Variables): string[] {
  const networks = mapping(body, "networks");
  const inNetworks = [...(networks?.entries.keys() ?? [])].flatMap((network) => {
    const settings = networks && mapping(networks, network);
    return settings ? items(settings, "aliases").flatMap((item) => (item.kind === "scalar" ? [textOf(item)] : [])) : [];
  });
  const own = ["container_name", "hostname"].flatMap((key) => text(body, key) ?? []);
  return [...new Set([...own, ...inNetworks, ...publishedAt(body, variables)])].filter((alias) => alias !== name && !alias.includes("$"));
}

/** `localhost:8081` for a port that is published there: a deep endpoint asked at that address is this service's. */
function publishedAt(body: MapNodeTree, variables: Variables): string[] {
  return items(body, "ports").flatMap((item) => {
    const port =
      item.kind === "map"
        ? text(item, "published")
        : item.kind === "scalar"
          ? /^(?:[^:]*:)?(\d+):\d+(?:\/tcp)?$/.exec(interpolated(textOf(item), variables))?.[1]
          : null;
    return port ? [`localhost:${port}`] : [];
  });
}

/** The address that a health check asks, seen from the network. */
function addressOf(body: MapNodeTree, name: string, aliases: readonly string[]): FoundAddress | null {
  const check = mapping(body, "healthcheck");
  const test = check && child(check, "test");
  if (!test) return null;
  const asked = healthPath(scalarsOf(check, "test").map(textOf).join(" "), [name, ...aliases]);
  if (!asked) return null;
  const port = asked.port === null ? "" : `:${asked.port}`;
  return {
    url: `${asked.scheme}://${name}${port}${asked.path}`,
    deep: looksDeep(asked.path),
    from: `healthcheck, ${placeOf(test).file}:${placeOf(test).line}`,
    headers: [],
  };
}

function edgesOf(body: MapNodeTree, from: string, beside: Beside): EdgeDraft[] {
  return [...startOrder(body, from), ...links(body, from), ...configured(body, from, beside)];
}

const edge = (from: string, to: Target, evidence: Evidence, confidence: EdgeDraft["confidence"]): EdgeDraft => ({
  from,
  to,
  criticality: null,
  component: null,
  calls: null,
  message: false,
  evidence,
  confidence,
});

const known = (name: string): Target => ({ name, kind: "service", resourceKind: null, exists: "known" });

function startOrder(body: MapNodeTree, from: string): EdgeDraft[] {
  const after = child(body, "depends_on");
  const names =
    after?.kind === "map"
      ? [...after.entries].map(([name, { at, node }]) => ({ name, place: node.origin.place(at) }))
      : (after?.kind === "list" ? after.items : []).flatMap((item) =>
          item.kind === "scalar" ? [{ name: textOf(item), place: placeOf(item) }] : [],
        );
  return names.map(({ name, place }) =>
    edge(from, known(name), { source: "compose", where: `${place.file}:${place.line}`, what: "depends_on" }, "guess"),
  );
}

/** The names of its own under which a service knows others: `mysql:database` under `links`. */
function linkNames(body: MapNodeTree): Map<string, string> {
  const pairs = scalarsOf(body, "links").map((item) => textOf(item).split(":"));
  return new Map(pairs.flatMap(([name, alias]) => (name && alias ? [[alias.toLowerCase(), name] as const] : [])));
}

function links(body: MapNodeTree, from: string): EdgeDraft[] {
  return ["links", "external_links"].flatMap((key) =>
    items(body, key).flatMap((item) => {
      if (item.kind !== "scalar") return [];
      const target: Target = { ...known(textOf(item).split(":")[0] ?? ""), exists: key === "links" ? "known" : "always" };
      const { file, line } = placeOf(item);
      return target.name === "" ? [] : [edge(from, target, { source: "compose", where: `${file}:${line}`, what: key }, "likely")];
    }),
  );
}

/** Addresses in the environment, in build arguments' stead never, and in the command. */
function configured(body: MapNodeTree, from: string, beside: Beside): EdgeDraft[] {
  const { variables } = beside;
  const linked = linkNames(body);
  const target = (mention: Mention): Target => targetOf({ ...mention, host: linked.get(mention.host) ?? mention.host });
  const found: EdgeDraft[] = [];
  for (const { name, value } of environmentOf(body, beside)) {
    for (const { mention, key, where } of mentionsInValue(name, value)) {
      found.push(edge(from, target(mention), { source: "compose", where, what: key }, "likely"));
    }
  }
  for (const key of ["command", "entrypoint"]) {
    for (const part of scalarsOf(body, key)) {
      const { file, line } = placeOf(part);
      for (const mention of mentionsInCommand(interpolated(textOf(part), variables), false)) {
        const evidence: Evidence = { source: "compose", where: `${file}:${line}`, what: key };
        found.push(edge(from, target(mention), evidence, mention.form === "word" ? "guess" : "likely"));
      }
    }
  }
  return found;
}

/** A mention as a target: an address names somebody, whoever runs it; a bare word only where some node has that name. */
export function targetOf({ host, resourceKind, form }: Mention): Target {
  const outside = !isInside(host);
  const kind = resourceKind !== null || outside ? "resource" : "service";
  return {
    name: host,
    kind,
    resourceKind: resourceKind ?? (outside ? "external-api" : null),
    exists: form === "word" ? "known" : "always",
  };
}
