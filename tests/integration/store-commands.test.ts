import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backup } from "../../server/src/cli/backup.ts";
import { doctor } from "../../server/src/cli/doctor.ts";
import { exportHistory } from "../../server/src/cli/export.ts";
import { labels } from "../../server/src/cli/labels.ts";
import { DAY, folder, HOUR, open, openRaw, SECOND, T0, transition } from "./store-support.ts";
import { filled, run } from "./store-terminal.ts";

describe("headwater backup", () => {
  it("copies a history that is being written, whole and checked", async () => {
    const { cwd, store } = filled();
    const { code, out, err } = await run(backup, cwd, "copy.db");
    expect([code, err]).toEqual([0, ""]);
    expect(out).toMatch(/^copy\.db: \d+\.\d MB, checked\n$/);
    store.writer.commit({ at: T0 + HOUR, transitions: [transition("checkout", T0 + HOUR, "healthy")], incidents: [], events: [] });
    const restored = folder();
    writeFileSync(join(restored, "headwater.db"), readFileSync(join(cwd, "copy.db")));
    const copy = open(restored);
    expect(copy.writer.restore(T0 + DAY)).toMatchObject({
      incidents: [{ id: 1 }],
      lastDurableAt: T0 + 50 * SECOND,
      revision: { revision: 1 },
    });
    expect(copy.reader.transitions(T0, T0 + DAY, 100)).toHaveLength(6);
  });

  it("overwrites nothing unless told to, and leaves no half of a copy", async () => {
    const { cwd } = filled();
    writeFileSync(join(cwd, "copy.db"), "mine");
    expect(await run(backup, cwd, "copy.db")).toMatchObject({ code: 1, err: expect.stringContaining("exists already") });
    expect(readFileSync(join(cwd, "copy.db"), "utf8")).toBe("mine");
    expect((await run(backup, cwd, "copy.db", "--force")).code).toBe(0);
    const failed = await run(backup, cwd, "no/such/folder/copy.db");
    expect(failed).toMatchObject({ code: 1 });
    expect(existsSync(join(cwd, "copy.db.partial"))).toBe(false);
    expect((await run(backup, cwd)).code).toBe(2);
  });
});

describe("headwater labels", () => {
  it("gives no all-clear of a team that no label is of, and every mistake of a map it is to judge", async () => {
    const { cwd } = filled();
    const map = (text: string) => writeFileSync(join(cwd, "config/map/a.yaml"), text);
    mkdirSync(join(cwd, "config/map"), { recursive: true });
    map(`teams: { payments: {} }
resources: { orders-db: {} }
services: { checkout: { team: payments, url: "http://checkout.test/", dependencies: [ { on: orders-db, criticality: hard } ] } }
`);
    const judge = (...args: string[]) => run(labels, cwd, "--config", "config", ...args);
    expect((await judge("--team", "payments")).err).toBe("");
    const unknown = await judge("--team", "paymnets");
    expect([unknown.code, unknown.out]).toEqual([1, ""]);
    expect(unknown.err).toBe('headwater labels: no label is of a team "paymnets"; did you mean "payments"?\n');
    map("services:\n  a: { urll: x }\n  b: { urll: x }\n");
    const broken = await judge();
    expect([broken.code, broken.out]).toEqual([1, ""]);
    for (const line of [2, 3]) expect(broken.err).toMatch(new RegExp(`^config/map/a\\.yaml:${line}:\\d+: error unknown-key`, "m"));
  });
});

