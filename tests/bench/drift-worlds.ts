/**
 * Label drift in small worlds of one kind each: outages that coincide, announced work, flapping, gaps, renamed nodes,
 * labels that change midweek, alternatives, services that are polled seldom, names in several spellings. Each is lived
 * through by the real state and store; a line a world, exit code 1 for a false or missing finding or a wrong patch.
 *
 *     pnpm bench:drift-worlds [name as a regular expression]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { diffMaps } from "../../server/src/config/diff.ts";
import { polledServices, type SystemMap } from "../../server/src/domain/map.ts";
import type { Component, Observation } from "../../server/src/domain/observation.ts";
import type { Criticality, Status } from "../../server/src/domain/status.ts";
import { labelsReport } from "../../server/src/labels/report.ts";
import { ownWords, type ToldWords } from "../../server/src/state/ownwords.ts";
import { age, initialState, observe, remap, renames, type Step } from "../../server/src/state/reduce.ts";
import { stateCodec } from "../../server/src/state/serialise.ts";
import { openStore } from "../../server/src/store/index.ts";
import { applyDiff } from "../support/apply-diff.ts";
import { componentOf, type Failure, failuresOf, isSilent, mapOf, pollOf, type Truth, truthOf } from "../support/drift-world.ts";
import { randomOf } from "../support/random.ts";

const S = 1_000;
const M = 60 * S;
const H = 60 * M;
const D = 24 * H;
const KEEP = { raw: D, minutes: 7 * D, hours: 90 * D, changes: 400 * D };

const BASE = `defaults: { interval: 2m, timeout: 2s }
teams: { core: {}, data: {}, growth: {} }
resources:
  bookings-pg: { kind: database, team: data }
  seats-pg: { kind: database, team: data }
  redis: { kind: cache, team: data }
  es-a: {}
  es-b: {}
  smtp-east: {}
  smtp-west: {}
  fx: { kind: external-api }
  s3: {}
  warehouse: { kind: database }
  clickstream: { kind: queue }
  audit-db: { kind: database }
services:
  gateway:
    team: core
    url: http://gateway.internal/h
    dependencies:
      - { on: booking, criticality: hard }
      - { on: offers, criticality: soft }
      - { on: audit, criticality: informational }
  booking:
    team: core
    url: http://booking.internal/h
    dependencies:
      - { on: bookings-pg, component: postgres, criticality: hard, owner: data }
      - on: seats
        criticality: hard
      - { on: pricing, criticality: soft }
      - { on: mail, criticality: soft }
      - { on: clickstream, criticality: informational }
  seats:
    team: core
    interval: 2m
    url: http://seats.internal/h
    dependencies:
      - { on: seats-pg, criticality: hard }
      - { on: redis, criticality: soft }
  pricing:
    team: core
    interval: 2m
    url: http://pricing.internal/h
    dependencies: [{ on: redis, criticality: hard }, { on: fx, criticality: soft }]
  offers:
    team: growth
    interval: 6m
    url: http://offers.internal/h
    dependencies:
      - { on: search, criticality: soft }
      - { on: redis, criticality: soft }
      - { on: clickstream, criticality: informational }
  search:
    team: growth
    interval: 2m
    url: http://search.internal/h
    dependencies:
      - { on: [es-a, es-b], need: 1, criticality: hard }
  mail:
    team: growth
    interval: 6m
    url: http://mail.internal/h
    dependencies:
      - { on: [smtp-east, smtp-west], criticality: hard }
  invoices:
    team: growth
    interval: 6m
    url: http://invoices.internal/h
    dependencies:
      - { on: bookings-pg, criticality: hard }
      - { on: mail, criticality: soft }
      - { on: s3, criticality: hard }
  reports:
    team: data
    interval: 16m
    url: http://reports.internal/h
    dependencies:
      - { on: bookings-pg, criticality: soft }
      - { on: warehouse, criticality: hard }
  audit:
    team: core
    interval: 2m
    url: http://audit.internal/h
    dependencies:
      - { on: audit-db, criticality: hard }
`;
const change = (from: string, to: string, text = BASE): string => {
  if (!text.includes(from)) throw new Error(`no ${from}`);
  return text.replace(from, to);
};

interface TimedTruth extends Truth {
  /** Holds only then; milliseconds from the start. */
  when?: (t: number) => boolean;
}
interface Ctx {
  t: number;
  service: string;
  instance: string;
  components: Component[];
  status: Status;
  failing: Set<string>;
}
interface World {
  name: string;
  days?: number;
  start?: number;
  noise?: number;
  seed?: number;
  maps?: { from: number; text: string }[];
  failures: Failure[];
  truths?: TimedTruth[];
  gaps?: { from: number; to: number }[];
  hook?: (c: Ctx) => { status: Status; components: Component[] } | null | undefined;
  expect: string[];
  may?: string[];
  evidence?: Record<string, { outages?: number; agreeing?: number }>;
}
const at = (node: string, hour: number, days: number[], length = 25 * M, minute = 0): Failure[] =>
  days.map((d) => ({ node, from: d * D + hour * H + minute * M, to: d * D + hour * H + minute * M + length }));
