import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeDialects } from "../../../server/src/formats/describe.ts";
import { dialectNames } from "../../../server/src/formats/index.ts";

test("the page of dialects is the one that the registry gives", async () => {
  await expect(describeDialects()).toMatchFileSnapshot("../../../docs/dialects.md");
});

test("names are kebab case, each once", () => {
  const names = dialectNames();
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
});

test("each dialect has a file of its own, named after it", () => {
  const files = readdirSync(join(import.meta.dirname, "../../../server/src/formats/dialects"));
  expect(files.sort()).toEqual(
    dialectNames()
      .map((name) => `${name}.ts`)
      .sort(),
  );
});
