import { join } from "node:path";
import type { doctor } from "../../server/src/cli/doctor.ts";
import { runCommand } from "../support/command.ts";
import { failure, folder, HOUR, incident, observation, open, SECOND, T0, transition } from "./store-support.ts";

export async function run(command: typeof doctor, cwd: string, ...args: string[]) {
  const { code, out, err } = await runCommand(command, args, { cwd });
  return { code, out, err, lines: out.trimEnd().split("\n") };
}

export const MAP = `
defaults: { interval: 10s, timeout: 2s, headers: { x-key: hidden } }
resources: { orders-db: { kind: database } }
services:
  checkout:
    url: http://user:geheim@checkout.internal:8080/health/deep?token=geheim
    headers: { authorization: "Bearer geheim" }
    dependencies: [ { on: orders-db, component: postgres, criticality: hard } ]
`;

/** A history of a minute of polls; the database is down in its second half. */
export function filled(base = T0) {
  const cwd = folder();
  const store = open(join(cwd, "data"));
  store.writer.restore(base);
  const map = {
    nodes: new Map([
      ["checkout", { kind: "service", id: "checkout", edges: [{ from: "checkout", to: "orders-db", components: ["postgres"] }] }],
      ["orders-db", { kind: "resource", id: "orders-db" }],
    ]),
    systems: new Map(),
  };
  store.writer.follow(map as never);
  store.writer.acceptRevision({
    acceptedAt: base,
    hash: "a",
    commit: null,
    summary: "first",
    files: [{ path: "map/shop.yaml", text: MAP }],
  });
  const edge = { subject: "edge" as const };
  const instance = { subject: "instance" as const };
  store.writer.commit({
    at: base,
    transitions: [
      transition("checkout", base, "healthy"),
      transition("checkout", base, "healthy", instance),
      transition("checkout>orders-db", base, "up", edge),
    ],
    incidents: [],
    events: [],
  });
  for (let at = base; at < base + 60 * SECOND; at += 10 * SECOND) {
    const down = at >= base + 30 * SECOND;
    if (at === base + 30 * SECOND)
      store.writer.commit({
        at,
        transitions: [
          transition("checkout", at, "unhealthy", { reason: '=cmd("x")\u202e' }),
          transition("checkout", at, "unhealthy", instance),
          transition("checkout>orders-db", at, "down", edge),
        ],
        incidents: [incident(1, at)],
        events: [],
      });
    const report = {
      status: down ? ("unhealthy" as const) : ("healthy" as const),
      components: [{ name: "postgres", status: down ? ("down" as const) : ("up" as const) }],
    };
    store.writer.append([
      at === base + 50 * SECOND
        ? failure("checkout", at, "refused")
        : observation("checkout", at, { report, httpStatus: down ? 503 : 200 }),
    ]);
    store.writer.flush(at);
  }
  return { cwd, store };
}

export const RANGE = ["--from", new Date(T0).toISOString(), "--to", new Date(T0 + HOUR).toISOString()];