const within = (fails: Failure[]) => (t: number) => fails.some((f) => t >= f.from && t < f.to);
const weekNoise = (seed: number, days = 7, perDay = 0.1) => failuresOf([...mapOf(BASE).nodes.keys()], perDay, days * D, seed);

const mailOut = [0, 1, 2, 3, 4, 5, 6].flatMap((d) => at("mail", 5, [d], 50 * M)).concat(at("mail", 15, [1, 3, 5], 50 * M));
const flaps = (node: string, days: number[], downM: number, upM: number, spanM: number): Failure[] =>
  days.flatMap((d) => {
    const out: Failure[] = [];
    for (let m = 0; m < spanM; m += downM + upM) out.push({ node, from: d * D + 9 * H + m * M, to: d * D + 9 * H + (m + downM) * M });
    return out;
  });

const WORLDS: World[] = [
  { name: "clean-month", days: 30, noise: 0.003, seed: 1, failures: weekNoise(71, 30, 0.12), expect: [] },
  { name: "clean-month-2", days: 30, noise: 0.003, seed: 2, failures: weekNoise(72, 30, 0.25), expect: [] },
  { name: "clean-month-noisy", days: 30, noise: 0.02, seed: 3, failures: weekNoise(73, 30, 0.2), expect: [] },
  { name: "soft-coincides-with-hard", failures: [...at("pricing", 3, [0, 2, 4, 6]), ...at("seats", 3, [0, 2, 4, 6])], expect: [] },
  {
    name: "soft-hurts-while-strangers-fall",
    failures: [...at("fx", 3, [0, 2, 4, 6], 30 * M), ...at("audit-db", 3, [0, 4], 40 * M)],
    truths: [{ from: "pricing", to: "fx", criticality: "hard" }],
    expect: ["soft_hurts pricing>fx"],
  },
  {
    name: "maintenance-nights",
    maps: [{ from: 0, text: "@maint" }],
    failures: at("redis", 1, [1, 2, 3, 4], 60 * M, 5),
    truths: [{ from: "pricing", to: "redis", criticality: "informational" }],
    expect: [],
  },
  {
    name: "maintenance-and-three-real",
    maps: [{ from: 0, text: "@maint" }],
    failures: [...at("redis", 1, [1, 2, 3, 4], 60 * M, 5), ...at("redis", 14, [1, 3, 5], 30 * M)],
    truths: [{ from: "pricing", to: "redis", criticality: "informational" }],
    expect: ["hard_unharmed pricing>redis"],
    evidence: { "hard_unharmed pricing>redis": { outages: 3, agreeing: 3 } },
  },
  { name: "flapping-once", failures: flaps("redis", [3], 3, 3, 120), expect: [] },
  {
    name: "flapping-daily-hard-unharmed",
    failures: flaps("audit-db", [0, 1, 2, 3, 4, 5], 12, 3, 60),
    truths: [{ from: "audit", to: "audit-db", criticality: "informational" }],
    expect: ["hard_unharmed audit>audit-db"],
  },
  {
    name: "soft-hurts-one-in-ten",
    failures: mailOut,
    truths: [{ from: "booking", to: "mail", criticality: "hard", when: within(at("mail", 5, [2], 50 * M)) }],
    expect: [],
  },
  {
    name: "soft-hurts-four-in-five",
    failures: at("fx", 4, [0, 1, 2, 3, 5], 30 * M),
    truths: [{ from: "pricing", to: "fx", criticality: "hard", when: (t) => t > 1 * D }],
    expect: ["soft_hurts pricing>fx"],
  },
  {
    name: "hard-never-failed",
    failures: weekNoise(5).filter((f) => f.node !== "s3"),
    noise: 0.003,
    truths: [{ from: "invoices", to: "s3", criticality: "informational" }],
    expect: [],
  },
  {
    name: "hard-unharmed-twice-short",
    failures: at("seats-pg", 8, [2, 5], 20 * M),
    truths: [{ from: "seats", to: "seats-pg", criticality: "informational" }],
    expect: ["hard_unharmed seats>seats-pg"],
  },
  {
    name: "hard-unharmed-once-40m",
    failures: at("seats-pg", 8, [2], 40 * M),
    truths: [{ from: "seats", to: "seats-pg", criticality: "informational" }],
    expect: ["hard_unharmed seats>seats-pg"],
  },
  {
    name: "hard-unharmed-once-20m",
    failures: at("seats-pg", 8, [2], 20 * M),
    truths: [{ from: "seats", to: "seats-pg", criticality: "informational" }],
    expect: [],
  },
  {
    name: "ghost-polled-every-15m",
    failures: weekNoise(6),
    noise: 0.003,
    hook: (c) =>
      c.service === "reports" ? { status: c.status, components: c.components.filter(({ name }) => name !== "warehouse") } : undefined,
    expect: ["not_reported reports>warehouse"],
  },
  {
    name: "ghost-polled-every-5m",
    failures: weekNoise(7),
    noise: 0.003,
    hook: (c) =>
      c.service === "offers" ? { status: c.status, components: c.components.filter(({ name }) => name !== "clickstream") } : undefined,
    expect: ["not_reported offers>clickstream"],
  },
  {
    name: "unmapped-two-spellings",
    failures: [],
    hook: (c) =>
      c.service === "booking"
        ? { status: c.status, components: [...c.components, { name: c.t > 6.5 * D ? "FraudApi" : "fraud-api", status: "up" }] }
        : undefined,
    expect: ["not_declared booking>FraudApi"],
    may: ["not_declared booking>fraud-api"],
  },
  {
    name: "unmapped-is-a-node-in-other-spelling",
    failures: [],
    hook: (c) =>
      c.service === "booking" ? { status: c.status, components: [...c.components, { name: "Seats_PG", status: "up" }] } : undefined,
    expect: ["not_declared booking>seats-pg"],
  },
  {
    name: "declared-in-other-spelling",
    failures: [],
    hook: (c) =>
      c.service === "seats"
        ? { status: c.status, components: c.components.map((o) => (o.name === "seats-pg" ? { ...o, name: "SeatsPG" } : o)) }
        : undefined,
    expect: [],
    may: ["not_reported seats>seats-pg"],
  },
  {
    name: "declared-as-component-host",
    failures: [],
    hook: (c) =>
      c.service === "invoices"
        ? { status: c.status, components: c.components.map((o) => (o.name === "s3" ? { ...o, name: "S3Client" } : o)) }
        : undefined,
    expect: [],
    may: ["not_reported invoices>s3"],
  },
  {
    name: "unmapped-instances-differ",
    maps: [
      {
        from: 0,
        text: change(
          "url: http://seats.internal/h",
          "instances: [http://seats-1.internal/h, http://seats-2.internal/h, http://seats-3.internal/h]",
        ),
      },
    ],
    failures: [],
    hook: (c) =>
      c.service === "seats" && c.instance.includes("seats-2")
        ? { status: c.status, components: [...c.components, { name: "layout-service", status: "up", criticality: "soft" }] }
        : undefined,
    expect: ["not_declared seats>layout-service"],
  },
  {
    name: "renamed-midweek",
    maps: [
      { from: 0, text: BASE },
      { from: 3.5 * D, text: change("  pricing:\n", "  tariffs:\n    renamed_from: pricing\n", change("on: pricing", "on: tariffs")) },
    ],
    failures: [...at("pricing", 4, [1, 2], 25 * M), ...at("tariffs", 4, [5], 25 * M)],
    truths: [
      { from: "booking", to: "pricing", criticality: "hard" },
      { from: "booking", to: "tariffs", criticality: "hard" },
    ],
    hook: (c) => (c.service === "booking" && c.t >= 3.5 * D ? { status: c.status, components: c.components } : undefined),
    expect: ["soft_hurts booking>tariffs"],
    evidence: { "soft_hurts booking>tariffs": { outages: 3, agreeing: 3 } },
  },
  {
    name: "dependent-renamed-midweek",
    maps: [
      { from: 0, text: BASE },
      {
        from: 3.5 * D,
        text: change("  seats:\n    team", "  seat-map:\n    renamed_from: seats\n    team", change("on: seats\n", "on: seat-map\n")),
      },
    ],
    failures: at("redis", 4, [1, 2, 5], 25 * M),
    truths: [
      { from: "seats", to: "redis", criticality: "hard" },
      { from: "seat-map", to: "redis", criticality: "hard" },
    ],
    expect: ["soft_hurts seat-map>redis"],
    evidence: { "soft_hurts seat-map>redis": { outages: 3, agreeing: 3 } },
  },
  {
    name: "label-corrected-to-soft",
    maps: [
      { from: 0, text: change("on: pricing, criticality: soft", "on: pricing, criticality: hard") },
      { from: 4 * D, text: BASE },
    ],
    truths: [{ from: "booking", to: "pricing", criticality: "soft" }],
    failures: at("pricing", 10, [1, 2, 3, 5], 30 * M),
    expect: [],
  },
  {
    name: "label-corrected-to-hard",
    maps: [
      { from: 0, text: BASE },
      { from: 4 * D, text: change("on: pricing, criticality: soft", "on: pricing, criticality: hard") },
    ],
    truths: [{ from: "booking", to: "pricing", criticality: "hard" }],
    failures: at("pricing", 10, [1, 2, 3, 5], 30 * M),
    expect: [],
  },
  {
    name: "label-made-wrong-midweek",
    maps: [
      { from: 0, text: change("on: fx, criticality: soft", "on: fx, criticality: hard") },
      { from: 4 * D, text: BASE },
    ],
    truths: [{ from: "pricing", to: "fx", criticality: "hard" }],
    failures: at("fx", 10, [1, 2, 3, 5], 30 * M),
    expect: ["soft_hurts pricing>fx"],
  },
  {
    name: "gap-clean",
    gaps: [{ from: 2 * D + 10 * H, to: 2 * D + 22 * H }],
    noise: 0.003,
    failures: [
      ...at("redis", 12, [2], 60 * M),
      { node: "bookings-pg", from: 2 * D + 9.7 * H, to: 2 * D + 12 * H },
      { node: "seats", from: 2 * D + 21 * H, to: 2 * D + 22.5 * H },
      { node: "audit-db", from: 2 * D + 9.9 * H, to: 2 * D + 22.3 * H },
      ...weekNoise(8),
    ],
    expect: [],
  },
  {
    name: "gap-hard-unharmed",
    gaps: [{ from: 2 * D + 10 * H, to: 2 * D + 22 * H }],
    truths: [{ from: "seats", to: "seats-pg", criticality: "soft" }],
    failures: [...at("seats-pg", 12, [2], 60 * M), ...at("seats-pg", 12, [1, 4, 5], 30 * M)],
    expect: ["hard_unharmed seats>seats-pg"],
    evidence: { "hard_unharmed seats>seats-pg": { outages: 3, agreeing: 3 } },
  },
  {
    name: "gap-over-start-of-soft",
    gaps: [1, 3, 5].map((d) => ({ from: d * D + 4 * H - 5 * M, to: d * D + 4 * H + 5 * M })),
    truths: [],
    failures: [...at("fx", 4, [1, 3, 5], 40 * M), ...at("pricing", 4, [1, 3, 5], 40 * M, 1)],
    expect: [],
  },
  {
    name: "group-single-failures",
    failures: [...at("smtp-east", 3, [0, 2, 4], 60 * M), ...at("smtp-west", 13, [1, 3, 5], 60 * M), ...at("es-a", 3, [1, 3, 5], 30 * M)],
    expect: [],
  },
  {
    name: "group-both-unharmed",
    failures: [...at("es-a", 3, [0, 2, 4], 30 * M), ...at("es-b", 3, [0, 2, 4], 30 * M)],
    truths: [
      { from: "search", to: "es-a", criticality: "soft" },
      { from: "search", to: "es-b", criticality: "soft" },
    ],
    expect: ["hard_unharmed search>es-a"],
  },
  {
    name: "group-soft-hurts",
    maps: [{ from: 0, text: change("need: 1, criticality: hard", "need: 1, criticality: soft") }],
    failures: [...at("es-a", 3, [0, 2, 4], 30 * M), ...at("es-b", 3, [0, 2, 4], 25 * M, 2)],
    truths: [
      { from: "search", to: "es-a", criticality: "hard" },
      { from: "search", to: "es-b", criticality: "hard" },
    ],
    expect: ["soft_hurts search>es-a"],
  },
  {
    name: "hard-only-degrades",
    failures: at("audit-db", 7, [1, 3, 6], 30 * M),
    truths: [{ from: "audit", to: "audit-db", criticality: "soft" }],
    expect: ["hard_unharmed audit>audit-db"],
  },
  { name: "soft-degrades", failures: at("fx", 7, [1, 3, 6], 30 * M), expect: [] },
  {
    name: "dst-maintenance",
    start: Date.UTC(2026, 9, 22),
    maps: [{ from: 0, text: "@dst" }],
    truths: [{ from: "pricing", to: "redis", criticality: "soft" }],
    // 02:00 to 03:30 Berlin: until the 25th 00:00Z-01:30Z; on the 25th 02:00 (first) to 03:30 is 00:00Z-02:30Z; after 01:00Z-02:30Z
    failures: [...at("redis", 0, [1, 2], 80 * M, 5), ...at("redis", 0, [3], 140 * M, 5), ...at("redis", 1, [4, 5], 80 * M, 5)],
    expect: [],
  },
  {
    name: "silent-with-hard",
    failures: [...at("seats-pg", 9, [1, 3, 5], 30 * M), ...at("seats", 9, [1, 3, 5], 30 * M).map((f) => ({ ...f, silent: true }))],
    truths: [{ from: "seats", to: "seats-pg", criticality: "informational" }],
    expect: [],
  },
  {
    name: "hard-unharmed-three-days-long",
    failures: [{ node: "s3", from: 2 * D, to: 5 * D }],
    truths: [{ from: "invoices", to: "s3", criticality: "informational" }],
    expect: ["hard_unharmed invoices>s3"],
  },
  {
    name: "hard-unharmed-and-lasting",
    failures: [{ node: "s3", from: 5 * D, to: 8 * D }],
    truths: [{ from: "invoices", to: "s3", criticality: "informational" }],
    expect: ["hard_unharmed invoices>s3"],
  },
  {
    name: "two-softs-of-one",
    failures: [...at("fx", 2, [1, 3, 5], 30 * M), ...at("mail", 9, [0, 2, 4], 50 * M), ...at("pricing", 16, [1, 2, 6], 30 * M)],
    truths: [
      { from: "booking", to: "mail", criticality: "hard" },
      { from: "booking", to: "pricing", criticality: "hard" },
    ],
    expect: ["soft_hurts booking>mail", "soft_hurts booking>pricing"],
  },
  {
    name: "soft-hurts-5m-dependent",
    failures: at("redis", 8, [0, 2, 5], 60 * M),
    truths: [{ from: "offers", to: "redis", criticality: "hard" }],
    expect: ["soft_hurts offers>redis"],
  },
  {
    name: "soft-hurts-service-on-service",
    failures: at("offers", 8, [0, 2, 5], 60 * M),
    truths: [{ from: "gateway", to: "offers", criticality: "hard" }],
    expect: ["soft_hurts gateway>offers"],
  },
  {
    name: "soft-hurts-15m-dependent",
    failures: at("bookings-pg", 8, [0, 2, 5], 180 * M),
    truths: [{ from: "reports", to: "bookings-pg", criticality: "hard" }],
    expect: ["soft_hurts reports>bookings-pg"],
  },
  {
    name: "hard-unharmed-15m-dependent",
    failures: at("warehouse", 8, [0, 2, 5], 180 * M),
    truths: [{ from: "reports", to: "warehouse", criticality: "informational" }],
    expect: ["hard_unharmed reports>warehouse"],
  },
  {
    name: "report-says-hard",
    failures: weekNoise(9),
    noise: 0.002,
    hook: (c) =>
      c.service === "booking"
        ? { status: c.status, components: c.components.map((o) => (o.name === "pricing" ? { ...o, criticality: "hard" as const } : o)) }
        : undefined,
    expect: ["criticality_differs booking>pricing"],
  },
  {
    name: "nightly-batch-before",
    failures: [
      ...[0, 1, 2, 3, 4, 5, 6].flatMap((d) => at("reports", 2, [d], 240 * M)),
      ...[0, 1, 2, 3, 4, 5, 6].flatMap((d) => at("bookings-pg", 3, [d], 120 * M)),
    ],
    expect: [],
  },
  {
    name: "egress-fault",
    failures: [],
    hook: (c) =>
      c.service === "pricing" && [1, 3, 5].some((d) => c.t >= d * D + 5 * H && c.t < d * D + 5.5 * H)
        ? { status: "unhealthy", components: c.components.map((o) => ({ ...o, status: "down" as const })) }
        : undefined,
    expect: [],
  },
  {
    name: "local-soft-fault",
    failures: [],
    hook: (c) =>
      c.service === "seats" && [1, 3, 5].some((d) => c.t >= d * D + 5 * H && c.t < d * D + 5.5 * H)
        ? { status: "unhealthy", components: c.components.map((o) => (o.name === "redis" ? { ...o, status: "down" as const } : o)) }
        : undefined,
    expect: [],
  },
  {
    name: "one-instance-loses-hard",
    maps: [
      {
        from: 0,
        text: change(
          "url: http://seats.internal/h",
          "instances: [http://seats-1.internal/h, http://seats-2.internal/h, http://seats-3.internal/h]",
        ),
      },
    ],
    failures: [],
    hook: (c) =>
      c.service === "seats" && c.instance.includes("seats-2") && [1, 2, 3, 5].some((d) => c.t >= d * D + 5 * H && c.t < d * D + 5.6 * H)
        ? { status: "unhealthy", components: c.components.map((o) => (o.name === "seats-pg" ? { ...o, status: "down" as const } : o)) }
        : undefined,
    expect: [],
  },
  {
    name: "soft-hurts-three-instances",
    maps: [
      {
        from: 0,
        text: change(
          "url: http://seats.internal/h",
          "instances: [http://seats-1.internal/h, http://seats-2.internal/h, http://seats-3.internal/h]",
        ),
      },
    ],
    failures: at("redis", 8, [0, 2, 5], 30 * M),
    truths: [{ from: "seats", to: "redis", criticality: "hard" }],
    expect: ["soft_hurts seats>redis"],
  },
  {
    name: "informational-hurts",
    failures: at("audit", 8, [0, 2, 5], 30 * M),
    truths: [{ from: "gateway", to: "audit", criticality: "hard" }],
    expect: ["soft_hurts gateway>audit"],
  },
  {
    name: "soft-hurts-late",
    failures: at("fx", 8, [0, 2, 5], 60 * M),
    truths: [{ from: "pricing", to: "fx", criticality: "hard", when: within(at("fx", 8, [0, 2, 5], 50 * M, 10)) }],
    expect: ["soft_hurts pricing>fx"],
  },
  {
    name: "soft-hurts-beyond-the-end",
    failures: at("fx", 8, [0, 2, 5], 30 * M),
    hook: (c) =>
      c.service === "pricing" && [0, 2, 5].some((d) => c.t >= d * D + 8 * H && c.t < d * D + 9 * H)
        ? { status: "unhealthy", components: c.components }
        : undefined,
    expect: ["soft_hurts pricing>fx"],
  },
  {
    name: "soft-hurts-amid-noise",
    noise: 0.01,
    seed: 9,
    failures: [...weekNoise(10, 7, 0.2), ...at("fx", 8, [0, 2, 4, 6], 30 * M)],
    truths: [{ from: "pricing", to: "fx", criticality: "hard" }],
    expect: ["soft_hurts pricing>fx"],
  },
  {
    name: "four-wrong-amid-noise",
    noise: 0.005,
    seed: 12,
    failures: [...weekNoise(11, 7, 0.15), ...at("fx", 8, [1, 3, 6], 30 * M), ...at("audit-db", 17, [0, 2, 5], 30 * M)],
    truths: [
      { from: "pricing", to: "fx", criticality: "hard" },
      { from: "audit", to: "audit-db", criticality: "informational" },
    ],
    hook: (c) =>
      c.service === "invoices"
        ? {
            status: c.status,
            components: [...c.components.filter(({ name }) => name !== "mail"), { name: "tax-api", status: "up", criticality: "hard" }],
          }
        : undefined,
    expect: ["soft_hurts pricing>fx", "hard_unharmed audit>audit-db", "not_reported invoices>mail", "not_declared invoices>tax-api"],
  },
];

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);
function textOf(spec: string, start: number): string {
  if (spec === "@maint")
    return `${BASE}maintenance:\n${[1, 2, 3, 4].map((d) => `  - { nodes: [redis], from: ${iso(start + d * D + H)}, to: ${iso(start + d * D + 2.25 * H)}, reason: upgrade }`).join("\n")}\n`;
  if (spec === "@dst")
    return `${BASE}maintenance:\n${[23, 24, 25, 26, 27].map((d) => `  - { nodes: [redis], from: 2026-10-${d}T02:00, to: 2026-10-${d}T03:30, zone: Europe/Berlin, reason: upgrade }`).join("\n")}\n`;
  return spec;
}

