// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in a map are written like this.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { createSource, environmentReferences, type Loaded, loadConfig, readFiles } from "../../../server/src/config/source.ts";

// Many cases or real files: a busy machine may take its time.
vi.setConfig({ testTimeout: 60_000 });

let dir: string;

beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), "headwater-config-"));
  mkdirSync(path.join(dir, "map"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const write = (name: string, text: string | Buffer) => writeFileSync(path.join(dir, name), text);
const service = (id: string) => `services: { ${id}: { url: "http://${id}.internal/health/deep" } }\n`;
const load = (env: Record<string, string> = {}) => loadConfig(dir, environmentReferences(env, dir), "2026-11-29");

describe("a configuration folder", () => {
  test("is headwater.yaml and the .yaml files of map, not deeper, and no dot files", async () => {
    write("headwater.yaml", "site: here\n");
    write("other.yaml", "nonsense: true\n");
    write("map/b.yaml", service("b"));
    write("map/a.yaml", service("a"));
    write("map/.hidden.yaml", "nonsense: true\n");
    write("map/notes.md", "nonsense");
    mkdirSync(path.join(dir, "map/deeper.yaml"));
    mkdirSync(path.join(dir, "map/deeper"));
    write("map/deeper/c.yaml", service("c"));
    const { files } = await readFiles(dir);
    expect(files.map(({ path: name }) => name)).toEqual(["headwater.yaml", "map/a.yaml", "map/b.yaml"]);
    const { errors, map, config } = await load();
    expect(errors).toEqual([]);
    expect([...(map?.nodes.keys() ?? [])]).toEqual(["a", "b"]);
    expect(config?.site).toBe("here");
  });

  test("without any file is an empty map", async () => {
    rmSync(path.join(dir, "map"), { recursive: true });
    const { errors, warnings, map } = await load();
    expect(errors).toEqual([]);
    expect(warnings).toMatchObject([{ code: "empty-map" }]);
    expect(map?.nodes.size).toBe(0);
  });

  test("follows links, and calls one that leads nowhere an error at its name", async () => {
    mkdirSync(path.join(dir, "teams"));
    write("teams/a.yaml", service("a"));
    symlinkSync("../teams/a.yaml", path.join(dir, "map/a.yaml"));
    expect([...((await load()).map?.nodes.keys() ?? [])]).toEqual(["a"]);
    symlinkSync("../teams/gone.yaml", path.join(dir, "map/b.yaml"));
    symlinkSync("c.yaml", path.join(dir, "map/c.yaml"));
    const { errors, map } = await load();
    expect(map).toBeNull();
    expect(errors).toMatchObject([
      { file: "map/b.yaml", line: 1, column: 1, code: "unreadable", message: expect.stringContaining("does not exist") },
      { file: "map/c.yaml", code: "unreadable" },
    ]);
  });

  test("reads a link that a checkout without links left as text", async () => {
    mkdirSync(path.join(dir, "teams"));
    write("teams/a.yaml", service("a"));
    write("map/a.yaml", "../teams/a.yaml");
    expect([...((await load()).map?.nodes.keys() ?? [])]).toEqual(["a"]);
    write("map/b.yaml", "../teams/gone.yaml");
    expect((await load()).errors).toMatchObject([
      { file: "map/b.yaml", code: "unreadable", message: expect.stringContaining("symbolic link") },
    ]);
  });

  test("refuses a file that is no UTF-8 text, one that is too large, and mentions one that is not read", async () => {
    write("map/a.yaml", Buffer.from("services:\n  a: { name: K\xfcche }\n", "latin1"));
    write("map/b.yaml", "#".repeat(9 * 1_048_576));
    write("map/c.yml", service("c"));
    const { errors, warnings } = await load();
    expect(errors).toMatchObject([
      { file: "map/a.yaml", line: 2, code: "unreadable", message: expect.stringContaining("UTF-8") },
      { file: "map/b.yaml", code: "unreadable", message: expect.stringContaining("8 MiB") },
    ]);
    expect(warnings).toMatchObject([{ file: "map/c.yml", code: "ignored-file" }]);
  });

  test("keeps byte order marks and line ends out of places", async () => {
    write("map/a.yaml", "\uFEFFservices:\r\n  a:\r\n    url: nowhere\r\n");
    expect((await load()).errors).toMatchObject([{ line: 3, column: 10, code: "bad-url" }]);
  });

  test("reads references from the environment and from files beside it", async () => {
    write("token", "t0ken\n");
    write("map/a.yaml", 'services: { a: { url: "http://${A_HOST}/deep", headers: { authorization: "Bearer ${file:token}" } } }');
    const { map } = await load({ A_HOST: "a.internal" });
    expect(map?.nodes.get("a")).toMatchObject({
      instances: [{ url: "http://a.internal/deep" }],
      headers: { authorization: "Bearer t0ken" },
    });
  });
});

/** A source whose clock is turned by hand: `look` lets one look happen and waits until it is over. */
function watch(handed: string | null, env: Record<string, string> = {}) {
  const loaded: Loaded[] = [];
  const errors: string[] = [];
  let next: (() => void) | null = null;
  let over: () => void = () => {};
  const source = createSource(dir, {
    parse: (files) => parseConfig(files, environmentReferences(env, dir), "2026-11-29"),
    handed,
    onLoaded: (one) => loaded.push(one),
    onError: (reason) => errors.push(reason),
    after: (_, run) => {
      next = run;
      over();
      return () => {
        next = null;
      };
    },
  });
  const look = () =>
    new Promise<void>((resolve) => {
      over = resolve;
      const run = next ?? source.start;
      next = null;
      run();
    });
  return { source, loaded, errors, look, nodes: () => loaded.map(({ map }) => (map ? [...map.nodes.keys()] : null)) };
}

describe("a watched folder", () => {
  test("is handed on only when two looks in a row found it the same", async () => {
    write("map/a.yaml", service("a"));
    const { look, nodes, source } = watch(null);
    await look();
    expect(nodes()).toEqual([]);
    write("map/a.yaml", service("b"));
    await look();
    expect(nodes()).toEqual([]);
    await look();
    expect(nodes()).toEqual([["b"]]);
    await look();
    await look();
    expect(nodes()).toEqual([["b"]]);
    source.stop();
  });

  test("is not handed on again while it is what is in use", async () => {
    write("map/a.yaml", service("a"));
    const { look, nodes, source } = watch((await load()).hash);
    for (let times = 0; times < 4; times++) await look();
    expect(nodes()).toEqual([]);
    write("map/a.yaml", `${service("a")}# a comment\n`);
    await look();
    await look();
    expect(nodes()).toEqual([["a"]]);
    source.stop();
  });

  test("that is changed back before it stood still is no change", async () => {
    write("map/a.yaml", service("a"));
    const { look, nodes, source } = watch((await load()).hash);
    await look();
    await look();
    write("map/a.yaml", "services: {");
    await look();
    write("map/a.yaml", service("a"));
    await look();
    await look();
    expect(nodes()).toEqual([]);
    source.stop();
  });

  test("is handed on with its mistakes when it is broken, and again when it is repaired", async () => {
    write("map/a.yaml", service("a"));
    const { look, loaded, source } = watch((await load()).hash);
    await look();
    await look();
    write("map/a.yaml", "services: { a: { intervall: 5s } }");
    await look();
    await look();
    expect(loaded.at(-1)).toMatchObject({ map: null, errors: [{ code: "unknown-key" }] });
    write("map/a.yaml", service("a"));
    await look();
    await look();
    expect(loaded.at(-1)?.errors).toEqual([]);
    source.stop();
  });

  test("sees the swap of a ConfigMap's link", async () => {
    rmSync(path.join(dir, "map"), { recursive: true });
    for (const [version, id] of [
      ["..v1", "a"],
      ["..v2", "b"],
    ]) {
      mkdirSync(path.join(dir, "map", version ?? ""), { recursive: true });
      write(`map/${version}/shop.yaml`, service(id ?? ""));
    }
    symlinkSync("..v1", path.join(dir, "map/..data"));
    symlinkSync("..data/shop.yaml", path.join(dir, "map/shop.yaml"));
    const { look, nodes, source } = watch(null);
    await look();
    await look();
    expect(nodes()).toEqual([["a"]]);
    symlinkSync("..v2", path.join(dir, "map/..data_tmp"));
    renameSync(path.join(dir, "map/..data_tmp"), path.join(dir, "map/..data"));
    await look();
    await look();
    expect(nodes()).toEqual([["a"], ["b"]]);
    source.stop();
  });

  test("is read anew on demand, since references may have changed", async () => {
    write("token", "one");
    write("map/a.yaml", 'services: { a: { url: "http://a/deep", headers: { x-token: "${file:token}" } } }');
    const { look, loaded, source } = watch(null);
    const token = () => {
      const node = loaded.at(-1)?.map?.nodes.get("a");
      return node?.kind === "service" ? node.headers["x-token"] : null;
    };
    await look();
    await look();
    expect(token()).toBe("one");
    write("token", "two");
    await look();
    expect(loaded).toHaveLength(1);
    source.reload();
    await look();
    await look();
    expect(loaded).toHaveLength(2);
    expect(token()).toBe("two");
    source.stop();
  });

  test("that cannot be listed is told, and looked at again", async () => {
    write("map/a.yaml", service("a"));
    const { look, nodes, errors, source } = watch(null);
    rmSync(path.join(dir, "map"), { recursive: true });
    symlinkSync("map", path.join(dir, "map"));
    await look();
    expect(errors).toEqual([expect.stringContaining("ELOOP")]);
    rmSync(path.join(dir, "map"));
    mkdirSync(path.join(dir, "map"));
    write("map/a.yaml", service("b"));
    await look();
    await look();
    expect(nodes()).toEqual([["b"]]);
    source.stop();
  });
});

test("a taker that throws is told, and the watch goes on", async () => {
  write("map/a.yaml", service("a"));
  const errors: string[] = [];
  let [looks, taken] = [0, 0];
  await new Promise<void>((resolve) => {
    const source = createSource(dir, {
      parse: (files) => parseConfig(files, "keep", "2026-11-29"),
      onLoaded: () => {
        taken++;
        throw new Error("no room");
      },
      onError: (reason) => errors.push(reason),
      after: (_, run) => {
        if (++looks < 4) run();
        else {
          source.stop();
          resolve();
        }
        return () => {};
      },
    });
    source.start();
  });
  expect([taken, errors]).toEqual([1, ["the configuration could not be taken over: no room"]]);
});

describe("the revision knows its commit", () => {
  const hash = "0123456789abcdef0123456789abcdef01234567";

  test.each([
    ["a branch", { HEAD: "ref: refs/heads/main\n", "refs/heads/main": `${hash}\n` }, hash],
    ["packed branches", { HEAD: "ref: refs/heads/main\n", "packed-refs": `# pack-refs\n${hash} refs/heads/main\n` }, hash],
    ["a detached head", { HEAD: `${hash}\n` }, hash],
    ["a branch without a commit", { HEAD: "ref: refs/heads/main\n" }, null],
  ])("%s", async (_, files, commit) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.dirname(path.join(dir, ".git", name)), { recursive: true });
      write(`.git/${name}`, text);
    }
    write("map/a.yaml", service("a"));
    expect((await load()).commit).toBe(commit);
  });
});
