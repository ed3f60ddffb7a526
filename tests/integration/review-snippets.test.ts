import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { scratchFolder } from "../support/headwater.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const CLI = path.join(ROOT, "server/dist/cli.js");
const [, hooks, workflow] = [...readFileSync(path.join(ROOT, "docs/review.md"), "utf8").matchAll(/^```yaml\n(.*?)^```$/gms)].map(
  ([, text = ""]) => parse(text),
);

const MAP = `resources: { orders-db: { kind: database } }
services:
  checkout:
    url: http://checkout.internal/health/deep
    headers: { authorization: "Bearer \u0024{CHECKOUT_HEALTH_TOKEN}" }
    dependencies:
      - { on: orders-db, criticality: soft }
`;
let folder: ReturnType<typeof scratchFolder>;

function run(command: string, env: Record<string, string> = {}) {
  const all = {
    ...process.env,
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.com",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.com",
    ...env,
  };
  const { status, stdout, stderr } = spawnSync("bash", ["-e", "-o", "pipefail", "-c", command], {
    cwd: folder.path,
    env: all,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

beforeEach(() => {
  folder = scratchFolder();
  folder.write("config/map/shop.yaml", MAP);
  folder.write("bin/headwater", `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  chmodSync(path.join(folder.path, "bin/headwater"), 0o755);
  expect(
    run(
      "git init -q -b main . && git add config && git commit -qm one && git update-ref refs/remotes/origin/main HEAD && git switch -qc change",
    ).status,
  ).toBe(0);
});
afterEach(() => folder.remove());

test("the pre-commit hook lets a good map pass and stops a broken one", () => {
  const [{ entry, files, language, pass_filenames }] = hooks.repos[0].hooks;
  expect([language, pass_filenames]).toEqual(["system", false]);
  const pattern = new RegExp(files);
  expect(
    ["config/map/shop.yaml", "config/headwater.yaml", "config/map/deep/x.yaml", "docs/map.md"].map((file) => pattern.test(file)),
  ).toEqual([true, true, false, false]);
  const hook = path.join(folder.path, ".git/hooks/pre-commit");
  writeFileSync(hook, `#!/bin/sh\nPATH="${folder.path}/bin:$PATH"\n${entry}\n`);
  chmodSync(hook, 0o755);
  folder.write("config/map/shop.yaml", MAP.replace("soft", "hard"));
  expect(run("git commit -qam two").status).toBe(0);
  folder.write("config/map/shop.yaml", MAP.replace("criticality: soft", "criticality: sfot"));
  const refused = run("git commit -qam three");
  expect(refused.status).toBe(1);
  expect(refused.stdout + refused.stderr).toContain("config/map/shop.yaml:7:39: error bad-criticality");
  expect(run("git log --oneline").stdout.trim().split("\n")).toHaveLength(2);
});

test("the workflow's steps annotate mistakes beside their lines and write what a change does", () => {
  const steps: { name?: string; run?: string }[] = workflow.jobs.map.steps;
  const step = (name: string) => steps.find((one) => one.name === name)?.run ?? "exit 9";
  const env = {
    HEADWATER: `${process.execPath} ${CLI}`,
    GITHUB_BASE_REF: "main",
    GITHUB_STEP_SUMMARY: path.join(folder.path, "summary.md"),
  };
  folder.write("config/map/shop.yaml", MAP.replace("soft", "hard"));
  expect(run(step("check"), env)).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^::warning file=config\/map\/shop\.yaml,line=7,col=9,title=no-owner::[^\n]+\n0 errors, 1 warning\n$/),
  });
  expect(run(step("diff"), env).status).toBe(0);
  const summary = readFileSync(env.GITHUB_STEP_SUMMARY, "utf8");
  expect(summary).toContain("checkout");
  expect(summary).toContain("orders-db");
  expect(readFileSync(path.join(folder.path, "map.md"), "utf8")).toBe(summary);
  folder.write("config/map/shop.yaml", MAP.replace("on: orders-db", "on: order-db"));
  expect(run(step("check"), env)).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(/^::error file=config\/map\/shop\.yaml,line=7,col=15,title=undeclared-node::/m),
  });
  const below = run(`cd config && ${step("check").replace("check config", "check .")}`, { ...env, GITHUB_WORKSPACE: folder.path });
  expect(below.stdout).toMatch(/^::error file=config\/map\/shop\.yaml,line=7/m);
});
