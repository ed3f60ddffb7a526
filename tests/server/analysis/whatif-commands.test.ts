import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { spof } from "../../../server/src/cli/spof.ts";
import { whatif } from "../../../server/src/cli/whatif.ts";
import { runCommand } from "../../support/command.ts";

const MAP = `
resources: { db: { kind: database } }
services:
  web: { url: "http://web.test/health", dependencies: [ { on: api, criticality: hard } ] }
  api: { url: "http://api.test/health", dependencies: [ { on: db, criticality: hard } ] }
systems:
  shop: { members: [ { node: web, criticality: hard } ] }
`;

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(path.join(tmpdir(), "whatif-"));
  mkdirSync(path.join(dir, "config/map"), { recursive: true });
  writeFileSync(path.join(dir, "config/map/map.yaml"), MAP);
});
afterAll(() => rmSync(dir, { recursive: true }));

async function run(command: typeof whatif, ...args: string[]) {
  const { code, out, err } = await runCommand(command, args, { cwd: dir });
  return { code, stdout: out, stderr: err };
}

it("whatif says who suffers, and which systems", async () => {
  const { code, stdout } = await run(whatif, "db");
  expect([code, stdout]).toEqual([0, "if db is down:\n  system shop: unhealthy\n  unhealthy api\n  unhealthy web  (web → api → db)\n"]);
  expect(JSON.parse((await run(whatif, "db", "--json")).stdout)).toMatchObject({
    node: "db",
    systems: [{ id: "shop", effect: "unhealthy" }],
  });
});

it("whatif knows no strangers, and needs one node", async () => {
  expect(await run(whatif, "nobody")).toMatchObject({ code: 1, stderr: 'headwater whatif: the map holds no node "nobody"\n' });
  expect(await run(whatif, "wbe")).toMatchObject({
    code: 1,
    stderr: 'headwater whatif: the map holds no node "wbe"; did you mean "web"?\n',
  });
  expect((await run(whatif)).code).toBe(2);
});

it("says what has no place in a call", async () => {
  expect((await run(whatif)).stderr).toMatch(
    /^headwater whatif: needs one node\n\nheadwater whatif NODE .*\n\nheadwater whatif --help tells more\.\n$/,
  );
  expect((await run(spof, "config")).stderr).toContain('headwater spof: "config" has no place here: this command takes options alone\n');
  expect((await run(spof, "--cofnig", "x")).stderr).toContain("there is no option --cofnig; did you mean --config?\n");
});

it("a broken map's files are named as they are found from here, with all its mistakes or their number", async () => {
  mkdirSync(path.join(dir, "broken/map"), { recursive: true });
  writeFileSync(
    path.join(dir, "broken/map/map.yaml"),
    `services:\n${Array.from({ length: 60 }, (_, n) => `  s${n}: { urll: x }\n`).join("")}`,
  );
  const { code, stderr } = await run(spof, "--config", "broken");
  expect(code).toBe(1);
  expect(stderr).toMatch(/^broken\/map\/map\.yaml:2:9: error unknown-key: /m);
  expect(stderr).toMatch(/\nand 10 more\n$/);
});

it("spof lists what alone breaks a system, worst first", async () => {
  const { code, stdout } = await run(spof);
  expect([code, stdout.split("\n")[0]]).toEqual([0, "db: 2 unhealthy, 0 degraded; breaks shop"]);
  expect(JSON.parse((await run(spof, "--json")).stdout).points.map(({ node }: { node: string }) => node)).toEqual(["db", "api", "web"]);
});

it.each([
  ["whatif", whatif, ["db"]],
  ["spof", spof, []],
])("%s takes a folder that is not there for no map, and needs no value of a reference", async (name, command, args) => {
  const answer = await run(command, ...args, "--config", "nowhere");
  expect(answer).toEqual({ code: 1, stdout: "", stderr: `headwater ${name}: nowhere is not a folder; --config names another\n` });
  mkdirSync(path.join(dir, "secret/map"), { recursive: true });
  const reference = "Bearer $" + "{TOKEN}";
  writeFileSync(path.join(dir, "secret/map/map.yaml"), MAP.replace('health",', `health", headers: { authorization: "${reference}" },`));
  expect((await run(command, ...args, "--config", "secret")).code).toBe(0);
});
