import { describe, expect, it } from "vitest";
import { diffMaps } from "../../../server/src/config/diff.ts";
import { LabelPatcher } from "../../../server/src/config/label-patch.ts";
import { parseConfig } from "../../../server/src/config/parse.ts";
import type { LabelEdit } from "../../../server/src/domain/label.ts";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import { applyDiff } from "../../support/apply-diff.ts";

const HEAD = `teams: { payments: {}, data: {} }
resources: { orders-db: {}, cache: {}, spare: {} }
`;
const service = (dependencies: string): string => `${HEAD}services:
  checkout:
    url: http://checkout.internal/health
    team: payments
${dependencies}
  cart:
    url: http://cart.internal/health # the cart
    dependencies: [{ on: cache, criticality: soft }]
`;

/** Every way in which a dependency on orders-db, beside one on the cache, may be written. */
const FORMS: Record<string, string> = {
  "a flow mapping in a block list": service(`    dependencies:
      - { on: orders-db, criticality: hard } # the books
      - { on: cache, criticality: soft }`),
  "a block mapping": service(`    dependencies:
      # money is written here
      - on: orders-db
        criticality: hard # no order without it

      - on: cache
        criticality: soft`),
  "the criticality first": service(`    dependencies:
      - criticality: hard
        on: orders-db
      - criticality: soft
        on: cache`),
  "a list indented as its key": service(`    dependencies:
    - on: cache
      criticality: soft
    - on: orders-db
      criticality: "hard"`),
  "one flow list": service(`    dependencies: [{ on: cache, criticality: soft }, { on: orders-db, criticality: hard }]`),
  "a flow list over several lines": service(`    dependencies: [
      { on: orders-db, criticality: hard },
      { on: cache, criticality: soft },
    ]`),
  "quotes around everything": service(`    dependencies:
      - "on": 'orders-db'
        "criticality": 'hard'
      - {"on": "cache", "criticality": "soft"}`),
  "a list under on": service(`    dependencies:
      - on: [orders-db]
        criticality: hard
      - on: cache
        criticality: soft`),
  "an anchor that nobody uses": service(`    dependencies:
      - &db { on: orders-db, criticality: hard }
      - { on: cache, criticality: soft }`),
  "line ends of Windows": service(`    dependencies:
      - { on: orders-db, criticality: hard }
      - on: cache
        criticality: soft`).replaceAll("\n", "\r\n"),
  "no line end at the end": `${HEAD}services:
  cart: { url: http://cart.internal/health, dependencies: [{ on: cache, criticality: soft }] }
  checkout:
    url: http://checkout.internal/health
    team: payments
    dependencies:
      - { on: cache, criticality: soft }
      - { on: orders-db, criticality: hard }`,
  JSON: JSON.stringify(
    {
      teams: { payments: {}, data: {} },
      resources: { "orders-db": {}, cache: {}, spare: {} },
      services: {
        checkout: {
          url: "http://checkout.internal/health",
          team: "payments",
          dependencies: [
            { on: "orders-db", criticality: "hard" },
            { on: "cache", criticality: "soft" },
          ],
        },
        cart: { url: "http://cart.internal/health", dependencies: [{ on: "cache", criticality: "soft" }] },
      },
    },
    null,
    2,
  ),
};

function mapOf(text: string): SystemMap {
  const { map, errors } = parseConfig([{ path: "map/team.yaml", text }], "keep", "2026-10-24");
  if (!map) throw new Error(`${JSON.stringify(errors)}\n${text}`);
  return map;
}

/** The map after the patch; throws where there is none, or it does not apply. */
function patched(text: string, to: string | null, edit: LabelEdit): SystemMap {
  const made = new LabelPatcher([{ path: "map/team.yaml", text }]).patch({ from: "checkout", to, file: "map/team.yaml" }, edit);
  if (!("patch" in made)) throw new Error(made.byHand);
  return mapOf(applyDiff(text, made.patch.diff));
}

const edgeOf = (map: SystemMap, to: string) => {
  const node = map.nodes.get("checkout");
  return node?.kind === "service" ? node.edges.find((edge) => edge.to === to) : undefined;
};

