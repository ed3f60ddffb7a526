import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { randomOf } from "../support/random.ts";

/** One bad answer among good ones: too rare to be confirmed, so nobody may be called for it. */
const BLIPS = ["unhealthy", "error", "hang", "reset", "garbage", "huge", "bomb", "redirect", "slow"] as const;
type Answer = "ok" | (typeof BLIPS)[number];

const COMPONENTS = Array.from({ length: 8 }, (_, i) => `dep-${i}`);
export const DEPENDENCIES = COMPONENTS.map((on, i) => ({ on, criticality: i < 3 ? "hard" : "soft" }));

/** All it needs is up: what is wrong is its own, so that chance brings no three who blame one thing in the same second. */
function reportOf(status: "healthy" | "unhealthy"): string {
  const components = DEPENDENCIES.map(({ on, criticality }) => ({ name: on, status: "up", criticality, latency_ms: 3, age_ms: 20 }));
  return JSON.stringify({ status, components });
}

const GOOD = reportOf("healthy");
const BAD = reportOf("unhealthy");
const HUGE = "x".repeat(1 << 20);
const BOMB = gzipSync(Buffer.alloc(8 << 20, 32));
const JSON_TYPE = { "content-type": "application/json" };

const ANSWERS: Record<Answer, RequestListener> = {
  ok: (_req, res) => void res.writeHead(200, JSON_TYPE).end(GOOD),
  unhealthy: (_req, res) => void res.writeHead(503, JSON_TYPE).end(BAD),
  error: (_req, res) => void res.writeHead(500).end(),
  hang: () => {},
  reset: (req) => void req.socket.resetAndDestroy(),
  garbage: (req) => void req.socket.end("220 mail.example ESMTP ready\r\n"),
  huge: (_req, res) => void res.writeHead(200, JSON_TYPE).end(HUGE),
  bomb: (_req, res) => void res.writeHead(200, { ...JSON_TYPE, "content-encoding": "gzip" }).end(BOMB),
  redirect: (_req, res) => void res.writeHead(302, { location: "/login" }).end(),
  slow: (_req, res) => void setTimeout(() => res.writeHead(200, JSON_TYPE).end(GOOD), 300),
};

export interface FleetService {
  url: string;
  /** Whether its faults last long enough to be confirmed; such a service belongs to no system. */
  failing: boolean;
  polls(): number;
}

export interface Fleet {
  services: FleetService[];
  /** How many answers of each kind were given. */
  given(): Readonly<Record<string, number>>;
  close(): void;
}

/**
 * Loopback services that misbehave by a fixed plan: most have a bad poll at times, never two within six; one in ten is
 * bad for up to a minute at a time, or flaps. Each is a server of its own.
 */
export async function startFleet(count: number): Promise<Fleet> {
  const given: Record<string, number> = {};
  const servers: Server[] = [];
  const services = await Promise.all(
    Array.from({ length: count }, async (_, index) => {
      const failing = index % 10 === 9;
      const next = failing ? spells(index) : blips(index);
      let polls = 0;
      const server = createServer((req, res) => {
        polls += 1;
        const answer = next();
        given[answer] = (given[answer] ?? 0) + 1;
        ANSWERS[answer](req, res);
      });
      server.keepAliveTimeout = 0;
      servers.push(server);
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/health`, failing, polls: () => polls };
    }),
  );
  return {
    services,
    given: () => given,
    close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

/** A bad answer after six to thirty good ones. */
function blips(seed: number): () => Answer {
  const random = randomOf(`soak ${seed}`);
  let good = Math.floor(random() * 30);
  return () => {
    if (good-- > 0) return "ok";
    good = 6 + Math.floor(random() * 24);
    return BLIPS[Math.floor(random() * BLIPS.length)] ?? "ok";
  };
}

/** Long good spells, then up to a minute of one fault, or of a change with every poll. */
function spells(seed: number): () => Answer {
  const random = randomOf(`soak ${seed}`);
  let left = 60 + Math.floor(random() * 120);
  let fault: Answer = "ok";
  let flapping = false;
  return () => {
    if (left-- <= 0) {
      const recovers = fault !== "ok";
      fault = recovers ? "ok" : (BLIPS[Math.floor(random() * BLIPS.length)] ?? "ok");
      flapping = !recovers && random() < 0.3;
      left = recovers ? 60 + Math.floor(random() * 180) : 10 + Math.floor(random() * 50);
    }
    return flapping && left % 2 === 0 ? "ok" : fault;
  };
}
