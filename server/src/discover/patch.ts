import type { LabelPatcher } from "../config/label-patch.ts";
import type { SystemMap } from "../domain/map.ts";
import { proposed } from "./compare.ts";
import type { DriftFinding } from "./findings.ts";
import { count } from "./summary.ts";
import { dependency, key, text } from "./yaml.ts";

/** What to change in the map for one finding. */
export interface Patch {
  /** In the map's own YAML. */
  yaml: string;
  /** The same as a unified diff, by paths within the configuration folder; null where only a person can tell, or there is no line yet. */
  diff: string | null;
}

/**
 * A patch for each kind of finding. A resource that is new comes with the edge; a service is a finding of its own, with
 * what only people know of it. `newServices` are those that were seen and are not declared. Pure.
 */
export function patchFor(finding: DriftFinding, map: SystemMap, patcher: LabelPatcher, newServices: ReadonlySet<string>): Patch {
  return { yaml: yamlFor(finding, map), diff: diffFor(finding, map, patcher, newServices) };
}

function diffFor(finding: DriftFinding, map: SystemMap, patcher: LabelPatcher, newServices: ReadonlySet<string>): string | null {
  const { kind, node, to, place } = finding;
  if (place === null || to === null) return null;
  const edge = { from: node, to: kind === "undeclared_edge" ? null : to, file: place.file };
  const criticality = proposed(finding);
  const made =
    kind === "undeclared_edge"
      ? patcher.patch(edge, { kind: "add", on: to, component: null, criticality, isNew: !map.nodes.has(to) && !newServices.has(to) })
      : kind === "unseen_edge"
        ? patcher.patch(edge, { kind: "remove" })
        : kind === "criticality_differs"
          ? patcher.patch(edge, { kind: "set", key: "criticality", value: criticality })
          : null;
  return made !== null && "patch" in made ? made.patch.diff : null;
}

function yamlFor(finding: DriftFinding, map: SystemMap): string {
  const { kind, node, to, seen, calls, confidence } = finding;
  const other = to ?? "";
  const entry = `      - ${dependency({ to: other, criticality: proposed(finding) }, [])}`;
  switch (kind) {
    case "undeclared_edge": {
      const counted = calls === null ? "" : `, ${count(calls, "call")}`;
      const mark = ` # review: ${proposed(finding)} is ${confidence === "certain" && calls === null ? "as reported" : "a guess"}${counted}`;
      return under("services", node, ["    dependencies:", `${entry}${mark}`]);
    }
    case "undeclared_node": {
      if (seen === "service") return `services:\n  ${key(node)}: {} # review: where does it report? url:\n`;
      return `resources:\n  ${key(node)}: ${seen === null || seen === "resource" ? "{} # review: its kind?" : `{ kind: ${text(seen)} }`}\n`;
    }
    case "unseen_edge":
      return under("services", node, ["    dependencies:", `      # remove the entry for ${other}`]);
    case "unseen_node":
      return `# remove ${node}, and every entry that names it\n`;
    case "criticality_differs":
      return under("services", node, ["    dependencies:", entry]);
    case "team_differs":
      return under(sectionOf(node, map), node, [`    team: ${key(seen ?? "")}`]);
    case "kind_differs": {
      const section = seen === "service" ? "services" : "resources";
      if (section === sectionOf(node, map)) return under(section, node, [`    kind: ${text(seen ?? "")}`]);
      return `# move ${node} to ${section}\n${section}:\n  ${key(node)}: ${seen === "service" ? "{}" : `{ kind: ${text(seen ?? "")} }`}\n`;
    }
  }
}

const sectionOf = (node: string, map: SystemMap) => (map.nodes.get(node)?.kind === "resource" ? "resources" : "services");
const under = (section: string, id: string, lines: readonly string[]) => `${section}:\n  ${key(id)}:\n${lines.join("\n")}\n`;
