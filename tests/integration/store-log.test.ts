import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { Checkpointer } from "../../server/src/store/checkpoint.ts";
import { CHECKPOINT_AT } from "../../server/src/store/database.ts";
import { folder, observation, open, openRaw, SECOND, T0, transition } from "./store-support.ts";

it("the thread that copies the log begins it anew, and never has it while the writer writes", async () => {
  const path = folder();
  const file = `${path}/headwater.db`;
  open(path).close();
  const writer = openRaw(file);
  // Whoever meets the other's lock fails at once.
  writer.pragma("busy_timeout = 0");
  writer.exec("CREATE TABLE pages(n INTEGER PRIMARY KEY, data BLOB)");
  let done = 0;
  const thread = new Checkpointer(file, () => done++);
  let put = 0;
  for (const end = performance.now() + 60_000; done < 8 && performance.now() < end; ) {
    thread.run();
    for (let i = 0; i < 20; i++) thread.without(() => writer.exec(`INSERT INTO pages(data) VALUES(zeroblob(20000)), (${put++})`));
    await sleep(5);
  }
  thread.close();
  const one = (sql: string) => (writer.prepare(sql).get() as { n: number }).n;
  expect([done >= 8, one("SELECT count(*) AS n FROM pages")]).toEqual([true, 2 * put]);
  expect(one("SELECT value AS n FROM meta WHERE key = 'logs'")).toBeGreaterThanOrEqual(8);
  expect(writer.pragma("quick_check", { simple: true })).toBe("ok");
  writer.close();
});

it("a history loses nothing that is flushed while its log begins anew", async () => {
  const path = folder();
  const { writer, close } = open(path);
  writer.restore(T0);
  const reason = "x".repeat(2_000);
  let at = T0;
  for (let turn = 0; turn < 60; turn++) {
    at += SECOND;
    const transitions = Array.from({ length: 200 }, (_, i) => transition(`node-${i}`, at, turn % 2 ? "healthy" : "unhealthy", { reason }));
    writer.append([observation("checkout", at)]);
    expect(writer.commit({ at, transitions, incidents: [], events: [] })).toBe(true);
    writer.flush(at);
    await sleep(2);
  }
  // What was put off while the log began anew is written without being asked for again.
  for (let i = 0; i < 500 && writer.health().queued > 0; i++) await sleep(10);
  expect(writer.health()).toMatchObject({ queued: 0, dropped: 0, error: null });
  close();
  const db = openRaw(`${path}/headwater.db`);
  const count = (sql: string) => (db.prepare(sql).get() as { n: number }).n;
  expect(count("SELECT count(*) AS n FROM transition")).toBe(12_000);
  expect(count("SELECT value AS n FROM meta WHERE key = 'logs'")).toBeGreaterThan(0);
  db.close();
  expect(statSync(`${path}/headwater.db`).size).toBeGreaterThan(CHECKPOINT_AT);
});
