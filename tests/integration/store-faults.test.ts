import { spawnSync } from "node:child_process";
import { chmodSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { atOnce } from "../../server/src/domain/turns.ts";
import { SCHEMA_VERSION } from "../../server/src/store/migrations.ts";
import { mountTinyDisk, type TinyDisk } from "../support/disk.ts";
import {
  damage,
  folder,
  HOUR,
  incident,
  nodeState,
  observation,
  open,
  openRaw,
  SECOND,
  systemState,
  T0,
  transition,
} from "./store-support.ts";

const BUILT = new URL("../../server/dist/store/index.js", import.meta.url).href;
const isRoot = process.getuid?.() === 0;
const disks: TinyDisk[] = [];
afterEach(() => {
  for (const disk of disks.splice(0)) disk.unmount();
});

function tinyDisk(size: string): TinyDisk | null {
  const disk = mountTinyDisk(folder(), size);
  if (disk) disks.push(disk);
  return disk;
}

function errorOf(work: () => unknown): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
}

/** What comes of opening a store in another process: `opened`, or the code of the error. */
function openedApart(path: string, asUser: { uid?: number; gid?: number } = {}): string {
  const script = `const { openStore } = await import(${JSON.stringify(BUILT)});
    try { openStore({ path: ${JSON.stringify(path)}, maxSize: 1e9, retention: { raw: 1, minutes: 1, hours: 1, changes: 1 } }); console.log("opened"); }
    catch (error) { console.log(error.code); }`;
  const options = { encoding: "utf8", timeout: 60_000, ...asUser } as const;
  return spawnSync(process.execPath, ["--input-type=module", "-e", script], options).stdout.trim();
}

