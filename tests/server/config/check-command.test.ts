import path from "node:path";
import { describe, expect, test } from "vitest";
import { check } from "../../../server/src/cli/check.ts";
import { runCommand } from "../../support/command.ts";

const CASES = path.join(import.meta.dirname, "../../fixtures/map-cases/check");

const run = (args: string[], env: Record<string, string> = {}) => runCommand(check, args, { cwd: CASES, env });

describe("check", () => {
  test("prints each mistake as file:line:column, level, code and message, and fails", async () => {
    const { code, out } = await run(["self-dependency/config"]);
    expect(code).toBe(1);
    expect(out).toBe("self-dependency/config/map/shop.yaml:5:15: error self-dependency: catalog depends on itself\n1 error, 0 warnings\n");
  });

  test("is content with warnings alone", async () => {
    const { code, out } = await run(["unused-resource/config"]);
    expect(code).toBe(0);
    expect(out).toContain(":5:3: warning unused-resource: ");
    expect(out).toContain("0 errors, 1 warning\n");
  });

  test("fails where the folder holds no configuration, as one a level too deep, with what it found in its stead", async () => {
    const deep = await run(["self-dependency/config/map"]);
    expect(deep.code).toBe(1);
    expect(deep.out).toContain("warning empty-map: ");
    expect(deep.err).toBe(
      "headwater check: self-dependency/config/map holds no configuration: check takes the folder that holds map/*.yaml\n",
    );
    const { code, out } = await run(["self-dependency/config/map", "--json"]);
    expect([code, JSON.parse(out)]).toMatchObject([1, { errors: [], warnings: [{ code: "empty-map" }] }]);
    expect(await run(["valid-empty-and-comment-files/config"])).toMatchObject({ code: 0, err: "" });
  });

  test("prints JSON with places relative to the folder", async () => {
    const { code, out } = await run(["self-dependency/config", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(out)).toEqual({
      errors: [{ file: "map/shop.yaml", line: 5, column: 15, code: "self-dependency", message: "catalog depends on itself" }],
      warnings: [],
    });
  });

  test("prints annotations for a workflow", async () => {
    const { out } = await run(["self-dependency/config", "--format", "github"]);
    expect(out).toBe(
      "::error file=self-dependency/config/map/shop.yaml,line=5,col=15,title=self-dependency::catalog depends on itself\n1 error, 0 warnings\n",
    );
    const root = path.dirname(CASES);
    const below = await run(["self-dependency/config", "--format", "github"], { GITHUB_WORKSPACE: root });
    expect(below.out).toContain("::error file=check/self-dependency/config/map/shop.yaml,line=5,");
    const elsewhere = await run(["self-dependency/config", "--format", "github"], { GITHUB_WORKSPACE: path.join(root, "diff") });
    expect(elsewhere.out).toContain("::error file=self-dependency/config/map/shop.yaml,line=5,");
  });

  test("looks up nothing that the map refers to where it is told so", async () => {
    expect((await run(["env-missing/config"])).code).toBe(1);
    expect(await run(["env-missing/config", "--keep-references"])).toMatchObject({ code: 0, err: "" });
  });

  test("says so when nothing is wrong, and takes the environment it is given", async () => {
    const { code, out } = await run(["valid-anchors-and-merge-keys/config"], { SHOP_TOKEN: "x" });
    expect([code, out]).toEqual([0, "no mistakes found\n"]);
  });

  test.each([[["no-such-folder"]], [["--format", "xml"]], [["--unknown"]], [["a", "b"]]])("a wrong call is exit 2: %j", async (args) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    expect(err).toContain("headwater check");
  });

  test.each([
    [["--formt", "json"], "there is no option --formt; did you mean --format?"],
    [["--keep"], "there is no option --keep; did you mean --keep-references?"],
    [["--zzzzzz"], "there is no option --zzzzzz"],
    [["--__proto__"], "there is no option --__proto__"],
    [["-x"], "there is no option -x"],
    [["--format"], "--format needs a value"],
    [["--format", "--json"], '--format needs a value, and "--json" looks like an option; if it is the value, write --format=--json'],
    [["--format="], "the value of --format is empty: is a variable not set?"],
    [[""], "an argument is empty: is a variable not set?"],
    [["--json=yes"], "--json takes no value"],
    [["--\u001b[31m"], "there is no option --\\u{1b}[31m"],
  ])("says of %j what is wrong, how it is written, and where more is told", async (args, sentence) => {
    const { code, out, err } = await run(args);
    expect([code, out]).toEqual([2, ""]);
    const usage = "headwater check [DIR] [--format text|json|github] [--keep-references]";
    expect(err).toBe(`headwater check: ${sentence}\n\n${usage}\n\nheadwater check --help tells more.\n`);
  });

  test("helps whoever asks for help, whatever else they say", async () => {
    expect(await run(["--help", "--unknown", "a", "b"])).toMatchObject({ code: 0, err: "" });
  });

  test("explains itself", async () => {
    const { code, out } = await run(["--help"]);
    expect(code).toBe(0);
    expect(out).toContain("--format text|json|github");
  });
});
