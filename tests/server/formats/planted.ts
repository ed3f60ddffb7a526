import fc from "fast-check";

/** One check as every library would have it: whether it works, and what it is called. */
export interface Check {
  name: string;
  up: boolean;
}

/** An answer whose own word is good, over checks of which some may be down. */
export interface Planted {
  /** The library or habit that writes so. */
  shape: string;
  body: unknown;
  checks: Check[];
}

type Write = (checks: Check[], words: Words) => unknown;
interface Words {
  up: string;
  down: string;
  /** Data beside the status, as a detail of the check. */
  data: object;
}

const map = (checks: Check[], entry: (check: Check) => unknown) => Object.fromEntries(checks.map((check) => [check.name, entry(check)]));
const error = ({ up }: Check) => (up ? {} : { error: "connect ECONNREFUSED" });
const at = "2031-03-04T23:59:58Z";

/** How each writes its checks under a good word; written by hand from their documents, without any part of the product. */
const SHAPES: Readonly<Record<string, Write>> = {
  "own contract": (checks) => ({
    status: "healthy",
    components: checks.map(({ name, up }) => ({ name, status: up ? "up" : "down", criticality: "soft", latency_ms: 3 })),
  }),
  "spring 3": (checks, { data }) => ({
    status: "UP",
    components: map(checks, (check) => ({ status: check.up ? "UP" : "DOWN", details: { ...data, ...error(check) } })),
  }),
  "spring 3, nested": (checks) => ({
    status: "UP",
    components: { db: { status: "UP", components: map(checks, ({ up }) => ({ status: up ? "UP" : "OUT_OF_SERVICE" })) } },
  }),
  "spring 2": (checks) => ({ status: "UP", details: map(checks, ({ up }) => ({ status: up ? "UP" : "DOWN", details: { total: 1 } })) }),
  "spring 1": (checks) => ({ status: "UP", ...map(checks, ({ up }) => ({ status: up ? "UP" : "DOWN", total: 1 })) }),
  "aspnet ui": (checks, { data }) => ({
    status: "Healthy",
    totalDuration: "00:00:00.0100000",
    entries: map(checks, ({ up }) => ({ data, duration: "00:00:00.0010000", status: up ? "Healthy" : "Unhealthy", tags: [] })),
  }),
  "aspnet raw": (checks) => ({
    Status: 2,
    TotalDuration: "00:00:00.01",
    Entries: map(checks, ({ up }) => ({ Status: up ? 2 : 0, Duration: "00:00:00", Data: {} })),
  }),
  "health+json": (checks) => ({
    status: "pass",
    checks: Object.fromEntries(
      checks.map(({ name, up }) => [
        `${name}:responseTime`,
        [{ status: up ? "pass" : "fail", observedValue: 3, observedUnit: "ms", time: at }],
      ]),
    ),
  }),
  microprofile: (checks, { data }) => ({
    status: "UP",
    checks: checks.map(({ name, up }) => ({ name, status: up ? "UP" : "DOWN", data })),
  }),
  "vert.x": (checks) => ({ outcome: "UP", checks: checks.map(({ name, up }) => ({ id: name, status: up ? "UP" : "DOWN" })) }),
  terminus: (checks) => ({ status: "ok", info: {}, error: {}, details: map(checks, ({ up }) => ({ status: up ? "up" : "down" })) }),
  alexliesenfeld: (checks) => ({
    status: "up",
    details: map(checks, (check) => ({ status: check.up ? "up" : "down", timestamp: at, ...error(check) })),
  }),
  "invision, fatal": (checks) => ({
    status: "ok",
    details: map(checks, ({ name, up }) => ({ name, status: up ? "ok" : "failed", fatal: true, check_time: at, num_failures: 0 })),
  }),
  "go-sundheit": (checks) =>
    map(checks, (check) => ({ message: "", timestamp: at, duration: 1000, contiguousFailures: 0, ...error(check) })),
  hellofresh: (checks) => ({
    status: "OK",
    timestamp: at,
    failures: map(
      checks.filter(({ up }) => !up),
      () => "refused",
    ),
    component: { name: "x", version: "1" },
  }),
  dropwizard: (checks) => map(checks, ({ up }) => ({ healthy: up, duration: 1, timestamp: at })),
  micronaut: (checks) => ({ name: "app", status: "UP", details: map(checks, ({ up }) => ({ name: "app", status: up ? "UP" : "DOWN" })) }),
  govuk: (checks) => ({ status: "ok", checks: map(checks, ({ up }) => ({ status: up ? "ok" : "critical" })) }),
  dockerflow: (checks) => ({ status: "ok", checks: map(checks, ({ up }) => (up ? "ok" : "error")), details: {} }),
  okcomputer: (checks) => map(checks, ({ up }) => ({ message: "m", success: up, time: 0.01 })),
  watchman: (checks) => ({ databases: checks.map(({ name, up }) => ({ [name]: { ok: up } })), storage: { ok: true } }),
  "py-healthcheck": (checks) => ({
    status: "success",
    results: checks.map(({ name, up }) => ({ checker: name, passed: up, output: "", response_time: 0.01 })),
  }),
  spatie: (checks) => ({
    finishedAt: 1_930_348_790,
    checkResults: checks.map(({ name, up }) => ({ name, label: name, status: up ? "ok" : "failed", meta: [] })),
  }),
  "liip, wrong word": (checks) => ({
    globalStatus: "OK",
    checks: checks.map(({ name, up }) => ({ checkName: name, status: up ? 0 : 3, duration: 0.1 })),
  }),
  consul: (checks) => checks.map(({ name, up }) => ({ CheckID: name, Name: name, Status: up ? "passing" : "critical", Output: "" })),
  plug_checkup: (checks) => checks.map(({ name, up }) => ({ name, time: 12, healthy: up, error: null })),
  kibana: (checks) => ({
    status: { overall: { level: "available" }, core: map(checks, ({ up }) => ({ level: up ? "available" : "critical", summary: "s" })) },
  }),
  harbor: (checks) => ({ status: "healthy", components: checks.map(({ name, up }) => ({ name, status: up ? "healthy" : "unhealthy" })) }),
  ksql: (checks) => ({ isHealthy: true, details: map(checks, ({ up }) => ({ isHealthy: up })) }),
  "otel collector": (checks) => ({
    healthy: true,
    status: "StatusOK",
    components: map(checks, ({ up }) => ({ healthy: up, status: up ? "StatusOK" : "StatusFatalError", status_time: at })),
  }),
  "written by hand, map of objects": (checks, { up: good, down, data }) => ({
    status: good,
    uptime: 12,
    checks: map(checks, ({ up }) => ({ ...data, status: up ? good : down, latency: 12 })),
  }),
  "written by hand, list": (checks, { up: good, down }) => ({
    ok: true,
    services: checks.map(({ name, up }) => ({ service: name, state: up ? good : down })),
  }),
  "written by hand, words": (checks, { up: good, down }) => ({ status: good, dependencies: map(checks, ({ up }) => (up ? good : down)) }),
  "written by hand, booleans": (checks) => ({ healthy: true, checks: map(checks, ({ up }) => up) }),
  "written by hand, in an envelope": (checks, { up: good, down }) => ({
    success: true,
    data: { status: good, components: map(checks, ({ up }) => ({ status: up ? good : down })) },
  }),
  "kubernetes, verbose": (checks) =>
    checks.map(({ name, up }) => (up ? `[+]${name} ok\n` : `[-]${name} failed: reason withheld\n`)).join(""),
  "okcomputer, text": (checks) => checks.map(({ name, up }) => `${name}: ${up ? "PASSED" : "FAILED"} m (0.01s)\n`).join(""),
  lines: (checks, { up: good, down }) => checks.map(({ name, up }) => `${name}: ${up ? good : down}`).join("\n"),
};

