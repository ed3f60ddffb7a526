import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { SEVERITIES } from "../domain/incident.ts";
import { type Live, type Publication, STALE_CODES } from "../domain/live.ts";
import type { Snapshot } from "../domain/snapshot.ts";
import { STATUSES } from "../domain/status.ts";
import type { LabelSource } from "./labels.ts";
import { openDescriptors, watchLoopDelay } from "./own-process.ts";
import type { Stream } from "./stream.ts";
import { inTurns } from "./turns.ts";
import type { App } from "./types.ts";
import { isBlind } from "./view.ts";

interface Build {
  version: string;
  commit: string | null;
}

/** What became of alerts, by receiver: totals since start, what waits, and attempts in a row that failed. */
export type AlertCounts = () => ReadonlyMap<string, { sent: number; dropped: number; waiting: number; failures: number }>;

/** `GET /metrics`: what is true at the moment of the scrape, read from the snapshot; a node's series go with the node. */
export function metricsRoutes(app: App, live: Live, stream: Stream, build: Build, alerts: AlertCounts, labels: LabelSource): void {
  const metrics = createMetrics(live, stream, build, alerts, labels);
  app.get("/metrics", { config: { access: "viewer" }, schema: { summary: "Prometheus metrics" } }, async (_request, reply) =>
    reply.type(metrics.contentType).send(await metrics.scrape()),
  );
  app.addHook("onClose", async () => metrics.close());
}

