// What it costs to read one answer: bytes to text, parsing, recognising, normalising, redacting. Then the fuzz run, timed.
//
//   pnpm build && node tests/bench/formats.mjs [--fuzz 100000]
//
// Prints one JSON line: medians in µs of processor time for reports of about 1.3 kB with 8 components, by dialect, beside
// those of JSON.parse alone, and the slowest input of the fuzz run in ms. The target is a median under 30 µs and no input
// over 50 ms.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { normalise } from "../../server/dist/formats/index.js";
import { decodeBody } from "../../server/dist/poller/body.js";

const { values } = parseArgs({ options: { fuzz: { type: "string", default: "100000" } } });
const NOW = Date.now();
const NAMES = [
  "postgres-primary-write-pool",
  "redis-session-cache",
  "kafka-order-events",
  "s3-attachments-bucket",
  "ldap-directory",
  "payment-gateway",
  "disk-usage-var-lib",
  "thread-pool-workers",
];
const at = new Date(NOW - 2_000).toISOString();
const map = (entry) => Object.fromEntries(NAMES.map((name, index) => [name, entry(name, index)]));

const REPORTS = {
  headwater: {
    status: "healthy",
    components: NAMES.map((name, index) => ({
      name,
      status: "up",
      criticality: index < 4 ? "hard" : "soft",
      latency_ms: index * 3.7,
      last_checked: at,
      age_ms: 2_000,
    })),
  },
  "headwater, all down": {
    status: "unhealthy",
    components: NAMES.map((name) => ({
      name,
      status: "down",
      criticality: "hard",
      latency_ms: 2_000,
      last_checked: at,
      error: `connect ECONNREFUSED ${name}.internal:5432`,
    })),
  },
  "spring-actuator": {
    status: "UP",
    components: map((name) => ({
      status: "UP",
      details: { database: "PostgreSQL", validationQuery: "isValid()", path: `/srv/${name}/.`, total: 64_000_000_000, exists: true },
    })),
  },
  "health-json": {
    status: "pass",
    checks: Object.fromEntries(
      NAMES.map((name, index) => [
        `${name}:responseTime`,
        [{ componentType: "datastore", observedValue: index * 2.5, observedUnit: "ms", status: "pass", time: at }],
      ]),
    ),
  },
  "nestjs-terminus": {
    status: "ok",
    info: map(() => ({ status: "up" })),
    error: {},
    details: map(() => ({ status: "up", message: "reached in time" })),
  },
  generic: {
    status: "ok",
    checks: NAMES.map((name, index) => ({
      name,
      state: "ok",
      latencyMs: index * 1.5,
      checkedAt: at,
      required: true,
      kind: "dependency",
      replica: index,
    })),
  },
};

function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)];
}

/** Median µs of processor time for one reading, over 60 batches of 500 after a warm-up. */
function measure(body) {
  const head = { contentType: "application/json", contentEncoding: null, maxBody: 262_144 };
  const once = () => {
    const decoded = decodeBody(body, head);
    return normalise({ httpStatus: 200, contentType: head.contentType, text: decoded.text, receivedAt: NOW }, "auto");
  };
  const format = once().format;
  const parsed = perRun(() => JSON.parse(body.toString()));
  return { format, bytes: body.length, us: perRun(once), json_parse_us: parsed };
}

/** Processor time and not the clock, since a busy machine would be measured otherwise. */
function perRun(run) {
  const batches = Array.from({ length: 80 }, () => {
    const start = process.cpuUsage();
    for (let turn = 0; turn < 500; turn += 1) run();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 500;
  });
  return Number(median(batches.slice(20)).toFixed(1));
}

const reports = Object.fromEntries(Object.entries(REPORTS).map(([name, report]) => [name, measure(Buffer.from(JSON.stringify(report)))]));

function fuzz() {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const args = ["node_modules/vitest/vitest.mjs", "run", "--project", "unit", "tests/server/formats/fuzz.test.ts"];
  const { stdout } = spawnSync(process.execPath, args, { cwd: root, env: { ...process.env, FUZZ_RUNS: values.fuzz }, encoding: "utf8" });
  const line = /\{"inputs".*\}/.exec(stdout ?? "")?.[0];
  return line ? JSON.parse(line) : { failed: String(stdout).slice(-2_000) };
}

console.log(JSON.stringify({ reports, fuzz: fuzz() }));
