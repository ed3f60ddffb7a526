// Writes history as fast as a server with fifty polls a second would, ten times as fast, and says what it has shown:
// after each commit a line `shown TRANSITION INCIDENT TIME`, after each flush `flushed TIME SAMPLES`.
import { writeSync } from "node:fs";
import { openStore } from "../../server/dist/store/index.js";

const [path, startText] = process.argv.slice(2);
const DAY = 86_400_000;
const store = openStore({ path, maxSize: 2e9, retention: { raw: DAY, minutes: 7 * DAY, hours: 90 * DAY, changes: 400 * DAY } });
let now = Number(startText);
const restored = store.writer.restore(now);
let incident = restored.nextIncidentId;
let polls = 0;
const damped = (status, since) => ({
  status,
  since,
  pending: null,
  raw: status,
  recent: [status],
  run: [],
  flapping: false,
  intermittent: false,
  confirmed: true,
});

const state = { nodes: new Map(restored.state?.nodes), instances: new Map(restored.state?.instances), edges: new Map(), blind: null };
writeSync(1, `started ${now} ${JSON.stringify(restored.state?.nodes.size ?? 0)}\n`);
setInterval(() => {
  now += 1_000;
  const service = `service-${incident % 20}`;
  const observations = Array.from({ length: 50 }, (_, i) => ({
    service: `service-${i}`,
    instance: `service-${i}`,
    at: now - i * 20,
    latencyMs: 10 + i,
    outcome: "report",
    httpStatus: 200,
    report: {
      status: "healthy",
      components: Array.from({ length: 8 }, (_, n) => ({ name: `dependency-${n}`, status: "up", latencyMs: n + 1 })),
    },
    format: "headwater",
    error: null,
    date: null,
    httpAge: null,
    warnings: [],
    body: null,
  }));
  store.writer.append(observations);
  polls += observations.length;
  const status = incident % 2 ? "unhealthy" : "healthy";
  const node = {
    id: service,
    status,
    since: now,
    pending: null,
    confirmed: true,
    marks: [],
    reason: null,
    lastKnown: null,
    lastChecked: now,
    stale: false,
    latencyMs: 1,
    outcome: "report",
    window: null,
    ownWord: status,
    coverage: null,
  };
  const instance = {
    id: service,
    service,
    damped: damped(status, now),
    outcome: "report",
    phase: null,
    phaseCount: 0,
    lastPollAt: now,
    components: [],
    seenChecks: new Map(),
    window: null,
  };
  state.nodes.set(service, node);
  state.instances.set(service, instance);
  store.writer.saveState(state, { nodes: [service], instances: [service], edges: [] });
  const durable = store.writer.commit({
    at: now,
    transitions: [{ subject: "node", id: service, at: now, from: null, to: status, reason: "test", incident }],
    incidents: [
      {
        id: incident,
        kind: "cause",
        status: "open",
        severity: "info",
        anchor: service,
        openedAt: now,
        detectedAt: now,
        recoveringAt: null,
        resolvedAt: null,
        end: null,
        absorbedBy: null,
        unverifiedSince: null,
        cause: null,
        candidates: [],
        impacted: [],
        atRisk: [],
        systems: [],
        acked: null,
        mapRevision: 1,
      },
    ],
    events: [{ incident, at: now, kind: "opened", node: service, text: "opened", by: null }],
  });
  if (durable) writeSync(1, `shown ${service} ${incident} ${now} ${status}\n`);
  incident++;
  store.writer.flush(now);
  writeSync(1, `flushed ${now} ${polls}\n`);
  store.writer.maintain(now);
}, 2);
