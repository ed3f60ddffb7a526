import type { z } from "zod";
import type { Place } from "../domain/map.ts";
import type { Findings } from "./problems.ts";
import type { Suggester } from "./suggest.ts";
import { type ListNode, type MapNodeTree, placeOf, quote, type ScalarNode, type TreeNode } from "./tree.ts";
import { CODES, Id, QUIET } from "./words.ts";

/** Values looked at in one file; aliases can make a small file expand without end. */
const MOST_VALUES = 1_000_000;

/** What the walk needs of zod's definitions. */
interface Definition {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  keyType?: z.ZodType;
  valueType?: z.ZodType;
  options?: readonly z.ZodType[];
  innerType?: z.ZodType;
  entries?: Record<string, string>;
  values?: readonly unknown[];
}

const definition = (schema: z.ZodType) => schema.def as unknown as Definition;

/** The schema without `optional`. */
export function inner(schema: z.ZodType): z.ZodType {
  const { innerType } = definition(schema);
  return innerType ? inner(innerType) : schema;
}

/** The keys of an object schema, in order; empty for anything else. */
export function keysOf(schema: z.ZodType): Record<string, z.ZodType> {
  return definition(inner(schema)).shape ?? {};
}

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
    if (node.bad) return;
    const wanted = this.#alternative(inner(schema), node);
    const { type } = definition(wanted);
    if (--this.#left < 0) this.#refuse(node, "too-large", `more than ${MOST_VALUES} values in one file`);
    else if (type === "object" || type === "record") this.#container(wanted, node, name);
    else if (type === "array") this.#list(wanted, node, name);
    else if (node.kind === "scalar") this.#scalar(wanted, node, name);
    else this.#refuse(node, this.#code(wanted), `${name} ${this.#must(wanted)}, not ${describe(node)}`);
  }

  /** Of a union of scalar, list and mapping, the one of the node's kind; the first where there is none. */
  #alternative(schema: z.ZodType, node: TreeNode): z.ZodType {
    const options = definition(schema).options;
    if (!options || definition(schema).type !== "union") return schema;
    const kinds = options.map((option) => this.#kind(option));
    if (kinds.every((kind) => kind === "scalar")) return schema;
    const at = kinds.indexOf(node.kind);
    return (at >= 0 ? options[at] : options[0]) ?? schema;
  }

  #kind(schema: z.ZodType): TreeNode["kind"] {
    const { type } = definition(inner(schema));
    return type === "array" ? "list" : type === "object" || type === "record" ? "map" : "scalar";
  }

  #container(schema: z.ZodType, node: TreeNode, name: string): void {
    if (isNull(node)) return;
    const { shape, keyType, valueType } = definition(schema);
    if (node.kind !== "map") this.#refuse(node, "wrong-type", `${name} must be a mapping, not ${describe(node)}`);
    else if (shape) this.#object(shape, node, name);
    else if (keyType && valueType) this.#record(keyType, valueType, node, name);
  }

  #object(shape: Record<string, z.ZodType>, node: MapNodeTree, name: string): void {
    const meant = new Set<string>();
    for (const [key, entry] of node.entries) {
      const schema = Object.hasOwn(shape, key) ? shape[key] : undefined;
      if (schema) this.check(schema, entry.node, key);
      else this.#unknown(key, entry.node.origin.place(entry.at), name, Object.keys(shape), node, meant);
    }
    for (const [key, schema] of Object.entries(shape)) {
      if (definition(schema).type === "optional" || node.entries.has(key) || meant.has(key)) continue;
      this.#findings.error(placeOf(node), "missing-key", `${name} has no ${key}, which ${this.#must(inner(schema))}`);
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

  #record(keyType: z.ZodType, valueType: z.ZodType, node: MapNodeTree, name: string): void {
    const ids = CODES.get(keyType)?.code === CODES.get(Id)?.code;
    for (const [key, entry] of node.entries) {
      const label = ids ? `${name.replace(/s$/, "")} ${JSON.stringify(key.slice(0, 128))}` : `${name}.${key.slice(0, 80)}`;
      const parsed = keyType.safeParse(key);
      if (!parsed.success) {
        const place = entry.node.origin.place(entry.at);
        this.#findings.error(
          place,
          CODES.get(keyType)?.code ?? "wrong-type",
          `${label} ${parsed.error.issues[0]?.message ?? "is not allowed"}`,
        );
      }
      if (this.#kind(valueType) === "scalar" && isNull(entry.node)) {
        this.#refuse(entry.node, this.#code(inner(valueType)), `${label} has no value`);
      } else this.check(valueType, entry.node, label);
    }
  }

  #list(schema: z.ZodType, node: TreeNode, name: string): void {
    const mayBeEmpty = schema.safeParse([]).success;
    const most = longest(schema);
    const { element } = definition(schema);
    if (isNull(node) && mayBeEmpty) return;
    if (!mayBeEmpty && (isNull(node) || (node.kind === "list" && node.items.length === 0))) {
      this.#refuse(node, "empty-list", `${name} is empty; it needs at least one entry`);
    } else if (node.kind !== "list") this.#refuse(node, "wrong-type", `${name} must be a list, not ${describe(node)}`);
    else if (node.items.length > most)
      this.#refuse(node, "too-large", `${name} has ${node.items.length} entries; at most ${most} are allowed`);
    else if (element) this.#items(element, node, name);
  }

  #items(element: z.ZodType, node: ListNode, name: string): void {
    const label = ENTRY[name] ?? `each entry of ${name}`;
    for (const item of node.items) {
      if (item.kind === "scalar" && !item.bad && this.#kind(element) !== "scalar") {
        this.#refuse(item, "wrong-type", `${label} must be a mapping, not ${describe(item)}`);
      } else this.check(element, item, label);
    }
  }

  #scalar(schema: z.ZodType, node: ScalarNode, name: string): void {
    if (node.opaque) return;
    const { type } = definition(schema);
    const written = node.references.length > 0 && typeof node.value === "string" ? node.value : null;
    if (written !== null && type === "number" && /^\d+$/.test(written)) node.value = Number(written);
    if (written !== null && type === "boolean" && /^(?:true|false)$/.test(written)) node.value = written === "true";
    const parsed = schema.safeParse(node.value);
    if (parsed.success) return;
    const must = parsed.error.issues[0]?.message ?? this.#must(schema);
    const words = Object.values(definition(schema).entries ?? {});
    const hint = words.length > 0 ? this.#suggester.hint(String(node.value), words) : "";
    const shown = QUIET.has(schema) || node.value === null ? "" : `, not ${quote(node)}`;
    const advice =
      typeof node.value !== "string" && node.value !== null && type === "string" && !QUIET.has(schema)
        ? "; put it in quotes if it is meant as text"
        : "";
    this.#refuse(node, this.#code(schema), `${name} ${node.value === null ? `is empty; it ${must}` : must}${shown}${hint}${advice}`);
  }

  #code(schema: z.ZodType): string {
    return CODES.get(schema)?.code ?? "wrong-type";
  }

  /** What a scalar of this schema must be, in the schema's own words. */
  #must(schema: z.ZodType): string {
    const alternatives = definition(schema).options ?? [schema];
    const scalarSchema = alternatives.find((option) => this.#kind(option) === "scalar");
    if (!scalarSchema) return this.#kind(schema) === "list" ? "must be a list" : "must be a mapping";
    return scalarSchema.safeParse(undefined).error?.issues[0]?.message ?? "is needed";
  }

  #refuse(node: TreeNode, code: string, message: string): void {
    node.bad = true;
    this.#findings.error(placeOf(node), code, message);
  }
}

/** How messages call one entry of a list. */
const ENTRY: Readonly<Record<string, string>> = {
  dependencies: "a dependency",
  members: "a member",
  maintenance: "a maintenance window",
  instances: "an instance",
  tokens: "a token",
};

const isNull = (node: TreeNode) => node.kind === "scalar" && node.value === null;

function describe(node: TreeNode): string {
  if (node.kind !== "scalar") return node.kind === "map" ? "a mapping" : "a list";
  return typeof node.value === "string" ? "text" : node.value === null ? "nothing" : `a ${typeof node.value}`;
}

function longest(schema: z.ZodType): number {
  const bag = (schema as unknown as { _zod: { bag: { maximum?: number } } })._zod.bag;
  return bag.maximum ?? 100_000;
}
