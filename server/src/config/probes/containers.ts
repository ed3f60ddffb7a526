import type { SourceFile } from "../tree.ts";
import { keyPlace, type MapNodeTree, mapping, type TreeNode, textOf } from "../tree.ts";
import { commandAsks, type Finding, normalPath, pathOf, type Target } from "./finding.ts";
import { commandOf } from "./workloads.ts";

const MESSAGE = "the container's health check asks the deep endpoint: fine on a developer's machine, not where it restarts anything";

/** Health checks of a Compose file; a service belongs to the map's service of the same key. */
export function judgeCompose(document: TreeNode, target: (id: string) => Target): Finding[] {
  if (document.kind !== "map" || document.entries.has("apiVersion")) return [];
  const services = mapping(document, "services");
  return [...(services?.entries.keys() ?? [])].flatMap((id) => {
    const check = services && mapping(mapping(services, id) ?? services, "healthcheck");
    if (!check) return [];
    const command = commandOf(check, "test").map(textOf).join(" ");
    if (!commandAsks(command, target(id).paths)) return [];
    return [
      { file: check.origin.path, line: keyPlace(check, "test").line, rule: "docker-healthcheck-deep", level: "note", message: MESSAGE },
    ];
  });
}

/** `HEALTHCHECK` instructions of a Dockerfile; it belongs to the service of the same name as its folder. */
export function judgeDockerfile({ path, text }: SourceFile, target: Target): Finding[] {
  const found: Finding[] = [];
  const lines = text.replace(/^\uFEFF/, "").split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    if (!/^\s*HEALTHCHECK\s/i.test(lines[index] ?? "")) continue;
    const line = index + 1;
    let instruction = lines[index] ?? "";
    while (/\\\s*$/.test(instruction) && index + 1 < lines.length) {
      const next = lines[++index] ?? "";
      instruction = /^\s*#/.test(next) ? instruction : `${instruction.replace(/\\\s*$/, " ")}${next}`;
    }
    if (!commandAsks(instruction, target.paths)) continue;
    found.push({ file: path, line, rule: "docker-healthcheck-deep", level: "note", message: MESSAGE });
  }
  return found;
}

const APP_SERVICE = "App Service asks the deep endpoint: it takes instances out by it, and guards only against removing all of them";

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

/** The same in Bicep and Terraform, which are read as lines: the name is the first in the resource around the path. */
export function judgeInfrastructureText({ path, text }: SourceFile, target: (id: string) => Target): Finding[] {
  const found: Finding[] = [];
  let name: string | null = null;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const resource = /^\s*resource\s+("?)[\w'"@./:-]+/.test(line);
    if (resource) name = null;
    const named = /^\s*name\s*[:=]\s*["']([\w.-]+)["']/.exec(line)?.[1];
    if (named) name ??= named;
    const asked = /^\s*health_?check_?path\s*[:=]\s*["']([^"']+)["']/i.exec(line)?.[1];
    if (asked === undefined || name === null || !target(name).paths.has(normalPath(asked))) continue;
    found.push({ file: path, line: index + 1, rule: "health-check-path-deep", level: "note", message: APP_SERVICE });
  }
  return found;
}
