import { z } from "zod";
import { whatIf } from "../analysis/whatif.ts";
import type * as wire from "../contract/index.ts";
import { Board as BoardSchema, ErrorBody, NodeDetail, NodeHistory, WhatIf } from "../contract/index.ts";
import type { Availability, NodeHistory as History, LatencyPoint } from "../domain/history.ts";
import type { Live } from "../domain/live.ts";
import type { MapNode } from "../domain/map.ts";
import { compareStatus, type Status } from "../domain/status.ts";
import type { Board } from "./board.ts";
import { boardAt } from "./board-at.ts";
import { ApiError } from "./errors.ts";
import { type Answer, nodeDetail } from "./node-detail.ts";
import { payloadOf, sendPayload } from "./payload.ts";
import { MomentQuery, RangeQuery, rangeOf } from "./range.ts";
import { inTurns } from "./turns.ts";
import type { App } from "./types.ts";
import { availabilityView, time } from "./view.ts";

const DAY_MS = 86_400_000;
const MAX_POINTS = 1_000;
const NodeParams = z.object({ id: z.string().min(1).max(200) });

export function nodeRoutes(app: App, live: Live, board: Board): void {
  app.get(
    "/api/v1/board",
    {
      config: { access: "viewer" },
      schema: {
        summary: "The whole board, or as it was",
        querystring: z.object({ at: MomentQuery.optional() }),
        response: { 200: BoardSchema, 304: z.undefined(), 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const at = request.query.at === undefined ? null : Date.parse(request.query.at);
      if (at !== null && at > live.now()) throw new ApiError("bad_request", "at lies in the future");
      if (at !== null) {
        const past = await inTurns(live.history().statesAt(at));
        if (!past) throw new ApiError("no_data", `nothing was seen at ${time(at)}`);
        return sendPayload(request, reply, payloadOf(await inTurns(boardAt(live, past))));
      }
      const { payload, etag, unchanged } = board.current();
      reply.header("etag", etag);
      if (unchanged && matches(request.headers["if-none-match"], etag)) return reply.code(304).send();
      return sendPayload(request, reply, payload);
    },
  );

  app.get(
    "/api/v1/nodes/:id",
    {
      config: { access: "viewer" },
      schema: { summary: "One node in full", params: NodeParams, response: { 200: NodeDetail, 404: ErrorBody } },
    },
    async (request) => {
      const node = findNode(live, request.params.id);
      return nodeDetail(live.snapshot(), node, lastAnswer(live, node), live.now());
    },
  );

  app.get(
    "/api/v1/nodes/:id/history",
    {
      config: { access: "viewer" },
      schema: {
        summary: "Spans, latencies and gaps of one node; the last day where no range is given",
        params: NodeParams,
        querystring: RangeQuery.extend({ dependency: z.string().max(200).optional() }),
        response: { 200: NodeHistory, 404: ErrorBody },
      },
    },
    async (request, reply) => {
      const { id } = request.params;
      const { from, to } = rangeOf(request.query, live.now(), DAY_MS);
      const history = await inTurns(live.history().nodeHistory(id, from, to, MAX_POINTS));
      const isKnown = live.snapshot().map.nodes.has(id) || history.spans.some(({ status }) => status !== "no_data");
      if (!isKnown) throw new ApiError("not_found", "no node has this id");
      const view = historyView(history, live.history().availability("node", id, from, to));
      const { dependency } = request.query;
      if (dependency !== undefined) {
        const { bucket, latency, whole } = await inTurns(live.history().dependencyLatency(id, dependency, from, to, MAX_POINTS));
        view.dependency = { to: dependency, bucket_ms: bucket, latency: latency.map(latencyView), whole: latencyView(whole) };
      }
      return sendPayload(request, reply, payloadOf(Buffer.from(JSON.stringify(view))));
    },
  );

  app.get(
    "/api/v1/nodes/:id/whatif",
    {
      config: { access: "viewer" },
      schema: { summary: "What its failure would do", params: NodeParams, response: { 200: WhatIf, 404: ErrorBody } },
    },
    async (request) => {
      const { map } = live.snapshot();
      const { id } = findNode(live, request.params.id);
      const { impacted, atRisk, systems } = whatIf(map, id);
      return {
        node: id,
        impacted: impacted.map(({ node, status }) => ({ node, status })),
        at_risk: [...atRisk],
        systems: systems.map((system) => ({ id: system.id, name: map.systems.get(system.id)?.name ?? system.id, effect: system.effect })),
      };
    },
  );
}

function findNode(live: Live, id: string): MapNode {
  const node = live.snapshot().map.nodes.get(id);
  if (!node) throw new ApiError("not_found", "no node has this id");
  return node;
}

/** Of several instances, the answer of the one in the worst state. */
function lastAnswer(live: Live, node: MapNode): Answer | null {
  if (node.kind !== "service") return null;
  const { instances } = live.snapshot().state;
  let worst: { status: Status; answer: Answer } | null = null;
  for (const { id } of node.instances) {
    const answer = live.lastObservation(id);
    const status = instances.get(id)?.damped.status ?? "healthy";
    if (answer && (!worst || compareStatus(status, worst.status) > 0)) worst = { status, answer };
  }
  return worst?.answer ?? null;
}

/** If-None-Match compares weakly. */
function matches(header: string | undefined, etag: string): boolean {
  const plain = etag.replace(/^W\//, "");
  return (header ?? "").split(",").some((tag) => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === plain);
}

function historyView(history: History, availability: Availability): wire.NodeHistory {
  return {
    from: time(history.from),
    to: time(history.to),
    bucket_ms: history.bucket,
    spans: history.spans.map(({ status, from, to, reason, role }) => ({ status, from: time(from), to: time(to), reason, role })),
    latency: history.latency.map(latencyView),
    gaps: history.gaps.map(({ from, to }) => ({ from: time(from), to: time(to) })),
    failures: history.failures.map(({ at, outcome }) => ({ at: time(at), outcome })),
    changes: history.changes.map(({ at, node, text, link }) => ({ at: time(at), node, text, link })),
    availability: availabilityView(availability),
  };
}

function latencyView({ at, count, failed, p50, p95, p99 }: LatencyPoint): wire.NodeHistory["latency"][number] {
  return { at: time(at), count, failed, p50, p95, p99 };
}
