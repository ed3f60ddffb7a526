import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test, vi } from "vitest";
import { parseDocument } from "yaml";
import { CHECK_CODES } from "../../../server/src/config/codes.ts";
import { jsonSchema, referenceMarkdown } from "../../../server/src/config/document.ts";
import { AGGREGATOR_FILE, parseConfig } from "../../../server/src/config/parse.ts";

// Many cases or real files: a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

const ROOT = path.join(import.meta.dirname, "../../..");
const PAGES = path.join(ROOT, "docs/checks");
/** Codes that only a folder, a huge file or a certificate brings about, so that no block of YAML can show them. */
const WITHOUT_EXAMPLE = new Set(["ignored-file", "more", "not-pem", "too-deep", "too-large", "unreadable"]);

function codesIn(example: { file: string; text: string }): string[] {
  const references = { env: () => undefined, file: () => undefined };
  const { errors, warnings } = parseConfig([{ path: example.file, text: example.text }], references, "2026-11-29");
  return [...errors, ...warnings].map(({ code }) => code);
}

function examplesOf(page: string) {
  return [...page.matchAll(/^```yaml ?(\S*)\n(.*?)^```$/gms)].map(([, file, text]) => ({
    file: file === AGGREGATOR_FILE ? AGGREGATOR_FILE : "map/example.yaml",
    text: text ?? "",
  }));
}

test("every code has a page, every page a code, and the index lists them all", () => {
  const pages = readdirSync(PAGES).filter((name) => name !== "README.md");
  expect(pages.sort()).toEqual(CHECK_CODES.map((code) => `${code}.md`).sort());
  const index = readFileSync(path.join(PAGES, "README.md"), "utf8");
  for (const code of CHECK_CODES) expect(index).toContain(`](${code}.md)`);
});

describe("the page of a code shows a map that brings it, then one that does not", () => {
  test.each(CHECK_CODES.filter((code) => !WITHOUT_EXAMPLE.has(code)))("%s", (code) => {
    const [bad, good] = examplesOf(readFileSync(path.join(PAGES, `${code}.md`), "utf8"));
    expect(bad && codesIn(bad)).toContain(code);
    if (good) expect(codesIn(good).filter((found) => found !== "empty-map")).not.toContain(code);
  });
});

test("the committed schemas are those that the command prints", () => {
  for (const name of ["map", "headwater"] as const) {
    const committed = JSON.parse(readFileSync(path.join(ROOT, `config/schema/${name}.schema.json`), "utf8"));
    expect(committed, `update with: headwater schema ${name} > config/schema/${name}.schema.json`).toEqual(jsonSchema(name));
  }
});

test("the schema describes every key and refuses unknown ones at every level", () => {
  const undescribed: string[] = [];
  let objects = 0;
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    const part = value as { properties?: Record<string, { description?: string }>; additionalProperties?: unknown };
    if (part.properties) {
      objects++;
      expect(part.additionalProperties, at).toBe(false);
      for (const [key, property] of Object.entries(part.properties)) if (!property.description) undescribed.push(`${at}.${key}`);
    }
    for (const [key, inside] of Object.entries(value)) walk(inside, `${at}.${key}`);
  };
  walk(jsonSchema("any"), "any");
  expect(objects).toBeGreaterThan(15);
  expect(undescribed).toEqual([]);
});

interface Schema {
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  propertyNames?: Schema;
  additionalProperties?: boolean | Schema;
  required?: string[];
}

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** The part of JSON Schema that ours use, read as its specification says. */
function conforms(value: unknown, schema: Schema): boolean {
  const types = [schema.type ?? []].flat();
  const fits = types.some((type) => type === typeOf(value) || (type === "integer" && Number.isInteger(value)));
  if (types.length > 0 && !fits) return false;
  if (schema.enum && !schema.enum.includes(value)) return false;
  if (schema.const !== undefined && schema.const !== value) return false;
  if (schema.anyOf && !schema.anyOf.some((option) => conforms(value, option))) return false;
  if (typeof value === "string" && schema.pattern && !new RegExp(schema.pattern, "u").test(value)) return false;
  if (typeof value === "number" && (value < (schema.minimum ?? value) || value > (schema.maximum ?? value))) return false;
  if (Array.isArray(value)) {
    const { items = {}, minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    return value.length >= minItems && value.length <= maxItems && value.every((item) => conforms(item, items));
  }
  if (typeof value !== "object" || value === null) return true;
  const { properties = {}, propertyNames = {}, additionalProperties = true, required = [] } = schema;
  if (!required.every((key) => Object.hasOwn(value, key))) return false;
  return Object.entries(value).every(([key, inside]) => {
    if (!conforms(key, propertyNames)) return false;
    const known = Object.hasOwn(properties, key) ? properties[key] : additionalProperties;
    return typeof known === "object" ? conforms(inside, known) : known === true;
  });
}

describe("an editor that knows the schema alone agrees with check", () => {
  const fixtures = path.join(ROOT, "tests/fixtures");
  const accepts = (file: string, name: "map" | "headwater" | "any") => {
    const value: unknown = parseDocument(readFileSync(file, "utf8"), { schema: "core" }).toJS();
    return value === null || conforms(value, jsonSchema(name));
  };
  // An empty list in place of a mapping is taken by `check` alone.
  const good = readdirSync(path.join(fixtures, "config")).filter((name) => name.endsWith(".good.yaml") && name !== "empty.good.yaml");

  test.each(good)("on %s", (name) => {
    const file = path.join(fixtures, "config", name);
    expect([accepts(file, name.startsWith("headwater") ? "headwater" : "map"), accepts(file, "any")]).toEqual([true, true]);
  });

  const cases = path.join(fixtures, "map-cases/check");
  test.each(readdirSync(cases).filter((name) => name.startsWith("unknown-key-") || name.startsWith("criticality-")))(
    "on the mistake in %s",
    (name) => {
      const config = path.join(cases, name, "config");
      const files = readdirSync(path.join(config, "map")).map((file) => accepts(path.join(config, "map", file), "map"));
      if (readdirSync(config).includes(AGGREGATOR_FILE)) files.push(accepts(path.join(config, AGGREGATOR_FILE), "headwater"));
      expect(files).toContain(false);
    },
  );
});

test("the reference in the documentation is the one that the schema gives", () => {
  const [, reference] = readFileSync(path.join(ROOT, "docs/map.md"), "utf8").split("<!-- made by: headwater schema --markdown -->\n\n");
  // The formatter pads tables.
  const bare = (text: string | undefined) => text?.replace(/ {2,}/g, " ").replace(/-{3,}/g, "---");
  expect(bare(reference), "update with: headwater schema --markdown").toBe(bare(referenceMarkdown()));
});

describe("the examples in the guide are right", () => {
  const guide = readFileSync(path.join(ROOT, "docs/map.md"), "utf8");
  test.each(examplesOf(guide).map((example, index) => [index + 1, example] as const))("example %i", (_, { file, text }) => {
    const references = { env: () => "value", file: () => "-----BEGIN CERTIFICATE-----" };
    expect(parseConfig([{ path: file, text }], references, "2026-11-29").errors).toEqual([]);
  });
});
