import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backup } from "../../server/src/cli/backup.ts";
import { doctor } from "../../server/src/cli/doctor.ts";
import { exportHistory } from "../../server/src/cli/export.ts";
import type { CliIo } from "../../server/src/cli/io.ts";
import { parseRecording } from "../../server/src/cli/recording.ts";
import { DAY, failure, folder, HOUR, incident, observation, open, openRaw, SECOND, T0, transition } from "./store-support.ts";

function terminal(cwd: string): CliIo & { out: () => string; err: () => string } {
  let out = "";
  let err = "";
  return {
    stdout: (text) => {
      out += text;
    },
    stderr: (text) => {
      err += text;
    },
    env: {},
    cwd,
    colour: false,
    out: () => out,
    err: () => err,
  };
}

async function run(command: typeof doctor, cwd: string, ...args: string[]) {
  const io = terminal(cwd);
  const code = await command(args, io);
  return { code, out: io.out(), err: io.err(), lines: io.out().trimEnd().split("\n") };
}

const MAP = `
defaults: { interval: 10s, timeout: 2s, headers: { x-key: hidden } }
resources: { orders-db: { kind: database } }
services:
  checkout:
    url: http://user:geheim@checkout.internal:8080/health/deep?token=geheim
    headers: { authorization: "Bearer geheim" }
    dependencies: [ { on: orders-db, component: postgres, criticality: hard } ]
`;

/** A history of a minute of polls; the database is down in its second half. */
function filled(base = T0) {
  const cwd = folder();
  const store = open(join(cwd, "data"));
  store.writer.restore(base);
  const map = {
    nodes: new Map([
      ["checkout", { kind: "service", id: "checkout", edges: [{ from: "checkout", to: "orders-db", components: ["postgres"] }] }],
      ["orders-db", { kind: "resource", id: "orders-db" }],
    ]),
    systems: new Map(),
  };
  store.writer.follow(map as never);
  store.writer.acceptRevision({
    acceptedAt: base,
    hash: "a",
    commit: null,
    summary: "first",
    files: [{ path: "map/shop.yaml", text: MAP }],
  });
  const edge = { subject: "edge" as const };
  const instance = { subject: "instance" as const };
  store.writer.commit({
    at: base,
    transitions: [
      transition("checkout", base, "healthy"),
      transition("checkout", base, "healthy", instance),
      transition("checkout>orders-db", base, "up", edge),
    ],
    incidents: [],
    events: [],
  });
  for (let at = base; at < base + 60 * SECOND; at += 10 * SECOND) {
    const down = at >= base + 30 * SECOND;
    if (at === base + 30 * SECOND)
      store.writer.commit({
        at,
        transitions: [
          transition("checkout", at, "unhealthy", { reason: '=cmd("x")\u202e' }),
          transition("checkout", at, "unhealthy", instance),
          transition("checkout>orders-db", at, "down", edge),
        ],
        incidents: [incident(1, at)],
        events: [],
      });
    const report = {
      status: down ? ("unhealthy" as const) : ("healthy" as const),
      components: [{ name: "postgres", status: down ? ("down" as const) : ("up" as const) }],
    };
    store.writer.append([
      at === base + 50 * SECOND
        ? failure("checkout", at, "refused")
        : observation("checkout", at, { report, httpStatus: down ? 503 : 200 }),
    ]);
    store.writer.flush(at);
  }
  return { cwd, store };
}

const RANGE = ["--from", new Date(T0).toISOString(), "--to", new Date(T0 + HOUR).toISOString()];