const UP = ["UP", "ok", "OK", "pass", "healthy", "Healthy", "green", "connected", "operational", "available", "running"];
const DOWN = [
  "DOWN",
  "fail",
  "FAILED",
  "error",
  "critical",
  "unhealthy",
  "Unhealthy",
  "red",
  "disconnected",
  "unavailable",
  "not ready",
  "OUT_OF_SERVICE",
];

const name = fc.oneof(
  fc.constantFrom("db", "redis", "kafka-orders", "payments_api", "S3 Bucket", "__proto__", "constructor", "search"),
  fc.stringMatching(/^[a-z][a-z0-9-]{2,12}$/).map((text) => `x-${text}`),
);
const checks = fc.uniqueArray(fc.record({ name, up: fc.boolean() }), { minLength: 1, maxLength: 9, selector: (check) => check.name });
const words = fc.record({
  up: fc.constantFrom(...UP),
  down: fc.constantFrom(...DOWN),
  data: fc.constantFrom(
    {},
    { version: "7.2", nodes: 3 },
    { database: "PostgreSQL", validationQuery: "isValid()" },
    { total: 5, free: 4, exists: true },
  ),
});

/** Answers that call themselves well, in the shapes of many libraries, with some checks down. */
export const planted: fc.Arbitrary<Planted> = fc
  .tuple(fc.constantFrom(...Object.entries(SHAPES)), checks, words)
  .map(([[shape, write], list, style]) => ({ shape, checks: list, body: write(list, style) }));
