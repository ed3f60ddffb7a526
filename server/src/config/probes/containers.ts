import { type Surroundings, withBases } from "../compose.ts";
import type { SourceFile } from "../tree.ts";
import { child, keyPlace, type MapNodeTree, mapping, scalar, type TreeNode, textOf } from "../tree.ts";
import { adviceFor } from "./advice.ts";
import { commandAsks, type Finding, normalPath, pathOf, type Target } from "./finding.ts";
import { commandOf } from "./workloads.ts";

const MESSAGE = `the health check asks the deep endpoint. ${adviceFor("docker-healthcheck-deep", "liveness", false)}`;

/** Health checks of a Compose file; a service belongs to the map's service of the same key. */
export function judgeCompose(document: TreeNode, target: (id: string) => Target): Finding[] {
  if (document.kind !== "map" || document.entries.has("apiVersion")) return [];
  const services = mapping(document, "services");
  return [...(services?.entries.keys() ?? [])].flatMap((id) => {
    const check = services && healthcheckOf(services, id);
    if (!check) return [];
    const command = commandOf(check, "test").map(textOf).join(" ");
    if (!commandAsks(command, target(id).paths)) return [];
    return [
      { file: check.origin.path, line: keyPlace(check, "test").line, rule: "docker-healthcheck-deep", level: "note", message: MESSAGE },
    ];
  });
}

/** A file is judged by itself. */
const NOTHING_BESIDE: Surroundings = { variables: new Map(), document: () => undefined };

/** The check that a service runs: its own, or that of what it extends in the same file. */
function healthcheckOf(services: MapNodeTree, id: string): MapNodeTree | null {
  const body = mapping(services, id);
  for (const each of body ? withBases(body, services, NOTHING_BESIDE) : []) {
    const check = mapping(each, "healthcheck");
    if (check && scalar(check, "disable")?.value === true) return null;
    if (check && child(check, "test")) return check;
  }
  return null;
}

/** `HEALTHCHECK` instructions of a Dockerfile, the last of each stage; it belongs to the service of the same name as its folder. */
export function judgeDockerfile({ path, text }: SourceFile, target: Target): Finding[] {
  const found: Finding[] = [];
  let stage: Finding[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    if (/^\s*FROM\s/i.test(lines[index] ?? "")) {
      found.push(...stage);
      stage = [];
    }
    if (!/^\s*HEALTHCHECK\s/i.test(lines[index] ?? "")) continue;
    const line = index + 1;
    let instruction = lines[index] ?? "";
    while (/\\\s*$/.test(instruction) && index + 1 < lines.length) {
      const next = lines[++index] ?? "";
      instruction = /^\s*#/.test(next) ? instruction : `${instruction.replace(/\\\s*$/, " ")}${next}`;
    }
    const deep = commandAsks(instruction, target.paths);
    stage = deep ? [{ file: path, line, rule: "docker-healthcheck-deep", level: "note", message: MESSAGE }] : [];
  }
  return [...found, ...stage];
}

const APP_SERVICE = `healthCheckPath is the deep endpoint. ${adviceFor("health-check-path-deep", "liveness", false)}`;

/** `healthCheckPath` of App Service in Pulumi, ARM or Crossplane; it belongs to the nearest thing around it with a name. */
export function judgeAppService(document: TreeNode, target: (id: string) => Target): Finding[] {
  const found: Finding[] = [];
  // Aliases share nodes: looked at once each, they cannot multiply.
  const seen = new Set<TreeNode>();
  const walk = (node: TreeNode, around: readonly { key: string; map: MapNodeTree }[]): void => {
    if (around.length > 24 || (node.kind !== "scalar" && seen.has(node))) return;
    seen.add(node);
    if (node.kind === "list") for (const item of node.items) walk(item, around);
    if (node.kind !== "map") return;
    for (const [key, entry] of node.entries) {
      const { node: value } = entry;
      const inside = [...around, { key, map: node }];
      if (/^health_?check_?path$/i.test(key) && value.kind === "scalar" && value.value !== null) {
        const { paths } = target(resourceName(inside));
        if (!paths.has(normalPath(pathOf(textOf(value).replace(/^\/?/, "/"))))) continue;
        const { line } = value.origin.place(value.at);
        found.push({ file: value.origin.path, line, rule: "health-check-path-deep", level: "note", message: APP_SERVICE });
      } else walk(value, inside);
    }
  };
  walk(document, []);
  return found;
}

/** From the inside out: a `name`, or one among `properties` or `metadata`; else the key of what has a `type`. */
function resourceName(around: readonly { key: string; map: MapNodeTree }[]): string {
  const inward = [...around].reverse();
  for (const { map } of inward) {
    for (const place of [map, mapping(map, "properties"), mapping(map, "metadata")]) {
      const name = place?.entries.get("name")?.node;
      if (name?.kind === "scalar" && typeof name.value === "string") return name.value.split("/")[0] ?? "";
    }
    if (map.entries.has("type")) break;
  }
  const index = around.findIndex(({ map }) => map.entries.has("type"));
  return around[index - 1]?.key ?? "";
}

/**
 * The same in Bicep and Terraform, which are read as lines: the name is the first in the resource around the path; where
 * that is put together of parts, the resource's own name in the file.
 */
export function judgeInfrastructureText({ path, text }: SourceFile, target: (id: string) => Target): Finding[] {
  const found: Finding[] = [];
  let names: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const resource = /^\s*resource\s+(?:"[\w-]+"\s+"([\w.-]+)"|([\w-]+)\s)/.exec(line);
    if (resource) names = [resource[1] ?? resource[2] ?? ""];
    const named = /^\s*name\s*[:=]\s*["']([\w.-]+)["']/.exec(line)?.[1];
    if (named && names.length < 2) names = [...names, named];
    const asked = /^\s*health_?check_?path\s*[:=]\s*["']([^"']+)["']/i.exec(line)?.[1];
    const name = names.at(-1);
    if (asked === undefined || name === undefined || !target(name).paths.has(normalPath(asked.replace(/^\/?/, "/")))) continue;
    found.push({ file: path, line: index + 1, rule: "health-check-path-deep", level: "note", message: APP_SERVICE });
  }
  return found;
}