function simulate(dir: string, w: World): { now: number; text: string } {
  const days = w.days ?? 7,
    length = days * D;
  const start = w.start ?? Math.floor(Date.now() / D) * D - length;
  const maps = (w.maps ?? [{ from: 0, text: BASE }])
    .map(({ from, text }) => ({ from, text: textOf(text, start) }))
    .map((m) => ({ ...m, map: mapOf(m.text) }));
  const open = () => openStore({ path: dir, maxSize: 4e9, retention: KEEP, codec: stateCodec });
  let store = open();
  const random = randomOf(`${w.seed ?? 0}`);
  let [current] = maps;
  if (!current) throw new Error("a world has a map");
  let map: SystemMap = current.map;
  let state = initialState(map);
  let told: ToldWords | null = null;
  const accept = (m: { from: number; text: string; map: SystemMap }, now: number) => {
    store.writer.acceptRevision({
      acceptedAt: now,
      hash: `h${m.from}`,
      commit: null,
      summary: "s",
      files: [{ path: "map/map.yaml", text: m.text }],
    });
    store.writer.follow(m.map);
  };
  store.writer.restore(start);
  accept(current, start);
  const write = (now: number, steps: Step[], polls: Observation[]) => {
    const edges = steps.flatMap((s) => [...s.changed.edges]);
    const words = ownWords(told, map, state, edges, now);
    told = words.told;
    const transitions = [...steps.flatMap((s) => s.transitions), ...words.rows];
    if (transitions.length) store.writer.commit({ at: now, transitions, incidents: [], events: [] });
    if (polls.length) store.writer.append(polls);
    const all = (key: "instances" | "edges" | "nodes") => new Set<string>(steps.flatMap(({ changed }) => [...changed[key]]));
    store.writer.saveState(state, { instances: all("instances"), edges: all("edges"), nodes: all("nodes") });
  };
  const step = Math.min(...polledServices(map).map(({ interval }) => interval));
  let away = false;
  for (let t = 0; t < length; t += step) {
    const now = start + t;
    const gap = (w.gaps ?? []).some((g) => t >= g.from && t < g.to);
    if (gap && !away) {
      store.writer.flush(now - step + 14 * S);
      store.close();
      away = true;
    }
    if (gap) continue;
    if (away) {
      store = open();
      const restored = store.writer.restore(now);
      if (!restored.state) throw new Error("no state restored");
      state = restored.state;
      told = null;
      away = false;
      store.writer.acceptRevision({
        acceptedAt: now,
        hash: `h${current.from}`,
        commit: null,
        summary: "s",
        files: [{ path: "map/map.yaml", text: current.text }],
      });
      store.writer.follow(map);
    }
    const next = maps.filter((m) => m.from <= t).at(-1);
    if (next && next !== current) {
      const before = map;
      current = next;
      map = next.map;
      for (const [from, to] of renames(before, map)) {
        store.writer.renameNode(from, to);
      }
      const moved = remap(state, before, map, now);
      state = moved.state;
      accept(next, now);
      write(now, [moved], []);
    }
    const failing = new Set(w.failures.filter((f) => t >= f.from && t < f.to).map((f) => f.node));
    const truths = (w.truths ?? []).map((one) =>
      one.when && !one.when(t) ? { ...one, criticality: declared(map, one.from, one.to) ?? "soft" } : one,
    );
    const statuses = truthOf(map, truths, failing);
    const polls: Observation[] = [];
    for (const service of polledServices(map))
      if (t % service.interval === 0)
        for (const instance of service.instances) {
          const silent = isSilent(w.failures, service.id, t);
          const observed = pollOf({ service, instance: instance.id, at: now, silent, noise: w.noise ?? 0, random }, () => {
            const said = {
              components: service.edges.map((edge) => componentOf(edge, statuses)),
              status: statuses.get(service.id) ?? ("healthy" as const),
            };
            const hooked = w.hook?.({ t, service: service.id, instance: instance.url, failing, ...said });
            return hooked === undefined ? said : hooked;
          });
          if (observed) polls.push(observed);
        }
    const aged = age(state, map, now);
    const seen = observe(aged.state, map, polls, now);
    state = seen.state;
    write(now, [aged, seen], polls);
    for (let beat = 0; beat < step; beat += 14 * S) store.writer.flush(now + beat);
    if (t % (10 * M) < step) for (let n = 0; n < 500 && store.writer.maintain(now); n++);
  }
  store.writer.flush(start + length);
  store.close();
  return { now: start + length, text: current.text };
}
const declared = (map: SystemMap, from: string, to: string): Criticality | undefined => {
  const node = map.nodes.get(from);
  return node?.kind === "service" ? node.edges.find((e) => e.to === to)?.criticality : undefined;
};

