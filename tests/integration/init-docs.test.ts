import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { drift } from "../../server/src/cli/drift.ts";
import { init } from "../../server/src/cli/init.ts";
import { scratchFolder } from "../support/headwater.ts";

const PAGE = readFileSync(path.join(import.meta.dirname, "../../docs/init.md"), "utf8");
const [compose, map, summary, config, dependencies, findings] = [...PAGE.matchAll(/^```\w+\n(.*?)^```$/gms)].map(([, text = ""]) => text);
let folder: ReturnType<typeof scratchFolder>;
beforeEach(() => {
  folder = scratchFolder();
});
afterEach(() => folder.remove());

async function run(command: typeof init, ...args: string[]) {
  const out = { stdout: "", stderr: "" };
  const io = {
    stdout: (text: string) => {
      out.stdout += text;
    },
    stderr: (text: string) => {
      out.stderr += text;
    },
    env: {},
    cwd: folder.path,
    colour: false,
  };
  return { code: await command(args, io), ...out };
}

test("what the page shows of init is what it prints", async () => {
  folder.write("compose.yaml", compose ?? "");
  expect(await run(init, "compose.yaml")).toEqual({ code: 0, stdout: map, stderr: summary });
});

test("what the page shows of drift is what it prints", async () => {
  folder.write("config/map/shop.yaml", config ?? "");
  folder.write("dependencies.json", dependencies ?? "");
  expect(await run(drift, "dependencies.json")).toEqual({ code: 1, stdout: findings, stderr: "" });
});