describe("headwater export", () => {
  it("writes a recording of every poll, while the server runs", async () => {
    const { cwd } = filled();
    const { code, lines, err, out } = await run(exportHistory, cwd, ...RANGE);
    expect([code, err]).toEqual([0, ""]);
    const [first, ...polls] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({
      headwater: "recording/1",
      rebuilt_from_changes: false,
      map: {
        services: {
          checkout: {
            url: "http://checkout.internal:8080/health/deep",
            dependencies: [{ on: "orders-db", component: "postgres", criticality: "hard" }],
          },
        },
        resources: { "orders-db": { kind: "database" } },
      },
    });
    expect(polls).toHaveLength(6);
    expect(polls[0]).toEqual({
      t: 0,
      service: "checkout",
      outcome: "report",
      http_status: 200,
      latency_ms: 20,
      report: { status: "healthy", components: [{ name: "postgres", status: "up" }] },
    });
    expect(polls[3]).toMatchObject({
      t: 30,
      http_status: 503,
      report: { status: "unhealthy", components: [{ name: "postgres", status: "down" }] },
    });
    expect(polls[5]).toEqual({ t: 50, service: "checkout", outcome: "refused", latency_ms: 2_000 });
    expect(out).not.toMatch(/geheim|hidden/);
  });

  it("holds every poll of a history that began within the range, and begins with it", async () => {
    const { cwd } = filled();
    const { lines } = await run(
      exportHistory,
      cwd,
      "--from",
      new Date(T0 - 24 * HOUR).toISOString(),
      "--to",
      new Date(T0 + HOUR).toISOString(),
    );
    const [first, ...polls] = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(first).toMatchObject({ rebuilt_from_changes: false, from: new Date(T0).toISOString() });
    expect([polls.length, polls[0]?.t]).toEqual([6, 0]);
  });

  it("holds what polls said, in runs of equal ones, where the polls are gone", async () => {
    const { cwd, store } = filled();
    for (const at of [T0 + 3 * DAY, T0 + 3 * DAY + HOUR]) {
      store.writer.flush(at);
      while (store.writer.maintain(at));
    }
    const { lines, err } = await run(exportHistory, cwd, ...RANGE);
    const [first, ...polls] = lines.map((line) => JSON.parse(line) as { t: number; outcome: string; report?: { status: string } });
    expect([err, first]).toEqual(["", expect.objectContaining({ rebuilt_from_changes: true })]);
    expect(polls.map((poll) => [poll.t, poll.outcome, poll.report?.status])).toEqual([
      [0, "report", "healthy"],
      [10, "report", "healthy"],
      [20, "report", "healthy"],
      [30, "report", "unhealthy"],
      [40, "report", "unhealthy"],
      [50, "refused", undefined],
    ]);
    expect(polls[3]?.report).toEqual({ status: "unhealthy", components: [{ name: "postgres", status: "down" }] });
  });

  it("begins where the trouble began that held at its beginning, twenty polls before that", async () => {
    const { cwd } = filled();
    const from = T0 + 40 * SECOND;
    const { lines } = await run(exportHistory, cwd, "--from", new Date(from).toISOString(), "--to", new Date(T0 + HOUR).toISOString());
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ from: new Date(T0).toISOString(), asked_from: new Date(from).toISOString() });
    expect(lines).toHaveLength(7);
  });

  it("holds the work that was announced while running, for what the map knows", async () => {
    const { cwd, store } = filled();
    const work = { reason: "new disks", by: "mia", announcedAt: T0, endedBy: null };
    store.writer.addWork({ ...work, nodes: ["orders-db", "gone"], from: T0 + 10 * SECOND, to: T0 + 20 * SECOND });
    store.writer.addWork({ ...work, nodes: ["orders-db"], from: T0 + 30 * SECOND, to: T0 + 30 * SECOND });
    const { out } = await run(exportHistory, cwd, ...RANGE);
    const recording = parseRecording(out.trimEnd().split("\n"));
    expect(recording).toMatchObject({
      map: { maintenance: [{ nodes: ["orders-db"], from: T0 + 10 * SECOND, to: T0 + 20 * SECOND, reason: "new disks" }] },
    });
  });

  it("says where the map changed in its time, and holds the last", async () => {
    const { cwd, store } = filled();
    const files = [{ path: "map/shop.yaml", text: MAP.replace("database", "queue") }];
    store.writer.acceptRevision({ acceptedAt: T0 + 55 * SECOND, hash: "b", commit: null, summary: "second", files });
    const { lines, err } = await run(
      exportHistory,
      cwd,
      "--from",
      new Date(T0 - 1).toISOString(),
      "--to",
      new Date(T0 + HOUR).toISOString(),
    );
    expect(err).toBe("headwater export: the map changed once in this time; the recording holds the last, revision 2\n");
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ revision: 2, map: { resources: { "orders-db": { kind: "queue" } } } });
  });

  it.each([
    ["polls", "time,service,instance,outcome,http_status,latency_ms,status", 6],
    ["changes", "time,subject,id,from,to,reason,incident", 6],
    ["incidents", "id,kind,severity,node,opened_at,detected_at,resolved_at,end,confidence,impacted,why", 1],
    ["availability", "subject,id,up_ms,degraded_ms,down_ms,unseen_ms,maintenance_ms,up_share_of_seen", 1],
  ])("writes a table of %s", async (what, header, rows) => {
    const { cwd } = filled();
    const { code, lines } = await run(exportHistory, cwd, ...RANGE, "--csv", what);
    expect([code, lines[0], lines.length - 1]).toEqual([0, header, rows]);
  });

  it("leaves no formula, control character or mark of direction in a table", async () => {
    const { cwd } = filled();
    const { out } = await run(exportHistory, cwd, ...RANGE, "--csv", "changes");
    expect(out).toContain(`"'=cmd(""x"") "`);
    expect(out).not.toMatch(/\u202e/);
  });

  it.each([
    [["--from", "yesterday"], 2, "--from yesterday is no time"],
    [["--from", "1h", "--to", "2h"], 2, "--from has to lie before --to"],
    [["--csv", "everything"], 2, "--csv is one of"],
    [["--nonsense"], 2, "Unknown option"],
    [["--data", "nowhere"], 1, "There is no history at"],
  ])("called with %j says what is wrong", async (args, code, sentence) => {
    const answer = await run(exportHistory, folder(), ...args);
    expect(answer.code).toBe(code);
    expect(answer.err).toContain(sentence);
  });
});

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