/** A registry of our own. Label values come from the map and from closed lists, so their number is bounded. */
function createMetrics(live: Live, stream: Stream, build: Build, alerts: AlertCounts, labels: LabelSource) {
  const registry = new Registry();
  const registers = [registry];
  const gauge = <L extends string>(name: string, help: string, ...labelNames: L[]) => new Gauge({ name, help, labelNames, registers });
  const counter = <L extends string>(name: string, help: string, ...labelNames: L[]) => new Counter({ name, help, labelNames, registers });

  const stale = gauge("headwater_stale", "1 for each reason why this aggregator cannot be trusted now", "because");
  const blind = gauge("headwater_blind", "1 while our own network is the likely cause of silence");
  const lastAnswer = gauge("headwater_last_answer_timestamp_seconds", "When a poll last brought a report");
  const instances = gauge("headwater_instances", "Polled instances");
  const reporting = gauge("headwater_reporting_instances", "Instances with a fresh report");
  const overdue = gauge("headwater_overdue_instances", "Instances whose poll has not completed in time");
  const polls = counter("headwater_polls_total", "Completed polls", "outcome");
  const inFlight = gauge("headwater_polls_in_flight", "Polls that wait for an answer");
  const lag = gauge("headwater_poller_lag_seconds", "How late polls start, at worst, over the last interval");
  const skipped = counter("headwater_ticks_skipped_total", "Ticks that were missed, or found the poll before still running");
  const lastWrite = gauge("headwater_history_last_write_timestamp_seconds", "When history was last written");
  const queued = gauge("headwater_history_queued", "Records that wait to be written");
  const lost = counter("headwater_history_dropped_total", "Records dropped because history could not be written");
  const size = gauge("headwater_history_size_bytes", "Size of the database");
  const refused = gauge("headwater_map_refused", "1 while the newest map is refused");
  const mapRevision = gauge("headwater_map_revision", "Revision of the map in use");
  const systemStatus = gauge(
    "headwater_system_status",
    "A state set: 1 for the status that a system has, 0 for the others",
    "system",
    "status",
  );
  const incidents = gauge("headwater_incidents_open", "Incidents not resolved", "team", "severity");
  const viewers = gauge("headwater_stream_viewers", "Open event streams");
  const slowViewers = counter("headwater_stream_dropped_total", "Event streams ended because they were not read");
  const alertsSent = counter("headwater_alerts_sent_total", "Alerts that their receiver has taken", "receiver");
  const alertsDropped = counter("headwater_alerts_dropped_total", "Alerts dropped: too many waited, or refused for good", "receiver");
  const alertsWaiting = gauge("headwater_alerts_waiting", "Alerts that wait for their receiver", "receiver");
  const alertsFailing = gauge("headwater_alerts_failing", "Attempts in a row that the receiver did not take", "receiver");
  const labelFindings = gauge("headwater_label_findings", "Labels of the map that are in doubt, as last judged", "team", "kind");
  const loopDelay = gauge("headwater_event_loop_delay_seconds", "How late the event loop served a timer, at worst, in the last 10 to 20 s");
  const descriptors = gauge("process_open_fds", "Open file descriptors");
  const memory = gauge("process_resident_memory_bytes", "Resident memory");
  const cpu = counter("process_cpu_seconds_total", "User and system time");
  const startTime = gauge("process_start_time_seconds", "When the aggregator started");
  const info = gauge("headwater_build_info", "1, with the build in its labels", "version", "commit", "node", "site");
  const duration = new Histogram({
    name: "headwater_poll_duration_seconds",
    help: "How long polls took, whatever their outcome",
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  info.set({ version: build.version, commit: build.commit ?? "", node: process.versions.node, site: live.config.site }, 1);
  startTime.set(live.startedAt / 1_000);

  const ownLoop = watchLoopDelay();
  const unsubscribe = live.subscribe((publication) => {
    for (const ms of newDurations(publication)) duration.observe(ms / 1_000);
  });

  async function read(): Promise<void> {
    const open = await openDescriptors();
    const snapshot = live.snapshot();
    const signal = live.signal();
    const store = live.store();
    const poller = live.poller();
    const map = live.mapInfo();
    for (const code of STALE_CODES) stale.set({ because: code }, signal.because.includes(code) ? 1 : 0);
    blind.set(isBlind(snapshot, signal) ? 1 : 0);
    setTime(lastAnswer, signal.lastAnswerAt);
    instances.set(signal.instances);
    reporting.set(signal.reporting);
    overdue.set(signal.overdue);
    polls.reset();
    for (const [outcome, count] of Object.entries(poller.polls)) polls.inc({ outcome }, count);
    inFlight.set(poller.inFlight);
    lag.set(poller.lagMs / 1_000);
    setTotal(skipped, poller.skipped);
    setTime(lastWrite, signal.lastWriteAt);
    queued.set(store.queued);
    setTotal(lost, store.dropped);
    size.set(store.sizeBytes);
    refused.set(map.refused ? 1 : 0);
    mapRevision.set(map.revision);
    viewers.set(stream.viewers());
    setTotal(slowViewers, stream.dropped());
    for (const metric of [alertsSent, alertsDropped, alertsWaiting, alertsFailing]) metric.reset();
    for (const [receiver, { sent, dropped, waiting, failures }] of alerts()) {
      alertsSent.inc({ receiver }, sent);
      alertsDropped.inc({ receiver }, dropped);
      alertsWaiting.set({ receiver }, waiting);
      alertsFailing.set({ receiver }, failures);
    }
    labelFindings.reset();
    for (const { team, kind, count } of labels.counts() ?? []) labelFindings.set({ team, kind }, count);
    loopDelay.set(ownLoop.worst());
    if (open !== null) descriptors.set(open);
    memory.set(process.memoryUsage.rss());
    const { user, system } = process.cpuUsage();
    setTotal(cpu, (user + system) / 1_000_000);

    for (const metric of [systemStatus, incidents]) metric.reset();
    for (const { id, status: now } of snapshot.rollup.systems.values())
      for (const status of STATUSES) systemStatus.set({ system: id, status }, status === now ? 1 : 0);
    // A zero for each team, so that the end of an incident and the end of our answers are two things to a monitor.
    for (const team of ["", ...snapshot.map.teams.keys()]) for (const severity of SEVERITIES) incidents.set({ team, severity }, 0);
    for (const incident of snapshot.incidents)
      if (incident.status !== "resolved")
        incidents.inc({ team: snapshot.map.nodes.get(incident.anchor)?.team ?? "", severity: incident.severity });
  }

  return {
    contentType: registry.contentType,
    async scrape() {
      await read();
      return `${await registry.metrics()}\n${await inTurns(nodeSeries(live.snapshot()))}`;
    },
    close() {
      unsubscribe();
      ownLoop.close();
    },
  };
}

/** The two families with a series a node, written by hand and a node a step: thousands of them must not hold up a poll. */
function* nodeSeries({ map, state, verdict }: Snapshot): Generator<void, string> {
  const statuses = [
    "# HELP headwater_node_status A state set: 1 for the status that a node has, 0 for the others",
    "# TYPE headwater_node_status gauge",
  ];
  const roles = ["# HELP headwater_node_role 1 for the role that a node has, where it has one", "# TYPE headwater_node_role gauge"];
  for (const { id, team } of map.nodes.values()) {
    const labels = `node="${escapeLabel(id)}",team="${escapeLabel(team ?? "")}"`;
    const now = state.nodes.get(id)?.status ?? "unknown";
    for (const status of STATUSES) statuses.push(`headwater_node_status{${labels},status="${status}"} ${status === now ? 1 : 0}`);
    const role = verdict.roles.get(id)?.role;
    if (role) roles.push(`headwater_node_role{${labels},role="${role}"} 1`);
    yield;
  }
  return `${statuses.join("\n")}\n\n${roles.join("\n")}\n`;
}

function escapeLabel(text: string): string {
  return text.replace(/[\\"\n]/g, (char) => (char === "\n" ? "\\n" : `\\${char}`));
}

function setTime(gauge: Gauge, ms: number | null): void {
  if (ms === null) gauge.remove();
  else gauge.set(ms / 1_000);
}

function setTotal(counter: Counter, value: number): void {
  counter.reset();
  counter.inc(value);
}

/** Milliseconds of the polls that this publication is the first to show. */
function* newDurations({ snapshot, before, nodes, seen }: Publication): Generator<number> {
  for (const id of new Set([...nodes, ...seen])) {
    const node = snapshot.map.nodes.get(id);
    for (const instance of node?.kind === "service" ? node.instances : []) {
      const now = snapshot.state.instances.get(instance.id);
      if (!now || now.latencyMs === null || now.lastPollAt === before?.state.instances.get(instance.id)?.lastPollAt) continue;
      yield now.latencyMs;
    }
  }
}
