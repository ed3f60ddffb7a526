import type { z } from "zod";
import type { Place } from "../domain/map.ts";
import type { CheckCode } from "./codes.ts";
import { type Plan, planOf } from "./plan.ts";
import type { Findings } from "./problems.ts";
import type { Suggester } from "./suggest.ts";
import { type ListNode, type MapNodeTree, placeOf, quote, type ScalarNode, type TreeNode } from "./tree.ts";

/** Values looked at in one file; aliases can make a small file expand without end. */
const MOST_VALUES = 1_000_000;

/**
 * Walks a file's tree along the schema and reports each mistake where it stands. Parts that are wrong are marked `bad`,
 * so that what follows can read all the rest: whatever is not bad is as the schema says.
 */
export class Validator {
  readonly #findings: Findings;
  readonly #suggester: Suggester;
  #left = MOST_VALUES;

  constructor(findings: Findings, suggester: Suggester) {
    this.#findings = findings;
    this.#suggester = suggester;
  }

  /** `name` is how messages call the value. */
  check(schema: z.ZodType, node: TreeNode, name: string): void {
    this.#check(planOf(schema), node, name);
  }

  #check(plan: Plan, node: TreeNode, name: string): void {
    if (node.bad) return;
    const wanted = plan.alternatives.length > 0 ? alternative(plan, node) : plan;
    if (--this.#left < 0) this.#refuse(node, "too-large", `more than ${MOST_VALUES} values in one file`);
    else if (wanted.kind === "map") this.#container(wanted, node, name);
    else if (wanted.kind === "list") this.#list(wanted, node, name);
    else if (node.kind === "scalar") this.#scalar(wanted, node, name);
    else this.#refuse(node, wanted.code, `${name} ${wanted.must}, not ${describe(node)}`);
  }

