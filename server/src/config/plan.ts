import type { z } from "zod";
import type { CheckCode } from "./codes.ts";
import type { TreeNode } from "./tree.ts";
import { CODES, QUIET } from "./words.ts";

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
}

const definition = (schema: z.ZodType) => schema.def as unknown as Definition;

/** The schema without `optional`. */
export function inner(schema: z.ZodType): z.ZodType {
  const { innerType } = definition(schema);
  return innerType ? inner(innerType) : schema;
}

/** The keys of an object schema, in order; empty for anything else. */
export function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return definition(inner(schema)).shape ?? {};
}

/** The alternatives of a union; the schema itself for anything else. */
export function alternativesOf(schema: z.ZodType): readonly z.ZodType[] {
  return definition(inner(schema)).options ?? [inner(schema)];
}

/** The schema of a list's entries or a mapping's values, where it has one. */
export function contentOf(schema: z.ZodType): z.ZodType | null {
  const { element, valueType } = definition(inner(schema));
  return element ?? valueType ?? null;
}

/** A schema taken apart once, so that checking thousands of services does not do it again for each. */
export interface Plan {
  kind: TreeNode["kind"];
  schema: z.ZodType;
  code: CheckCode;
  quiet: boolean;
  /** Of a mapping with fixed keys. */
  keys: ReadonlyMap<string, Plan> | null;
  required: readonly string[];
  /** Of a mapping with free keys. */
  keyPlan: Plan | null;
  /** Of a list's entries, or a free mapping's values. */
  content: Plan | null;
  mayBeEmpty: boolean;
  longest: number;
  /** Of a union: by the kind of node that each takes. */
  alternatives: readonly Plan[];
  /** Type of a scalar: `string`, `number`, `boolean` or another. */
  type: string;
  /** Of an enumeration. */
  words: readonly string[];
  /** What the value must be, in the schema's own words. */
  must: string;
}

const plans = new WeakMap<z.ZodType, Plan>();

/** The plan of a schema; made once. */
export function planOf(wrapped: z.ZodType): Plan {
  const schema = inner(wrapped);
  const known = plans.get(schema);
  if (known) return known;
  const { type, shape, element, keyType, valueType, options, entries } = definition(schema);
  const alternatives = type === "union" ? (options ?? []).map(planOf) : [];
  const several = alternatives.some(({ kind }) => kind !== "scalar");
  const kind = type === "array" ? "list" : type === "object" || type === "record" ? "map" : "scalar";
  const content = element ?? valueType;
  const plan: Plan = {
    kind,
    schema,
    type,
    code: CODES.get(schema)?.code ?? "wrong-type",
    quiet: QUIET.has(schema),
    keys: shape ? new Map(Object.entries(shape).map(([key, value]) => [key, planOf(value)])) : null,
    required: Object.entries(shape ?? {}).flatMap(([key, value]) => (definition(value).type === "optional" ? [] : [key])),
    keyPlan: keyType ? planOf(keyType) : null,
    content: content ? planOf(content) : null,
    mayBeEmpty: type !== "array" || schema.safeParse([]).success,
    longest: type === "array" ? longest(schema) : Number.POSITIVE_INFINITY,
    alternatives: several ? alternatives : [],
    words: Object.values(entries ?? {}),
    must: kind === "list" ? "must be a list" : kind === "map" ? "must be a mapping" : must(schema, several ? alternatives : []),
  };
  plans.set(schema, plan);
  return plan;
}

function must(schema: z.ZodType, alternatives: readonly Plan[]): string {
  const scalar = alternatives.find(({ kind }) => kind === "scalar");
  return scalar?.must ?? schema.safeParse(undefined).error?.issues[0]?.message ?? "is needed";
}

function longest(schema: z.ZodType): number {
  const { bag } = (schema as unknown as { _zod: { bag: { maximum?: number } } })._zod;
  return bag.maximum ?? 100_000;
}
