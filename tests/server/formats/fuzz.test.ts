import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { normalise } from "../../../server/src/formats/index.ts";
import { decodeBody } from "../../../server/src/poller/body.ts";
import { holdsDownCheck, type Input, mutated } from "./fuzz.ts";
import { planted } from "./planted.ts";

/** `FUZZ_RUNS` inputs in all; the everyday run is short. */
const RUNS = Number(process.env.FUZZ_RUNS ?? 4_000);
const NOW = Date.parse("2031-03-05T00:00:00Z");

/** For `tests/bench/formats.mjs`; nothing here is judged by the clock. */
const seen = { inputs: 0, slowestMs: 0 };
afterAll(() => {
  if (process.env.FUZZ_RUNS) console.log(JSON.stringify({ ...seen, heapMb: Math.round(process.memoryUsage().heapUsed / 2 ** 20) }));
});

/** Milliseconds of processor time, the best of a few runs: what the input costs, and not what else the machine was doing. */
function cost(read: () => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 4 && best > 1; run += 1) {
    const start = process.cpuUsage();
    read();
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

function check({ body, httpStatus, contentType, contentEncoding }: Input): void {
  const decoded = decodeBody(body, { contentType, contentEncoding, maxBody: 262_144 });
  if (!decoded.ok) return;
  const read = () => normalise({ httpStatus, contentType, text: decoded.text, receivedAt: NOW }, "auto");
  const result = read();
  seen.inputs += 1;
  if (process.env.FUZZ_RUNS) seen.slowestMs = Math.max(seen.slowestMs, cost(read));
  const { report, warnings } = result;
  expect(warnings.length).toBeLessThanOrEqual(20);
  expect(result.outcome === "report").toBe(report !== null && !report.maybeGateway);
  if (report === null) return;
  expect(report.components.length).toBeLessThanOrEqual(500);
  for (const component of report.components) {
    expect(component.name).toMatch(/^[^\p{Cc}\p{Cf}]{1,210}$/u);
    expect(component.error ?? "").toMatch(/^[^\p{Cc}\p{Cf}]{0,300}$/u);
    expect(component.latencyMs ?? 0).toBeGreaterThanOrEqual(0);
    expect(component.lastChecked ?? 0).toBeLessThanOrEqual(NOW + 1_500);
  }
  expect(new Set(report.components.map(({ name }) => name)).size).toBe(report.components.length);
  if (httpStatus >= 500) expect(report.status).not.toBe("healthy");
  if (report.status === "healthy") expect(holdsDownCheck(parse(decoded.text), result.format)).toBe(false);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return null;
  }
}

const key = fc.constantFrom(
  "status",
  "state",
  "checks",
  "components",
  "details",
  "name",
  "error",
  "healthy",
  "services",
  "time",
  "latency_ms",
  "__proto__",
  "x",
);
const word = fc.constantFrom("UP", "DOWN", "ok", "fail", "degraded", "unknown", "healthy", "nonsense", "2026-10-24T09:15:02Z", "1.5s", "");
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof({ maxDepth: 6 }, word, fc.boolean(), fc.double(), fc.constant(null), fc.string(), tie("list"), tie("object")),
  list: fc.array(tie("tree"), { maxLength: 5 }),
  object: fc.array(fc.tuple(key, tie("tree")), { maxLength: 6 }).map((members) => Object.fromEntries(members)),
}));

/** Megabytes in use once the garbage is gone. */
function heapMb(): number {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

describe("whatever a service sends", () => {
  test("mutations of the judged answers never throw, grow, or turn a failing check into green", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 31 }), (seed) => check(mutated(seed))),
      { numRuns: Math.ceil(RUNS * 0.65) },
    );
  });

  test("made-up JSON in the common words likewise", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(tree, fc.constantFrom(200, 200, 429, 503), (value, httpStatus) =>
        check({ body: Buffer.from(JSON.stringify(value) ?? ""), httpStatus, contentType: null, contentEncoding: null }),
      ),
      { numRuns: Math.ceil(RUNS * 0.15) },
    );
  });

  test("a good word over a check that is down is never healthy, in the shape of any library", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(planted, ({ shape, body, checks }) => {
        const text = typeof body === "string" ? body : JSON.stringify(body);
        const { report, format } = normalise({ httpStatus: 200, contentType: null, text, receivedAt: NOW }, "auto");
        seen.inputs += 1;
        const allUp = checks.every(({ up }) => up);
        expect(report?.status === "healthy", `${shape}, read as ${format}: ${text}`).toBe(allUp);
        if (!allUp) expect(report?.components.filter(({ status }) => status === "down").length).toBe(checks.filter(({ up }) => !up).length);
      }),
      { numRuns: Math.ceil(RUNS * 0.15) },
    );
  });

  test("nothing is kept from one answer to the next but bounded memos", { timeout: 600_000 }, () => {
    const inputs = (from: number, to: number) => {
      for (let seed = from; seed < to; seed += 1) check(mutated(seed));
    };
    inputs(0, 1_500);
    const before = heapMb();
    inputs(1_500, 4_500);
    expect(heapMb() - before).toBeLessThan(3);
  });

  test("bytes of any kind likewise", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), fc.constantFrom(null, "gzip", "br", "deflate"), (bytes, contentEncoding) =>
        check({ body: Buffer.from(bytes), httpStatus: 200, contentType: null, contentEncoding }),
      ),
      { numRuns: Math.ceil(RUNS * 0.05) },
    );
  });
});
