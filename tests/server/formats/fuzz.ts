import { gzipSync } from "node:zlib";
import { samples } from "./samples.ts";

/** One answer to try; `body` as bytes, so that decoding is part of it. */
export interface Input {
  body: Buffer;
  httpStatus: number;
  contentType: string | null;
  contentEncoding: string | null;
}

/** A small generator of numbers, so that every input follows from its seed. */
function random(seed: number): (below: number) => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

const SAMPLES = samples();
const CODES = [200, 200, 200, 200, 201, 204, 302, 401, 404, 408, 429, 500, 501, 503, 512];
const SNIPPETS = [
  '"status":"DOWN"',
  '"status":"down",',
  '{"status":"fail"}',
  '"healthy":false',
  "true",
  "false",
  "null",
  "NaN",
  "1e999",
  "-1",
  '"__proto__":{"status":"UP"}',
  '"constructor":"up",',
  "[[[[[[",
  "{{{{",
  "\u0000",
  "\u202e",
  "\uFEFF",
  "\\",
  '"',
  "}",
  "]",
  ",",
  "\n",
  "status: down\n",
  "[-]db failed: x\n",
  "é",
  "\ud800",
  "((((((((",
  "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
  "://a:b@c",
  "password=",
];
const VALUES: readonly unknown[] = [
  "UP",
  "DOWN",
  "down",
  "failed",
  "degraded",
  "unknown",
  "unheard of",
  true,
  false,
  null,
  0,
  -1,
  1e300,
  [],
  {},
  "2031-03-04T10:15:00Z",
  "9999-12-31T00:00:00Z",
  "1ms",
  ["x"],
  [{ status: "DOWN" }],
  { status: "DOWN", name: "x" },
  { a: { status: "fail" } },
  "x".repeat(5_000),
];
const KEYS = [
  "status",
  "state",
  "checks",
  "components",
  "details",
  "name",
  "error",
  "healthy",
  "ok",
  "services",
  "__proto__",
  "data",
  "time",
  "duration",
];

/** The input of one seed: a sample or two, changed byte by byte or node by node. */
export function mutated(seed: number): Input {
  const next = random(seed);
  const pick = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const sample = pick(SAMPLES);
  let body: Buffer = sample.body;
  const rounds = 1 + next(4);
  for (let round = 0; round < rounds; round += 1) {
    const way = next(10);
    if (way < 4) body = changeNodes(body, next, pick);
    else if (way < 9) body = changeBytes(body, next, pick);
    else body = Buffer.concat([body.subarray(0, next(body.length + 1)), pick(SAMPLES).body]);
  }
  if (next(150) === 0) body = blowUp(body, pick);
  const zipped = next(20) === 0;
  return {
    body: zipped ? gzipSync(body) : body,
    httpStatus: next(3) === 0 ? pick(CODES) : sample.httpStatus,
    contentType: next(5) === 0 ? pick(["text/html", "application/health+json", "text/plain; charset=utf-16", null]) : sample.contentType,
    contentEncoding: zipped ? pick(["gzip", null]) : next(40) === 0 ? pick(["gzip", "br", "deflate"]) : null,
  };
}

/** Bytes that a blown-up answer comes to, somewhat below what the poller reads. */
const LARGE = 200_000;

/** One list or map of the answer, or else the whole of it, with its members over and over. */
function blowUp(body: Buffer, pick: Pick): Buffer {
  let root: unknown;
  try {
    root = JSON.parse(body.toString("utf8"));
  } catch {
    return body.length > 0 ? Buffer.concat(Array.from({ length: Math.ceil(LARGE / body.length) }, () => body)) : body;
  }
  const containers: object[] = [];
  const collect = (node: unknown, depth: number): void => {
    if (typeof node !== "object" || node === null || depth > 40) return;
    if (Object.keys(node).length > 0) containers.push(node);
    for (const child of Object.values(node)) collect(child, depth + 1);
  };
  collect(root, 0);
  if (containers.length === 0) return body;
  const chosen = pick(containers);
  const members = Object.entries(chosen);
  const copies = Math.ceil(LARGE / (JSON.stringify(chosen).length + members.length * 3));
  for (let copy = 1; copy < copies; copy += 1)
    for (const [key, value] of members) Array.isArray(chosen) ? chosen.push(value) : Object.assign(chosen, { [`${key}${copy}`]: value });
  return Buffer.from(JSON.stringify(root));
}

