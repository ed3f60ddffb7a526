import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { jsonSchema } from "../../../server/src/config/document.ts";

const CONFIG = path.join(import.meta.dirname, "../../../config");

interface Part {
  properties?: Record<string, Part>;
  additionalProperties?: Part | boolean;
  items?: Part;
  anyOf?: Part[];
  description?: string;
  examples?: unknown[];
  default?: unknown;
}

/** Whether a value is a mapping with keys of its own, or holds such. */
const hasKeys = (part: Part): boolean =>
  part.properties !== undefined ||
  (typeof part.additionalProperties === "object" && hasKeys(part.additionalProperties)) ||
  (part.items !== undefined && hasKeys(part.items)) ||
  (part.anyOf ?? []).some(hasKeys);

test("an editor has something to show for every key: what it means, and an example or the default", () => {
  const poor: string[] = [];
  let keys = 0;
  const walk = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, part] of Object.entries((value as Part).properties ?? {})) {
      keys++;
      if (!part.description || (!hasKeys(part) && part.examples === undefined && part.default === undefined)) poor.push(`${at}.${key}`);
    }
    for (const [key, inside] of Object.entries(value)) walk(inside, `${at}.${key}`);
  };
  walk(jsonSchema("any"), "");
  expect(keys).toBeGreaterThan(100);
  expect(poor).toEqual([]);
});

test("each shipped file begins with the address of its schema, and the schema is there", () => {
  const files = ["headwater.yaml", ...readdirSync(path.join(CONFIG, "map")).map((name) => `map/${name}`)];
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const [, schema = "none"] = /^# yaml-language-server: \$schema=(\S+)\n/.exec(readFileSync(path.join(CONFIG, file), "utf8")) ?? [];
    expect([file, schema, existsSync(path.join(CONFIG, path.dirname(file), schema))]).toEqual([file, schema, true]);
    expect(path.basename(schema)).toBe(file === "headwater.yaml" ? "headwater.schema.json" : "map.schema.json");
  }
});
