import { describe, expect, test } from "vitest";
import { normalise } from "../../../server/src/formats/index.ts";
import { type Check, CheckFailure, createReporter } from "../../../server/src/reporter/index.ts";

const AT = Date.UTC(2026, 9, 24, 9, 15, 2);

/** A dependency whose answer the test sets. */
function dependency(criticality: Check["criticality"] = "hard") {
  const check = { criticality, failure: null as unknown, runs: 0, run: async () => {} };
  check.run = async () => {
    check.runs++;
    if (check.failure) throw check.failure;
  };
  return check;
}

const coded = (code: string) => Object.assign(new Error("connect to postgres://app:hunter2@10.0.0.7 failed"), { code });

describe("the deep report", () => {
  test("is starting until each check has answered once", async () => {
    const reporter = createReporter({ checks: { db: dependency() } });
    expect(reporter.snapshot()).toEqual({ httpStatus: 503, report: { status: "starting", components: [] } });
    await reporter.round();
    expect(reporter.snapshot()).toMatchObject({ httpStatus: 200, report: { status: "healthy" } });
  });

  test("without checks there is nothing to wait for", () => {
    expect(createReporter({ checks: {} }).snapshot()).toEqual({ httpStatus: 200, report: { status: "healthy", components: [] } });
  });

  test.each([
    ["hard", 503, "unhealthy"],
    ["soft", 200, "degraded"],
    ["informational", 200, "healthy"],
  ] as const)("a %s dependency that is down gives %d %s", async (criticality, httpStatus, status) => {
    const broken = dependency(criticality);
    broken.failure = coded("ECONNREFUSED");
    const reporter = createReporter({ checks: { broken, fine: dependency() } });
    await reporter.round();
    expect(reporter.snapshot()).toMatchObject({ httpStatus, report: { status } });
  });

  test("says age, latency and time of each check", async () => {
    let now = AT;
    const slow: Check = {
      criticality: "hard",
      run: async () => {
        now += 40;
      },
    };
    const reporter = createReporter({ checks: { "orders-db": slow }, now: () => now });
    await reporter.round();
    now += 1_200;
    expect(reporter.snapshot().report.components).toEqual([
      { name: "orders-db", status: "up", criticality: "hard", latency_ms: 40, last_checked: "2026-10-24T09:15:02.040Z", age_ms: 1_200 },
    ]);
  });

  test("changes only after enough results in a row agree, in both directions", async () => {
    const db = dependency();
    const reporter = createReporter({ checks: { db }, agree: 3 });
    const seen: string[] = [];
    for (const result of "+--+---++-+++") {
      db.failure = result === "-" ? coded("ECONNREFUSED") : null;
      await reporter.round();
      seen.push(reporter.snapshot().report.components[0]?.status === "up" ? "+" : "-");
    }
    expect(seen.join("")).toBe("++++++------+");
  });

  test("the first result counts at once", async () => {
    const db = dependency();
    db.failure = coded("ECONNREFUSED");
    const reporter = createReporter({ checks: { db }, agree: 5 });
    await reporter.round();
    expect(reporter.snapshot().report.status).toBe("unhealthy");
  });

  test.each<[string, unknown, string]>([
    ["a refused connection", coded("ECONNREFUSED"), "connection refused"],
    ["a cause below", new Error("fetch failed", { cause: coded("ENOTFOUND") }), "name not found"],
    ["a timeout", new DOMException("signal timed out", "TimeoutError"), "timed out"],
    ["a bad certificate", coded("DEPTH_ZERO_SELF_SIGNED_CERT"), "TLS failed"],
    ["a password that PostgreSQL refuses", coded("28P01"), "credentials refused"],
    ["a PostgreSQL that is full", coded("53300"), "too many connections"],
    ["a PostgreSQL that still starts", coded("57P03"), "not accepting queries yet"],
    ["a query that was cancelled", coded("57014"), "timed out"],
    ["a table that is not there", coded("42P01"), "refused the query"],
    ["a Redis without a password", new Error("NOAUTH Authentication required."), "credentials refused"],
    ["a Redis that still loads", new Error("LOADING Redis is loading the dataset in memory"), "not accepting queries yet"],
    ["a Redis that is a replica", new Error("READONLY You can't write against a read only replica."), "read only"],
    ["words that look like those of Redis", new Error("SECRET hunter2"), "failed"],
    ["an error without a code", new Error("password hunter2 rejected for postgres://app@db"), "failed"],
    ["no error at all", undefined, "failed"],
    ["a reason of the check's own", new CheckFailure("pool exhausted: 20 of 20 in use\nstack"), "pool exhausted: 20 of 20 in use stack"],
    ["a long reason", new CheckFailure("x".repeat(500)), "x".repeat(80)],
  ])("reduces %s to a short reason", async (_name, failure, reason) => {
    const reporter = createReporter({ checks: { db: { criticality: "hard", run: () => Promise.reject(failure) } } });
    await reporter.round();
    expect(reporter.snapshot().report.components[0]?.error).toBe(reason);
  });

  test("a check that throws before it waits has failed, and the others are asked all the same", async () => {
    const fine = dependency();
    const throws: Check = {
      criticality: "soft",
      run: () => {
        throw new Error("not connected");
      },
    };
    const reporter = createReporter({ checks: { throws, fine } });
    await reporter.round();
    expect(reporter.snapshot().report.components.map(({ status }) => status)).toEqual(["down", "up"]);
  });

  test("all checks of a round run at the same time, and a round under way is not started twice", async () => {
    let running = 0;
    let most = 0;
    const release: (() => void)[] = [];
    const check: Check = {
      criticality: "hard",
      run: () => {
        most = Math.max(most, ++running);
        return new Promise<void>((resolve) => release.push(resolve));
      },
    };
    const reporter = createReporter({ checks: { a: check, b: check, c: check } });
    const rounds = [reporter.round(), reporter.round()];
    await new Promise(setImmediate);
    expect([running, most]).toEqual([3, 3]);
    for (const each of release) each();
    await Promise.all(rounds);
    expect(running).toBe(3);
  });

  test("draining is said with 503, for good", async () => {
    const reporter = createReporter({ checks: { db: dependency() } });
    await reporter.round();
    reporter.drain();
    expect(reporter.snapshot()).toMatchObject({ httpStatus: 503, report: { status: "draining" } });
    await reporter.round();
    expect(reporter.snapshot().report.status).toBe("draining");
  });

  test("is read back by the aggregator as it was meant", async () => {
    const [db, cache] = [dependency("hard"), dependency("soft")];
    cache.failure = new CheckFailure("pool exhausted");
    const reporter = createReporter({ checks: { db, cache }, now: () => AT });
    await reporter.round();
    const { httpStatus, report } = reporter.snapshot();
    const read = normalise({ httpStatus, contentType: "application/json", text: JSON.stringify(report), receivedAt: AT }, "auto");
    expect(read).toMatchObject({ outcome: "report", format: "headwater", warnings: [] });
    expect(read.report).toMatchObject({
      status: "degraded",
      components: [
        { name: "db", status: "up", criticality: "hard", ageMs: 0 },
        { name: "cache", status: "down", criticality: "soft", error: "pool exhausted" },
      ],
    });
  });

  test("a criticality that is none is refused at the start, not read as harmless", () => {
    const wrong = { ...dependency(), criticality: "Hard" as Check["criticality"] };
    expect(() => createReporter({ checks: { db: wrong } })).toThrow('check "db": its criticality must be one of hard, soft, informational');
  });

  test("a check may not take longer than the round it belongs to", () => {
    expect(() => createReporter({ checks: { db: { ...dependency(), timeout: 5_000 } } })).toThrow('check "db"');
  });
});
