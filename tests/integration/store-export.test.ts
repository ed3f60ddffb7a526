import { describe, expect, it } from "vitest";
import { exportHistory } from "../../server/src/cli/export.ts";
import { parseRecording } from "../../server/src/cli/recording.ts";
import { DAY, folder, HOUR, SECOND, T0 } from "./store-support.ts";
import { filled, MAP, RANGE, run } from "./store-terminal.ts";

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
    expect(out).toContain(String.raw`"'=cmd(""x"")\u{202e}"`);
    expect(out).not.toMatch(/\u202e/);
  });

  it.each([
    [["--from", "yesterday"], 2, "--from yesterday is no time"],
    [["--from", "1h", "--to", "2h"], 2, "--from has to lie before --to"],
    [["--csv", "everything"], 2, "--csv is one of"],
    [["--from", "2026-11-30T10:00"], 2, "did you mean 2026-11-30T10:00Z, in UTC?"],
    [["--from", "2026-11-30 10:00:00"], 2, "did you mean 2026-11-30T10:00:00Z, in UTC?"],
    [["--from", "2026-02-30"], 2, "--from 2026-02-30 is no time: write 2026-10-24"],
    [["--to", "2026-02-30T10:00Z"], 2, "--to 2026-02-30T10:00Z is no time: write"],
    [["--from", "999999999999d"], 2, "is no time: write"],
    [["--nonsense"], 2, "there is no option --nonsense"],
    [["--form", "1h"], 2, "there is no option --form; did you mean --from?"],
    [["--data", "nowhere"], 1, "There is no history at"],
    [["--data", "nowhere"], 1, "Start `headwater serve` first, or name the folder of another with --data."],
  ])("called with %j says what is wrong", async (args, code, sentence) => {
    const answer = await run(exportHistory, folder(), ...args);
    expect(answer.code).toBe(code);
    expect(answer.err).toContain(sentence);
  });
});