describe.each(Object.entries(FORMS))("a dependency written as %s", (_name, text) => {
  it("gets another criticality, and nothing else changes", () => {
    const after = patched(text, "orders-db", { kind: "set", key: "criticality", value: "soft" });
    expect(diffMaps(mapOf(text), after).changes).toEqual([
      { kind: "criticality", from: "checkout", to: "orders-db", before: "hard", after: "soft" },
    ]);
  });

  it("gets an owner", () => {
    const after = patched(text, "orders-db", { kind: "set", key: "owner", value: "data" });
    expect(diffMaps(mapOf(text), after).changes).toEqual([
      { kind: "owner", from: "checkout", to: "orders-db", before: "payments", after: "data" },
    ]);
  });

  it("gets a review, and another one later", () => {
    const once = patched(text, "orders-db", { kind: "set", key: "reviewed", value: "2026-10-24" });
    expect(edgeOf(once, "orders-db")?.reviewed).toBe("2026-10-24");
    expect(diffMaps(mapOf(text), once).changes).toEqual([]);
  });

  it("gets the names that its report uses", () => {
    const one = patched(text, "orders-db", { kind: "components", names: ["postgres"] });
    expect(edgeOf(one, "orders-db")?.components).toEqual(["postgres"]);
    const two = patched(text, "orders-db", { kind: "components", names: ["orders-db", "pg: main"] });
    expect(edgeOf(two, "orders-db")?.components).toEqual(["orders-db", "pg: main"]);
  });

  it("goes, and the other one stays", () => {
    const after = patched(text, "orders-db", { kind: "remove" });
    expect(diffMaps(mapOf(text), after).changes).toEqual([{ kind: "edge_removed", from: "checkout", to: "orders-db", before: "hard" }]);
  });

  it("gets company from a node that is declared, or is not yet", () => {
    const known = patched(text, null, { kind: "add", on: "spare", component: "pg 2", criticality: "soft", isNew: false });
    expect(edgeOf(known, "spare")).toMatchObject({ criticality: "soft", components: ["pg 2"] });
    const unknown = patched(text, null, { kind: "add", on: "new-thing", component: null, criticality: "hard", isNew: true });
    expect(diffMaps(mapOf(text), unknown).changes).toEqual([
      { kind: "node_added", node: "new-thing" },
      { kind: "edge_added", from: "checkout", to: "new-thing", after: "hard" },
    ]);
  });
});

describe("services with few dependencies or none", () => {
  it.each([
    ["no list", ""],
    ["an empty list", "    dependencies: []"],
    ["nothing behind the key", "    dependencies:"],
    ["null", "    dependencies: null # none yet"],
  ])("take a first one where there is %s", (_name, dependencies) => {
    const after = patched(service(dependencies), null, { kind: "add", on: "spare", component: null, criticality: "soft", isNew: false });
    expect(edgeOf(after, "spare")?.criticality).toBe("soft");
  });

  it.each([
    "    dependencies:\n      - on: orders-db\n        criticality: hard",
    "    dependencies: [{ on: orders-db, criticality: hard }]",
  ])("lose their last one", (dependencies) => {
    const after = patched(service(dependencies), "orders-db", { kind: "remove" });
    expect(edgeOf(after, "orders-db")).toBeUndefined();
  });
});

describe("what is left to people", () => {
  const byHand = (text: string, edit: LabelEdit, to: string | null = "orders-db"): string => {
    const made = new LabelPatcher([{ path: "map/team.yaml", text }]).patch({ from: "checkout", to, file: "map/team.yaml" }, edit);
    return "byHand" in made ? made.byHand : made.patch.diff;
  };
  const soft: LabelEdit = { kind: "set", key: "criticality", value: "soft" };

  it("a dependency that an anchor shares with other services", () => {
    const text = `${HEAD}services:
  checkout: { url: http://checkout.internal/h, dependencies: [&db { on: orders-db, criticality: hard }] }
  cart: { url: http://cart.internal/h, dependencies: [*db] }
`;
    expect(byHand(text, soft)).toMatch(/shared through an anchor/);
    expect(byHand(text.replace("&db", "").replace("*db", "{ on: orders-db, criticality: hard }"), soft)).toMatch(/^--- a/);
  });

  it("a service that takes its dependencies from a merge", () => {
    const text = `${HEAD}services:
  cart: &base { url: http://cart.internal/h, dependencies: [{ on: orders-db, criticality: hard }] }
  checkout: { <<: *base, url: http://checkout.internal/h }
`;
    expect(byHand(text, soft)).toMatch(/shared through an anchor/);
  });

  it("one of several alternatives, unless the label of all of them changes", () => {
    const text = service("    dependencies:\n      - { on: [orders-db, spare], criticality: hard }");
    expect(byHand(text, { kind: "remove" })).toMatch(/several alternatives/);
    expect(byHand(text, soft)).toContain("+      - { on: [orders-db, spare], criticality: soft }");
  });

  it("what does not stand in the file, or in no file", () => {
    expect(byHand(service(""), soft)).toMatch(/only a person/);
    const none = new LabelPatcher([]).patch({ from: "checkout", to: "orders-db", file: "map/team.yaml" }, soft);
    expect(none).toEqual({ byHand: "its file is not at hand" });
  });
});

it("a patch names its file and the first line that changes, with three lines around it", () => {
  const text = FORMS["a block mapping"] ?? "";
  const made = new LabelPatcher([{ path: "map/team.yaml", text }]).patch(
    { from: "checkout", to: "orders-db", file: "map/team.yaml" },
    { kind: "set", key: "criticality", value: "soft" },
  );
  expect(made).toEqual({
    patch: {
      file: "map/team.yaml",
      line: 10,
      diff: `--- a/map/team.yaml
+++ b/map/team.yaml
@@ -7,7 +7,7 @@
     dependencies:
       # money is written here
       - on: orders-db
-        criticality: hard # no order without it
+        criticality: soft # no order without it
${" "}
       - on: cache
         criticality: soft
`,
    },
  });
});