type Next = (below: number) => number;
type Pick = <T>(list: readonly T[]) => T;

function changeBytes(body: Buffer, next: Next, pick: Pick): Buffer {
  const at = next(body.length + 1);
  const end = Math.min(body.length, at + next(1 + next(40)));
  switch (next(5)) {
    case 0: {
      const copy = Buffer.from(body);
      if (copy.length > 0) copy[next(copy.length)] = next(256);
      return copy;
    }
    case 1:
      return Buffer.concat([body.subarray(0, at), body.subarray(end)]);
    case 2:
      return Buffer.concat([body.subarray(0, end), body.subarray(at)]);
    case 3:
      return Buffer.concat([body.subarray(0, at), Buffer.from(pick(SNIPPETS)), body.subarray(end)]);
    default:
      return body.subarray(0, at);
  }
}

function changeNodes(body: Buffer, next: Next, pick: Pick): Buffer {
  let root: unknown;
  try {
    root = JSON.parse(body.toString("utf8"));
  } catch {
    return changeBytes(body, next, pick);
  }
  const change = (node: unknown, depth: number): unknown => {
    if (depth > 40 || next(12) === 0) return pick(VALUES);
    if (Array.isArray(node)) {
      if (next(6) === 0) return [...node, ...node];
      const at = next(node.length + 1);
      return node.map((item, index) => (index === at ? change(item, depth + 1) : item));
    }
    if (typeof node !== "object" || node === null) return next(3) === 0 ? pick(VALUES) : node;
    const members = Object.entries(node);
    const at = next(members.length + 1);
    const changed = members.map(([key, value], index): [string, unknown] => {
      if (index !== at) return [key, value];
      return [next(5) === 0 ? pick(KEYS) : key, change(value, depth + 1)];
    });
    if (at === members.length) changed.push([pick(KEYS), pick(VALUES)]);
    return Object.fromEntries(changed);
  };
  return Buffer.from(JSON.stringify(change(root, 0)) ?? "");
}

const DOWN = new Set([
  "down",
  "fail",
  "failed",
  "failing",
  "failure",
  "error",
  "critical",
  "crit",
  "unhealthy",
  "red",
  "outofservice",
  "unavailable",
  "disconnected",
  "ko",
  "notready",
]);
const CONTAINERS = ["components", "checks", "services", "dependencies", "results", "entries", "indicators", "checkResults"];

/**
 * True when JSON holds, in one of the containers that every dialect agrees on, a check that is not informational and whose
 * status is a word for down. Our own contract knows `components` alone. Written without any part of the product.
 */
export function holdsDownCheck(value: unknown, format: string | null, depth = 0): boolean {
  if (typeof value !== "object" || value === null || depth > 30) return false;
  for (const container of format === "headwater" ? ["components"] : CONTAINERS) {
    const checks = Object.hasOwn(value, container) ? (value as Record<string, unknown>)[container] : null;
    if (typeof checks !== "object" || checks === null) continue;
    for (const check of Object.values(checks).flat()) {
      if (typeof check !== "object" || check === null || Array.isArray(check)) continue;
      const { status } = check as Record<string, unknown>;
      // With a stray comma in it `criticality` is still that, to whoever reads it kindly.
      const { criticality, severity, urgency } = Object.fromEntries(
        Object.entries(check).map(([key, said]) => [key.toLowerCase().replace(/[^\p{L}]/gu, ""), said]),
      );
      if (criticality === "informational" || severity === 3 || /^none/i.test(String(urgency))) continue;
      if (typeof status === "string" && DOWN.has(status.toLowerCase().replace(/[^a-z]/g, ""))) return true;
      if (holdsDownCheck(check, format, depth + 1)) return true;
    }
  }
  return false;
}