const only = process.argv[2];
let bad = 0;
for (const w of WORLDS) {
  if (only && only !== "all" && !new RegExp(only).test(w.name)) continue;
  const dir = mkdtempSync(path.join(tmpdir(), "headwater-worlds-"));
  try {
    const began = Date.now();
    const { now, text } = simulate(dir, w);
    const { labels } = labelsReport({ data: dir, files: null, now });
    const found = labels.findings.map((f) => ({ key: `${f.kind} ${f.from}>${f.to ?? f.component}`, f }));
    const missing = w.expect.filter((e) => !found.some(({ key }) => key === e));
    const false_ = found.filter(({ key }) => !w.expect.includes(key) && !(w.may ?? []).includes(key));
    const problems: string[] = [...missing.map((m) => `MISSING ${m}`), ...false_.map(({ key }) => `FALSE ${key}`)];
    for (const { key, f } of found) {
      const want = w.evidence?.[key];
      if (want)
        for (const k of ["outages", "agreeing"] as const)
          if (want[k] !== undefined && f.evidence[k] !== want[k]) problems.push(`EVIDENCE ${key} ${k} ${f.evidence[k]}, not ${want[k]}`);
      if (f.patch) {
        try {
          const after = mapOf(applyDiff(text, f.patch.diff));
          const kinds = diffMaps(mapOf(text), after).changes.map((c) => c.kind);
          if (kinds.length < 1) console.log(`   patch of ${key} changes nothing in effect`);
        } catch (e) {
          problems.push(`PATCH ${key} ${(e as Error).message}`);
        }
      } else problems.push(`NO PATCH ${key}: ${f.by_hand}`);
    }
    if (problems.length) bad++;
    console.log(`${problems.length ? "BAD" : "ok "} ${w.name} (${((Date.now() - began) / 1000).toFixed(0)} s) ${problems.join(" | ")}`);
    for (const { f } of found) console.log(`     ${f.text} [${f.level} ${f.confidence}] ${f.evidence.notes.join("; ")}`);
  } catch (e) {
    bad++;
    console.log(`BAD ${w.name} threw ${(e as Error).stack}`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
console.log(`${bad} bad`);