  #container(plan: Plan, node: TreeNode, name: string): void {
    if (isNull(node) || isEmptyList(node)) return;
    if (node.kind !== "map") this.#refuse(node, "wrong-type", `${name} must be a mapping, not ${describe(node)}`);
    else if (plan.keys) this.#object(plan, plan.keys, node, name);
    else if (plan.keyPlan && plan.content) this.#record(plan.keyPlan, plan.content, node, name);
  }

  #object(plan: Plan, keys: ReadonlyMap<string, Plan>, node: MapNodeTree, name: string): void {
    const meant = new Set<string>();
    for (const [key, entry] of node.entries) {
      const known = keys.get(key);
      if (known) this.#check(known, entry.node, key);
      else this.#unknown(key, entry.node.origin.place(entry.at), name, [...keys.keys()], node, meant);
    }
    for (const key of plan.required) {
      if (node.entries.has(key) || meant.has(key)) continue;
      this.#findings.error(placeOf(node), "missing-key", `${name} has no ${key}, which ${keys.get(key)?.must ?? "is needed"}`);
    }
  }

  /** Adds the key that was probably meant to `meant`, which then counts as there. */
  #unknown(key: string, place: Place, name: string, known: string[], parent: MapNodeTree, meant: Set<string>): void {
    const free = known.filter((other) => !parent.entries.has(other));
    const near = this.#suggester.nearest(key, free) ?? this.#suggester.nearest(key, known);
    if (near !== null) meant.add(near);
    const hint = near === null ? `; known are ${known.join(", ")}` : `; did you mean "${near}"?`;
    this.#findings.error(place, "unknown-key", `${name} has an unknown key ${JSON.stringify(key.slice(0, 80))}${hint}`);
  }

  #record(keyPlan: Plan, content: Plan, node: MapNodeTree, name: string): void {
    const ids = keyPlan.code === "bad-id";
    for (const [key, entry] of node.entries) {
      const label = ids ? `${name.replace(/s$/, "")} ${JSON.stringify(key.slice(0, 128))}` : `${name}.${key.slice(0, 80)}`;
      const parsed = keyPlan.schema.safeParse(key);
      if (!parsed.success) {
        const message = `${label} ${parsed.error.issues[0]?.message ?? "is not allowed"}`;
        this.#findings.error(entry.node.origin.place(entry.at), keyPlan.code, message);
      }
      if (content.kind === "map" && entry.node.kind === "list")
        this.#refuse(entry.node, "wrong-type", `${label} must be a mapping, not a list`);
      else if (content.kind === "scalar" && isNull(entry.node)) this.#refuse(entry.node, content.code, `${label} has no value`);
      else this.#check(content, entry.node, label);
    }
  }

  #list(plan: Plan, node: TreeNode, name: string): void {
    if (plan.mayBeEmpty && (isNull(node) || (node.kind === "map" && node.entries.size === 0))) return;
    if (!plan.mayBeEmpty && (isNull(node) || (node.kind === "list" && node.items.length === 0))) {
      this.#refuse(node, "empty-list", `${name} is empty; it needs at least one entry`);
    } else if (node.kind !== "list") this.#refuse(node, "wrong-type", `${name} must be a list, not ${describe(node)}`);
    else if (node.items.length > plan.longest) {
      this.#refuse(node, "too-large", `${name} has ${node.items.length} entries; at most ${plan.longest} are allowed`);
    } else if (plan.content) this.#items(plan.content, node, name);
  }

  #items(content: Plan, node: ListNode, name: string): void {
    const label = ENTRY[name] ?? `each entry of ${name}`;
    for (const item of node.items) {
      if (content.kind === "map" && (isNull(item) || isEmptyList(item)))
        this.#refuse(item, "wrong-type", `${label} must be a mapping, not ${describe(item)}`);
      else this.#check(content, item, label);
    }
  }

  #scalar(plan: Plan, node: ScalarNode, name: string): void {
    if (node.opaque) return;
    const written = node.references.length > 0 && typeof node.value === "string" ? node.value : null;
    if (written !== null && plan.type === "number" && /^\d+$/.test(written)) node.value = Number(written);
    if (written !== null && plan.type === "boolean" && /^(?:true|false)$/.test(written)) node.value = written === "true";
    const parsed = plan.schema.safeParse(node.value);
    if (parsed.success) return;
    const must = parsed.error.issues[0]?.message ?? plan.must;
    if (node.value === null) {
      this.#refuse(node, plan.code, `${name} is empty; it ${must}`);
      return;
    }
    const shown = plan.quiet ? "" : `, not ${quote(node)}`;
    const hint = plan.words.length > 0 && written === null ? this.#suggester.hint(String(node.value), plan.words) : "";
    const isText = plan.type === "string" && (plan.code === "wrong-type" || plan.code === "bad-id");
    const advice = isText && typeof node.value !== "string" && !plan.quiet ? "; put it in quotes if it is meant as text" : "";
    this.#refuse(node, plan.code, `${name} ${must}${shown}${hint}${advice}`);
  }

  #refuse(node: TreeNode, code: CheckCode, message: string): void {
    node.bad = true;
    this.#findings.error(placeOf(node), code, message);
  }
}

/** Of a union of scalar, list and mapping, the one of the node's kind; the first where there is none. */
function alternative(plan: Plan, node: TreeNode): Plan {
  return plan.alternatives.find(({ kind }) => kind === node.kind) ?? plan.alternatives[0] ?? plan;
}

/** How messages call one entry of a list. */
const ENTRY: Readonly<Record<string, string>> = {
  dependencies: "a dependency",
  members: "a member",
  maintenance: "a maintenance window",
  instances: "an instance",
  tokens: "a token",
};

/** Where a mapping may be missing, an empty list says the same. */
const isEmptyList = (node: TreeNode) => node.kind === "list" && node.items.length === 0;
const isNull = (node: TreeNode) => node.kind === "scalar" && node.value === null;

function describe(node: TreeNode): string {
  if (node.kind !== "scalar") return node.kind === "map" ? "a mapping" : "a list";
  return typeof node.value === "string" ? "text" : node.value === null ? "nothing" : `a ${typeof node.value}`;
}