describe("opening", () => {
  it("refuses a folder that is not writable, in one sentence", () => {
    const path = join(folder(), "file");
    writeFileSync(path, "");
    expect(errorOf(() => open(join(path, "data")))).toMatchObject({
      code: "not_writable",
      message: `The data folder ${join(path, "data")} is not writable.`,
    });
  });

  it("refuses a folder where none can be made, though its parent may be written", { skip: process.platform !== "linux" }, () => {
    expect(openedApart("/proc/headwater/data")).toBe("not_writable");
  });

  it("makes the folders above it too", () => {
    const path = join(folder(), "above", "data");
    open(path).close();
    expect(readdirSync(path)).toContain("headwater.db");
  });

  it("refuses a file that may not be written", () => {
    const path = folder();
    open(path).close();
    chmodSync(join(path, "headwater.db"), 0o444);
    chmodSync(path, 0o555);
    // Root may write anything, so another user asks.
    const answer = openedApart(path, isRoot ? { uid: 65_534, gid: 65_534 } : {});
    chmodSync(path, 0o755);
    expect(answer).toBe("not_writable");
  });

  it("refuses a history of a newer version and leaves every byte as it was", () => {
    const path = folder();
    open(path).close();
    const file = join(path, "headwater.db");
    const db = openRaw(file);
    db.pragma(`user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    const before = readFileSync(file);
    const files = readdirSync(path);
    expect(errorOf(() => open(path))).toMatchObject({ code: "newer", message: expect.stringMatching(/newer Headwater .* left untouched/) });
    expect(readFileSync(file).equals(before)).toBe(true);
    expect(readdirSync(path)).toEqual(files);
  });

  it("refuses another program's database", () => {
    const file = join(folder(), "other.db");
    const db = openRaw(file);
    db.exec("CREATE TABLE theirs(x)");
    db.close();
    expect(errorOf(() => open(file))).toMatchObject({ code: "foreign" });
  });

  it("refuses a history that another Headwater writes", () => {
    const path = folder();
    const first = open(path);
    expect(errorOf(() => open(path))).toMatchObject({ code: "locked", message: expect.stringContaining("in use by another process") });
    first.close();
    open(path).close();
  });

  it.each([
    ["is no database at all", Buffer.from("this is not a database, only text that is long enough to have a header".repeat(20))],
    ["has lost the middle of its pages", null],
  ])("sets a file aside that %s, and begins anew", (_name, content) => {
    const path = folder();
    const file = join(path, "headwater.db");
    const first = open(path);
    first.writer.restore(T0);
    first.writer.commit({ at: T0, transitions: [transition("checkout", T0, "healthy")], incidents: [incident(1, T0)], events: [] });
    first.close();
    const bytes = content ?? readFileSync(file).fill(0xaa, 4_096, 60_000);
    writeFileSync(file, bytes);
    const said: string[] = [];
    const second = open(path, { log: (level, text) => said.push(`${level}: ${text}`) });
    expect(second.writer.restore(T0 + HOUR)).toMatchObject({ state: null, incidents: [], lastDurableAt: null });
    expect(said).toEqual([expect.stringMatching(/^error: The history .* is damaged; it is kept as headwater\.db\.corrupt-\d{8}T\d{6}Z/)]);
    const aside = readdirSync(path).find((name) => name.includes(".corrupt-") && !name.endsWith("-wal") && !name.endsWith("-shm")) ?? "";
    expect(readFileSync(join(path, aside)).equals(bytes)).toBe(true);
  });
});

describe("an incident that cannot be read", () => {
  const WRONG = {
    2: "{",
    4: "null",
    5: JSON.stringify({ ...incident(5, T0), cause: { node: "orders-db" } }),
    6: JSON.stringify({ ...incident(6, T0), impacted: [{ node: 7, since: T0 }] }),
  };
  const LATER = { ...incident(7, T0), added: "by a later version", peak: { ...incident(7, T0), explained: 1 } };

  function opened() {
    const path = folder();
    const first = open(path);
    first.writer.restore(T0);
    const incidents = [1, 2, 3, 4, 5, 6, 7].map((id) => incident(id, T0));
    first.writer.commit({ at: T0, transitions: [], incidents, events: [] });
    for (const seconds of [0, 5]) first.writer.flush(T0 + seconds * SECOND);
    first.close();
    const raw = openRaw(join(path, "headwater.db"));
    for (const [id, text] of Object.entries({ ...WRONG, 7: JSON.stringify(LATER) }))
      for (const table of ["incident SET body = ? WHERE id", "incident_version SET body = ? WHERE incident"])
        raw.prepare(`UPDATE ${table} = ? RETURNING 1`).all(text, Number(id));
    raw.close();
    const told: string[] = [];
    return { ...open(path, { log: (level, text) => told.push(`${level}: ${text}`) }), told };
  }

  it("is left out and told once, and keeps neither the start nor any other incident", () => {
    const { writer, reader, told } = opened();
    const restored = writer.restore(T0 + 10 * SECOND);
    expect(restored.incidents.map(({ id }) => id)).toEqual([7, 3, 1]);
    expect(restored.incidents[0]).toEqual(LATER);
    expect(restored.nextIncidentId).toBe(8);
    expect(atOnce(reader.statesAt(T0 + SECOND))?.incidents.map(({ id }) => id)).toEqual([7, 3, 1]);
    expect([2, 4, 5, 6].map((id) => reader.incident(id))).toEqual([null, null, null, null]);
    expect(told.sort()).toEqual([
      "error: Incident 2 in the history cannot be read and is left out (it is no JSON).",
      expect.stringMatching(/^error: Incident 4 in the history cannot be read and is left out \(Invalid input: expected object/),
      expect.stringMatching(/^error: Incident 5 in the history cannot be read and is left out \(cause\.kind: /),
      expect.stringMatching(/^error: Incident 6 in the history cannot be read and is left out \(impacted\.0\.node: /),
    ]);
  });

  it("ends no list before its end", () => {
    const { writer, reader } = opened();
    writer.restore(T0 + 10 * SECOND);
    for (const limit of [1, 2, 3, 10]) {
      const found: number[] = [];
      for (let next: number | null | undefined; next !== null; ) {
        const page = reader.incidents({ limit, ...(next === undefined ? {} : { cursor: next }) });
        found.push(...page.incidents.map(({ id }) => id));
        next = page.next;
      }
      expect(found).toEqual([7, 3, 1]);
    }
  });

  it("stays as it is where a node gets another name, and the others get it", () => {
    const { writer, reader } = opened();
    writer.restore(T0 + 10 * SECOND);
    writer.renameNode("orders-db", "ledger");
    writer.flush(T0 + 11 * SECOND);
    expect(reader.incidents({ node: "ledger", limit: 10 }).incidents.map(({ id, anchor }) => [id, anchor])).toEqual([
      [7, "ledger"],
      [3, "ledger"],
      [1, "ledger"],
    ]);
    expect(reader.incident(5)).toBeNull();
  });
});

describe("while running", () => {
  it("waits for a database that another process has locked, and loses nothing", () => {
    const path = folder();
    const { writer, reader } = open(path);
    writer.restore(T0);
    const other = openRaw(join(path, "headwater.db"));
    other.exec("BEGIN IMMEDIATE");
    const batch = {
      at: T0 + SECOND,
      transitions: [transition("checkout", T0 + SECOND, "unhealthy")],
      incidents: [incident(1, T0)],
      events: [],
    };
    expect(writer.commit(batch)).toBe(false);
    writer.append([observation("checkout", T0 + SECOND)]);
    writer.flush(T0 + 2 * SECOND);
    expect(writer.health()).toMatchObject({ lastWriteAt: T0, queued: 3, dropped: 0, error: "the database is locked by another process." });
    expect(reader.incident(1)).toEqual(incident(1, T0));
    expect(reader.incidents({ open: true, limit: 10 }).incidents).toHaveLength(1);
    expect(writer.maintain(T0 + 2 * SECOND)).toBe(false);
    other.exec("ROLLBACK");
    other.close();
    writer.flush(T0 + 3 * SECOND);
    expect(writer.health()).toMatchObject({ lastWriteAt: T0 + 3 * SECOND, queued: 0, dropped: 0, error: null });
    expect(reader.transitions(T0, T0 + HOUR, 10)).toHaveLength(1);
  });

  it("goes on with a full disk, and heals when there is room", (context) => {
    const disk = tinyDisk("1m");
    if (!disk) return context.skip("needs the right to mount a file system");
    const { writer, reader } = open(disk.path);
    writer.restore(T0);
    disk.fill();
    let at = T0;
    let id = 0;
    while (writer.health().error === null && id < 2_000) {
      at += SECOND;
      writer.append([observation("checkout", at)]);
      writer.commit({ at, transitions: [], incidents: [incident(++id, at)], events: [] });
      writer.flush(at);
    }
    expect(writer.health().error).toBe("the disk is full.");
    const stopped = writer.health().lastWriteAt ?? 0;
    for (let i = 0; i < 20; i++) {
      at += SECOND;
      writer.append([observation("checkout", at)]);
      writer.commit({
        at,
        transitions: [transition("checkout", at, i % 2 ? "healthy" : "unhealthy")],
        incidents: [incident(++id, at)],
        events: [],
      });
      writer.flush(at);
    }
    expect(writer.health()).toMatchObject({ lastWriteAt: stopped, dropped: 0 });
    expect(writer.health().queued).toBeGreaterThan(40);
    disk.clear();
    writer.flush(at + SECOND);
    expect(writer.health()).toMatchObject({ error: null, queued: 0, dropped: 0, lastWriteAt: at + SECOND });
    expect(reader.transitions(T0, at + HOUR, 100)).toHaveLength(20);
    expect(reader.incidents({ limit: 1 }).incidents[0]?.id).toBe(id);
    expect(reader.gaps(T0, at + HOUR)).toEqual([]);
  });

  it("begins on a disk that is full with what the history holds, and heals when there is room", (context) => {
    const disk = tinyDisk("2m");
    if (!disk) return context.skip("needs the right to mount a file system");
    const first = open(disk.path);
    first.writer.restore(T0);
    first.writer.commit({ at: T0, transitions: [transition("checkout", T0, "unhealthy")], incidents: [incident(1, T0)], events: [] });
    first.close();
    disk.fill();
    const { writer, reader, close } = open(disk.path);
    expect(writer.restore(T0 + HOUR).incidents).toMatchObject([{ id: 1, status: "open" }]);
    for (let n = 1; n <= 5; n++) {
      writer.append([observation("checkout", T0 + HOUR + n * SECOND)]);
      writer.flush(T0 + HOUR + n * SECOND);
    }
    expect(writer.health()).toMatchObject({ open: true, error: "the disk is full.", dropped: 0 });
    expect(atOnce(reader.nodeHistory("checkout", T0, T0 + HOUR + 5 * SECOND, 10)).spans.map(({ status }) => status)).toEqual([
      "no_data",
      "unhealthy",
    ]);
    disk.clear();
    writer.flush(T0 + HOUR + 6 * SECOND);
    expect(writer.health()).toMatchObject({ error: null, queued: 0, dropped: 0 });
    // Others may read again.
    const other = openRaw(join(disk.path, "headwater.db"));
    expect(other.prepare("SELECT count(*) AS n FROM gap").get()).toEqual({ n: 1 });
    other.close();
    close();
    expect(open(disk.path).writer.restore(T0 + 2 * HOUR).lastAnswerAt).toBe(T0 + HOUR + 5 * SECOND);
  });

  it("goes on with a disk that turns read-only, and heals when it can be written again", (context) => {
    const disk = tinyDisk("4m");
    if (!disk) return context.skip("needs the right to mount a file system");
    const { writer } = open(disk.path);
    writer.restore(T0);
    spawnSync("mount", ["-o", "remount,ro", disk.path]);
    writer.append([observation("checkout", T0)]);
    writer.flush(T0 + SECOND);
    spawnSync("mount", ["-o", "remount,rw", disk.path]);
    for (let i = 2; i < 10; i++) writer.flush(T0 + i * SECOND);
    expect(writer.health()).toMatchObject({ error: null, queued: 0 });
  });

  it("sets a file that turns out damaged aside, and carries over what it still knows", () => {
    const path = folder();
    const said: string[] = [];
    const { writer, reader } = open(path, { log: (level, text) => said.push(`${level}: ${text}`) });
    writer.restore(T0);
    const files = [{ path: "map/shop.yaml", text: "services: {}\n" }];
    writer.acceptRevision({ acceptedAt: T0, hash: "a", commit: null, summary: "first", files });
    const state = systemState([nodeState("checkout", "healthy", T0)]);
    writer.saveState(state, { instances: [], edges: [], nodes: ["checkout"] });
    writer.append([observation("checkout", T0, { words: { "orders-db": "up" } })]);
    writer.commit({ at: T0, transitions: [transition("checkout", T0, "healthy")], incidents: [incident(3, T0)], events: [] });
    writer.flush(T0);
    const work = { nodes: ["checkout"], from: T0, to: T0 + 2 * HOUR, reason: "new disks", by: "sam", announcedAt: T0, endedBy: null };
    const { id } = writer.addWork(work);
    const change = { at: T0, node: "checkout", text: "release 12", link: null, by: "sam" };
    writer.addChange(change);
    damage(join(path, "headwater.db"));
    let at = T0;
    for (let i = 1; i <= 10; i++) {
      at += SECOND;
      writer.append([observation("checkout", at)]);
      writer.commit({ at, transitions: [transition("checkout", at, i % 2 ? "unhealthy" : "healthy")], incidents: [], events: [] });
      writer.flush(at);
    }
    expect(said.some((line) => line.includes("is damaged; it is kept as"))).toBe(true);
    expect(writer.health()).toMatchObject({ error: null, queued: 0 });
    expect(readdirSync(path).some((name) => name.includes(".corrupt-"))).toBe(true);
    expect(reader.incident(3)).toEqual(incident(3, T0));
    writer.close();
    const back = open(path).writer.restore(at + HOUR);
    expect(back).toMatchObject({ nextIncidentId: 4, incidents: [{ id: 3 }], revision: { revision: 1, files } });
    expect([back.works, back.changes]).toEqual([[{ ...work, id }], [change]]);
    expect(back.state?.nodes.get("checkout")?.id).toBe("checkout");
    expect(back.lastDurableAt).toBe(at);
  });

  it("tells whether it is open", () => {
    const { writer } = open(folder());
    writer.restore(T0);
    expect(writer.health().open).toBe(true);
    writer.close();
    expect(writer.health().open).toBe(false);
  });

  it("bounds what waits, and counts what it dropped", () => {
    const path = folder();
    const { writer } = open(path);
    writer.restore(T0);
    const other = openRaw(join(path, "headwater.db"));
    other.exec("BEGIN IMMEDIATE");
    const transitions = Array.from({ length: 1_000 }, (_, i) => transition(`node-${i % 10}`, T0 + i, i % 2 ? "healthy" : "unhealthy"));
    for (let i = 0; i < 120; i++) writer.commit({ at: T0 + i, transitions, incidents: [], events: [] });
    expect(writer.health()).toMatchObject({ queued: 100_000, dropped: 20_000 });
    other.close();
  });
});
