import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { backup } from "../../server/src/cli/backup.ts";
import { doctor } from "../../server/src/cli/doctor.ts";
import { exportHistory } from "../../server/src/cli/export.ts";
import { atOnce } from "../../server/src/domain/turns.ts";
import { pollsIn } from "../../server/src/store/export.ts";
import { openReader } from "../../server/src/store/index.ts";
import { MIGRATIONS, SCHEMA_VERSION } from "../../server/src/store/migrations.ts";
import { DAY, folder, HOUR, MINUTE, observation, open, openRaw, SECOND, T0 } from "./store-support.ts";

const FIXTURES = new URL("../fixtures/history/", import.meta.url);
const EARLIER = MIGRATIONS.slice(0, -1).map((_, i) => i + 1);

/** A data folder as a Headwater of an earlier version left it: 25 minutes of one service, its database down for five of them. */
function written(version: number): string {
  const path = folder();
  const db = openRaw(join(path, "headwater.db"));
  db.exec(`BEGIN; ${readFileSync(new URL(`v${version}.sql`, FIXTURES), "utf8")} COMMIT;`);
  db.close();
  return path;
}

function schemaOf(path: string): unknown[] {
  const db = openRaw(join(path, "headwater.db"));
  const schema = db.prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY type, name").all();
  db.close();
  return schema;
}

async function run(command: typeof doctor, cwd: string, ...args: string[]) {
  let [out, err] = ["", ""];
  const stdout = (text: string): void => {
    out += text;
  };
  const stderr = (text: string): void => {
    err += text;
  };
  return { code: await command(args, { stdout, stderr, env: {}, cwd, colour: false }), out, err };
}

describe("a history of an earlier version", () => {
  it("is kept as a file of text for each of them", () => {
    expect(readdirSync(FIXTURES).sort()).toEqual(EARLIER.map((version) => `v${version}.sql`));
  });

  it.each(EARLIER)(
    "(%i) is brought up to date at the start, with all that it held",
    (version) => {
      const path = written(version);
      const { writer, reader, close } = open(path);
      const end = T0 + 25 * MINUTE;
      const back = writer.restore(end);
      expect(back).toMatchObject({
        incidents: [{ id: 1, anchor: "orders-db" }],
        nextIncidentId: 2,
        revision: { revision: 1, commit: "c0ffee" },
      });
      const { spans, latency, changes } = atOnce(reader.nodeHistory("checkout", T0, end - 10 * SECOND, 1_000));
      expect(spans.map(({ status, from, to }) => [status, (from - T0) / MINUTE, Math.round((to - T0) / MINUTE)])).toEqual([
        ["healthy", 0, 10],
        ["unhealthy", 10, 15],
        ["healthy", 15, 25],
      ]);
      expect(latency.reduce((sum, { count }) => sum + count, 0)).toBe(149);
      expect(changes).toMatchObject([{ text: "deploy 2.1" }]);
      expect(atOnce(reader.statesAt(T0 + 12 * MINUTE))?.nodes.get("orders-db")).toMatchObject({
        status: "unhealthy",
        role: "root_cause",
        incident: 1,
      });
      // It goes on: what the earlier version wrote is rolled up with what comes now.
      for (let at = end; at < T0 + 4 * HOUR; at += 10 * SECOND) {
        if (at < T0 + HOUR) writer.append([observation("checkout", at, { words: { postgres: "up" } })]);
        writer.flush(at);
        if (at % MINUTE === 0) while (writer.maintain(at));
      }
      expect(writer.health().error).toBeNull();
      const [hour] = atOnce(reader.nodeHistory("checkout", T0, T0 + HOUR, 1)).latency;
      expect(hour).toMatchObject({ count: 360, failed: 0 });
      close();
      const fresh = folder();
      open(fresh).close();
      expect(schemaOf(path)).toEqual(schemaOf(fresh));
      const read = openReader(path);
      const words = [...pollsIn(read.history, { from: T0, to: T0 + HOUR })].map(({ report }) => report?.components[0]?.status);
      expect(words.map((word) => (word === "up" ? "." : word === "down" ? "x" : "?")).join("")).toBe(
        `${".".repeat(60)}${"x".repeat(30)}${".".repeat(270)}`,
      );
      read.close();
    },
    60_000,
  );

  it.each(EARLIER)("(%i) is read and copied as it is by the commands, which change nothing", async (version) => {
    const cwd = written(version);
    const examined = await run(doctor, cwd, "--data", ".");
    expect([examined.code, examined.err]).toEqual([0, ""]);
    expect(examined.out).toContain(`version ${version} (this Headwater knows ${SCHEMA_VERSION})`);
    expect((await run(backup, cwd, "copy.db", "--data", ".")).code).toBe(0);
    expect(await run(exportHistory, cwd, "--data", ".")).toEqual({
      code: 1,
      out: "",
      err: "headwater export: this history was written by an earlier Headwater; it can be exported once `headwater serve` has opened it.\n",
    });
    const copy = folder();
    writeFileSync(join(copy, "headwater.db"), readFileSync(join(cwd, "copy.db")));
    expect(open(copy).writer.restore(T0 + DAY).incidents).toHaveLength(1);
  });
});

describe("a history of a later version", () => {
  it("is refused with the versions, by the server and by each command, and left as it is", async () => {
    const cwd = folder();
    open(join(cwd, "data")).close();
    const file = join(cwd, "data", "headwater.db");
    const db = openRaw(file);
    db.pragma(`user_version = ${SCHEMA_VERSION + 2}`);
    db.close();
    const before = readFileSync(file);
    const sentence = `was written by a newer Headwater (version ${SCHEMA_VERSION + 2}, this one knows ${SCHEMA_VERSION}); it was left untouched. Run that version, or put the backup of before its first start in place.`;
    expect(() => open(join(cwd, "data"))).toThrow(sentence);
    for (const [command, ...args] of [[doctor], [exportHistory], [backup, "copy.db"]] as const)
      expect(await run(command, cwd, ...args)).toMatchObject({ code: 1, err: expect.stringContaining(sentence) });
    expect(readFileSync(file).equals(before)).toBe(true);
  });
});
