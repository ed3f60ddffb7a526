import { describe, expect, it } from "vitest";
import { atOnce } from "../../server/src/domain/turns.ts";
import { DAY, folder, HOUR, incident, MINUTE, open, SECOND, T0 } from "./store-support.ts";

describe("lists", () => {
  it("of incidents are newest first, by page, and by node, nodes, system, time and state", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    const resolved = (at: number) => ({ status: "resolved" as const, resolvedAt: at, end: "cleared" as const });
    writer.commit({
      at: T0 + DAY,
      transitions: [],
      incidents: [
        incident(1, T0, resolved(T0 + HOUR)),
        incident(2, T0 + 2 * HOUR, { anchor: "cache", cause: null, impacted: [], systems: [] }),
        incident(3, T0 + 5 * HOUR),
      ],
      events: [],
    });
    const ids = (query: Parameters<typeof reader.incidents>[0]): number[] => reader.incidents(query).incidents.map((one) => one.id);
    expect(ids({ limit: 10 })).toEqual([3, 2, 1]);
    expect(reader.incidents({ limit: 2 })).toMatchObject({ incidents: [{ id: 3 }, { id: 2 }], next: 2 });
    expect(reader.incidents({ limit: 2, cursor: 2 })).toMatchObject({ incidents: [{ id: 1 }], next: null });
    expect(ids({ open: true, limit: 10 })).toEqual([3, 2]);
    expect(ids({ open: false, limit: 10 })).toEqual([1]);
    expect(ids({ node: "checkout", limit: 10 })).toEqual([3, 1]);
    expect(ids({ nodes: ["cache", "other"], limit: 10 })).toEqual([2]);
    expect(ids({ system: "storefront", limit: 10 })).toEqual([3, 1]);
    expect(ids({ from: T0 + 90 * MINUTE, to: T0 + 4 * HOUR, limit: 10 })).toEqual([2]);
  });

  it("of a team's incidents hold each once, however many others lie between", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    const team = new Set([1, 2, 700, 1_400, 1_401, 2_600]);
    for (let first = 1; first <= 2_600; first += 200) {
      const some = Array.from({ length: 200 }, (_unused, n) => first + n);
      const over = { status: "resolved" as const, resolvedAt: T0 + HOUR, end: "cleared" as const, cause: null, impacted: [], systems: [] };
      const incidents = some.map((id) => incident(id, T0 + id, { ...over, anchor: team.has(id) ? "cache" : "checkout" }));
      writer.commit({ at: T0 + DAY, transitions: [], incidents, events: [] });
    }
    const read = (limit: number, from?: number): number[] => {
      const found: number[] = [];
      let next: number | null = null;
      do {
        const page = reader.incidents({
          nodes: ["cache", "other"],
          limit,
          ...(from === undefined ? {} : { from }),
          ...(next === null ? {} : { cursor: next }),
        });
        expect(page.incidents.length).toBeLessThanOrEqual(limit);
        found.push(...page.incidents.map(({ id }) => id));
        next = page.next;
      } while (next !== null);
      return found;
    };
    const newestFirst = [...team].sort((a, b) => b - a);
    for (const limit of [1, 2, 10]) expect(read(limit)).toEqual(newestFirst);
    expect(read(10, T0 + 2 * HOUR)).toEqual([]);
  });

  it("of changes that people marked are those of the node and those of all", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    for (const [at, node] of [
      [1, "checkout"],
      [2, null],
      [3, "cart"],
    ] as const)
      expect(writer.addChange({ at: T0 + at, node, text: `deploy ${at}`, link: null, by: "ada" })).toBe(true);
    expect(reader.changes(T0, T0 + SECOND, 2).map((one) => one.text)).toEqual(["deploy 3", "deploy 2"]);
    expect(atOnce(reader.nodeHistory("checkout", T0, T0 + SECOND, 10)).changes.map((one) => one.text)).toEqual(["deploy 2", "deploy 1"]);
  });

  it("of revisions are newest first, with their texts", () => {
    const { writer, reader } = open(folder());
    writer.restore(T0);
    const common = { path: "map/common.yaml", text: "teams: {}\n" };
    for (let n = 1; n <= 3; n++)
      writer.acceptRevision({
        acceptedAt: T0 + n,
        hash: `hash-${n}`,
        commit: null,
        summary: `change ${n}`,
        files: [common, { path: "map/shop.yaml", text: `# ${n}\n` }],
      });
    const page = reader.revisions(2);
    expect(page.revisions.map((one) => [one.revision, one.files.map((file) => file.text)])).toEqual([
      [3, ["teams: {}\n", "# 3\n"]],
      [2, ["teams: {}\n", "# 2\n"]],
    ]);
    const heads = reader.revisionHeads(2);
    expect(heads).toEqual({ revisions: page.revisions.map(({ files: _files, ...head }) => head), next: 2 });
    expect(reader.revisions(2, page.next ?? 0)).toMatchObject({ revisions: [{ revision: 1, summary: "change 1" }], next: null });
  });
});
