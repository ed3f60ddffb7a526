import { expect, it } from "vitest";
import { DAY, folder, HOUR, MINUTE, open, T0 } from "./store-support.ts";

const WORK = { nodes: ["orders-db"], from: T0, to: T0 + 2 * HOUR, reason: "new disks", by: "robin", announcedAt: T0, endedBy: null };

it("brings announced work and the marked changes of a day back after a restart, and forgets what was over", () => {
  const path = folder();
  const first = open(path);
  first.writer.restore(T0);
  const kept = first.writer.addWork(WORK);
  const other = first.writer.addWork({ ...WORK, nodes: ["cart"], reason: "resize" });
  first.writer.changeWork({ ...other, to: T0 + MINUTE, endedBy: "sam" });
  first.writer.addChange({ at: T0 - 2 * DAY, node: null, text: "long ago", link: null, by: null });
  first.writer.addChange({ at: T0, node: "cart", text: "v2", link: "https://ci.example/2", by: "robin" });
  first.writer.flush(T0 + 90 * MINUTE);
  first.close();

  const second = open(path);
  const back = second.writer.restore(T0 + 95 * MINUTE);
  expect(back.works).toEqual([kept]);
  expect(back.changes).toEqual([{ at: T0, node: "cart", text: "v2", link: "https://ci.example/2", by: "robin" }]);
  expect(second.writer.addWork(WORK).id).toBe(3);
  expect(second.reader.works(T0, T0 + HOUR, 10).map(({ id, to, endedBy }) => [id, to, endedBy])).toEqual([
    [3, T0 + 2 * HOUR, null],
    [2, T0 + MINUTE, "sam"],
    [1, T0 + 2 * HOUR, null],
  ]);
  expect(second.reader.works(T0 + HOUR, T0 + DAY, 10).map(({ id }) => id)).toEqual([3, 1]);
});

it("finds the work and the changes of a node behind any number of others", () => {
  const { writer, reader } = open(folder());
  writer.restore(T0);
  writer.addWork({ ...WORK, nodes: ["cart", "orders-db"], reason: "the one asked for" });
  writer.addChange({ at: T0, node: "orders-db", text: "the one asked for", link: null, by: null });
  for (let n = 1; n <= 12; n++) {
    writer.addWork({ ...WORK, nodes: ["search"], from: T0 + n });
    writer.addChange({ at: T0 + n, node: "search", text: `v${n}`, link: null, by: null });
  }
  const on = ["orders-db", "gone"];
  expect(reader.works(T0, T0 + HOUR, 5, on).map(({ reason }) => reason)).toEqual(["the one asked for"]);
  expect(reader.changes(T0, T0 + HOUR, 5, on).map(({ text }) => text)).toEqual(["the one asked for"]);
  expect(reader.works(T0, T0 + HOUR, 5)).toHaveLength(5);
  expect(reader.works(T0, T0 + HOUR, 5, [])).toEqual([]);
});

it("calls the nodes of announced work by their new names", () => {
  const { writer, reader } = open(folder());
  writer.restore(T0);
  writer.addWork({ ...WORK, nodes: ["orders-db", "cart"] });
  writer.addWork({ ...WORK, nodes: ["search"] });
  writer.renameNode("orders-db", "orders-store");
  expect(reader.works(T0, T0 + DAY, 10).map(({ nodes }) => nodes)).toEqual([["search"], ["orders-store", "cart"]]);
});