describe("headwater doctor", () => {
  it("tells integrity, sizes and reach, beside a running server", async () => {
    const { cwd } = filled();
    const { code, out } = await run(doctor, cwd, "--json");
    const found = JSON.parse(out) as {
      healthy: boolean;
      began: string;
      last_sign_of_life: string;
      tables: { name: string; rows: number; oldest: string | null }[];
    };
    expect(code).toBe(0);
    expect(found).toMatchObject({
      healthy: true,
      version: 3,
      journal_mode: "wal",
      began: new Date(T0).toISOString(),
      gaps: 0,
      set_aside: [],
    });
    expect(found.tables.find((table) => table.name === "transition")).toMatchObject({ rows: 6, oldest: new Date(T0).toISOString() });
    expect(found.tables.find((table) => table.name === "tail")).toMatchObject({ oldest: new Date(T0).toISOString() });
    const text = await run(doctor, cwd, "--quick");
    expect(text.lines.slice(2, 4)).toEqual([
      `history since ${new Date(T0).toISOString()}, last sign of life ${new Date(T0 + 50 * SECOND).toISOString()}, 0 gaps`,
      "integrity: fine",
    ]);
  });

  it("finds damage, and exits with 1", async () => {
    const { cwd, store } = filled();
    store.close();
    const file = join(cwd, "data", "headwater.db");
    const db = openRaw(file);
    const root = Number(
      (db.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = 'incident_event_of'").get() as { page: number }).page,
    );
    db.close();
    writeFileSync(file, readFileSync(file).fill(0xff, (root - 1) * 4_096, root * 4_096));
    const { code, out } = await run(doctor, cwd);
    expect(code).toBe(1);
    expect(out).toContain("integrity: DAMAGED");
  });

  it.each([
    ["an empty file", "", "is empty: there is no history yet."],
    [
      "another kind of file",
      "hello\n",
      "is damaged (file is not a database). At its next start `headwater serve` keeps it aside and begins a new one",
    ],
    [
      "half of a file",
      "half",
      "is damaged (database disk image is malformed). At its next start `headwater serve` keeps it aside and begins a new one",
    ],
  ])("and every other command says of %s what is wrong, in one sentence", async (_what, bytes, sentence) => {
    const { cwd, store } = filled();
    store.close();
    const file = join(cwd, "data", "headwater.db");
    writeFileSync(file, bytes === "half" ? readFileSync(file).subarray(0, 40_000) : bytes);
    for (const [command, ...args] of [[doctor], [exportHistory], [exportHistory, "--csv", "availability"], [backup, "copy.db"]] as const) {
      const { code, out, err } = await run(command, cwd, ...args);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toMatch(/^headwater (doctor|export|backup): [^\n]*\n$/);
      expect(err).toContain(sentence);
    }
    expect(existsSync(join(cwd, "copy.db"))).toBe(false);
  });

  it("tells what it can of a file with holes; what reads it says that it is damaged", async () => {
    const { cwd, store } = filled();
    store.close();
    const file = join(cwd, "data", "headwater.db");
    const db = openRaw(file);
    const root = (name: string): number =>
      (db.prepare("SELECT rootpage AS page FROM sqlite_schema WHERE name = ?").get(name) as { page: number }).page;
    const holes = [root("meta"), root("incident")];
    db.close();
    const bytes = readFileSync(file);
    for (const page of holes) bytes.fill(0xff, (page - 1) * 4_096, page * 4_096);
    writeFileSync(file, bytes);
    const found = await run(doctor, cwd);
    expect([found.code, found.err]).toEqual([1, ""]);
    expect(found.out).toContain("integrity: DAMAGED");
    expect(found.out).toContain("history since never");
    expect(found.out).toMatch(/^transition +\d+ kB +6 {2}2026-10-24T/m);
    expect(found.out).toContain("what to do: At its next start `headwater serve` keeps it aside");
    expect(await run(exportHistory, cwd)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^headwater export: The history .* is damaged/),
    });
    expect(await run(backup, cwd, "copy.db")).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^headwater backup: the history is damaged .*; nothing was written to copy\.db\.\n$/s),
    });
    expect(existsSync(join(cwd, "copy.db"))).toBe(false);
  });

  it("says where there is no history", async () => {
    expect(await run(doctor, folder())).toMatchObject({ code: 1, err: expect.stringContaining("There is no history at") });
    expect((await run(doctor, folder(), "--what")).code).toBe(2);
  });
});
