import { z } from "zod";
import { AggregatorFile } from "./aggregator-schema.ts";
import { MapFile } from "./map-schema.ts";
import { alternativesOf, contentOf, inner, shapeOf } from "./plan.ts";

const TITLES = {
  map: "Headwater: one file of map/",
  headwater: "Headwater: headwater.yaml",
  any: "Headwater: any file of the configuration",
} as const;
/** The two kinds of file share no key, so that one schema can serve both. */
const FILES = { map: MapFile, headwater: AggregatorFile, any: z.strictObject({ ...AggregatorFile.shape, ...MapFile.shape }) } as const;
export type SchemaName = keyof typeof FILES;

/** The JSON Schema (draft 2020-12) of a kind of file, for editors; `check` sees more than any schema can. */
export function jsonSchema(name: SchemaName): Record<string, unknown> {
  const { $schema, ...rest } = z.toJSONSchema(FILES[name], { io: "input", override: withWords }) as Record<string, unknown>;
  return { $schema, title: TITLES[name], ...(asChecked(rest) as Record<string, unknown>) };
}

/** What editors say where a text is not of a pattern; a validator that does not know the key passes over it. */
function withWords({ zodSchema, jsonSchema }: { zodSchema: unknown; jsonSchema: Record<string, unknown> }): void {
  if (typeof jsonSchema.pattern !== "string") return;
  const complaint = (zodSchema as z.ZodType).safeParse("\0").error?.issues[0]?.message;
  if (complaint) jsonSchema.patternErrorMessage = complaint;
}

/** A value may be a reference, whatever else it must be; a key may not. */
function orReference(schema: unknown): unknown {
  const pattern = (schema as { pattern?: unknown } | null)?.pattern;
  return typeof pattern !== "string" || pattern.endsWith(REFERENCE) ? schema : { ...(schema as object), pattern: `${pattern}${REFERENCE}` };
}

const REFERENCE = "|\\$\\{";

/** Lets optional mappings and lists be null, and texts be references, so that an editor does not complain of what `check` takes. */
function asChecked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((inside) => orReference(asChecked(inside)));
  if (typeof value !== "object" || value === null) return value;
  const part = Object.fromEntries(
    Object.entries(value).map(([key, inside]) => [key, key === "propertyNames" ? inside : orReference(asChecked(inside))]),
  );
  const {
    properties,
    additionalProperties,
    required = [],
  } = part as { properties?: object; additionalProperties?: unknown; required?: string[] };
  if (properties) {
    const entries = Object.entries(properties).map(([key, inside]) => [key, required.includes(key) ? inside : orNull(inside)]);
    part.properties = Object.fromEntries(entries);
  }
  if (typeof additionalProperties === "object") part.additionalProperties = orNull(additionalProperties);
  return part;
}

function orNull(schema: unknown): unknown {
  const { type, minItems } = schema as { type?: unknown; minItems?: number };
  const may = type === "object" || (type === "array" && !minItems);
  return may ? { ...(schema as object), type: [type, "null"] } : schema;
}

/** Markdown tables of every key, what it takes, its default and an example: the reference part of `docs/map.md`. */
export function referenceMarkdown(): string {
  const parts = [
    "## `map/*.yaml`\n",
    "Any number of files, merged. All keys are optional; keys that are not listed are errors.\n",
    ...sections("", MapFile, 3),
    "## `headwater.yaml`\n",
    "The aggregator itself. The file may be missing.\n",
    ...sections("", AggregatorFile, 3),
  ];
  return `${parts.join("\n").trimEnd()}\n`;
}

/** The table of an object, then those of the objects inside it. */
function sections(path: string, schema: z.ZodType, level: number): string[] {
  const shape = shapeOf(schema);
  const rows = Object.entries(shape).map(([key, value]) => row(key, value, path));
  const table = ["| key | takes | default | meaning |", "| --- | --- | --- | --- |", ...rows].join("\n");
  const title = path === "" ? [] : [`${"#".repeat(level)} \`${path}\`\n`];
  const nested = Object.entries(shape).flatMap(([key, value]) => {
    const found = objectIn(value);
    return found ? sections(`${path === "" ? "" : `${path}.`}${key}${found.suffix}`, found.schema, level) : [];
  });
  return [...title, `${table}\n`, ...nested];
}

/** The object schema inside a key's value, and how its path goes on. */
function objectIn(schema: z.ZodType, depth = 0): { schema: z.ZodType; suffix: string } | null {
  if (depth > 3) return null;
  for (const option of alternativesOf(schema)) {
    if (Object.keys(shapeOf(option)).length > 0) return { schema: option, suffix: "" };
    const content = contentOf(option);
    const found = content && objectIn(content, depth + 1);
    if (found) return { schema: found.schema, suffix: `${inner(option).def.type === "array" ? "[]" : ".ID"}${found.suffix}` };
  }
  return null;
}

interface Meta {
  description?: string;
  default?: unknown;
  examples?: unknown[];
}

function row(key: string, schema: z.ZodType, path: string): string {
  const meta = (inner(schema).meta() ?? {}) as Meta;
  const required = schema.def.type !== "optional" && path !== "";
  const fallback = required ? "**required**" : meta.default === undefined ? "" : code(meta.default);
  const example = meta.examples?.[0] === undefined ? "" : ` Example: ${code(meta.examples[0])}.`;
  return `| \`${key}\` | ${cell(takes(schema))} | ${fallback} | ${cell(`${meta.description ?? ""}${example}`)} |`;
}

const cell = (text: string) => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const code = (value: unknown) => `\`${typeof value === "string" ? value : flow(value)}\``;

/** As a YAML flow value, so that an example can be pasted. */
function flow(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (typeof value === "object" && value !== null)
    return `{ ${Object.entries(value)
      .map(([key, part]) => `${key}: ${flow(part)}`)
      .join(", ")} }`;
  return typeof value === "string" && !/^[A-Za-z/][\w./:-]*$/.test(value) ? JSON.stringify(value) : String(value);
}

/** What a value must be, in a few words. */
function takes(schema: z.ZodType): string {
  return alternativesOf(schema)
    .map((option) => {
      const { type } = inner(option).def;
      const content = contentOf(option);
      if (type === "object") return "a mapping";
      if (type === "record") return content && objectIn(content) ? "a mapping from ids" : "names and values";
      if (type === "array") return content && !objectIn(content) ? `a list: ${takes(content)}` : "a list of mappings";
      return word(inner(option));
    })
    .join(", or ");
}

/** The schema's own complaint, without its first words, says best what it wants. */
function word(schema: z.ZodType): string {
  const message = schema.safeParse(undefined).error?.issues[0]?.message ?? "";
  return message.replace(/^must be /, "").replace(/[:,;] .*$/s, (rest) => (/^: /.test(rest) ? "" : rest.replace(/^, a positive.*$/s, "")));
}
