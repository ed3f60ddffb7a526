import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { probe } from "../../server/src/cli/probe.ts";
import { judge, samples } from "../server/formats/samples.ts";

const SAMPLES = samples();
const server = http.createServer((request, response) => {
  const sample = SAMPLES.find(({ name }) => `/${name}` === request.url);
  if (!sample) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(sample.httpStatus, { ...(sample.contentType && { "content-type": sample.contentType }), ...sample.headers });
  response.end(sample.body);
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
afterAll(() => new Promise((resolve) => server.close(resolve)));

describe("the judged answers over HTTP, as `headwater probe --json` reports them", () => {
  test.each(SAMPLES.map((sample) => [sample.name, sample] as const))("%s", async (name, { httpStatus, expected }) => {
    const out: string[] = [];
    const io = { stdout: (text: string) => void out.push(text), stderr: () => undefined, env: {}, cwd: ".", colour: false };
    const exit = await probe([`http://127.0.0.1:${(server.address() as AddressInfo).port}/${name}`, "--json"], io);
    const seen = JSON.parse(out.join(""));
    expect(seen.http_status).toBe(httpStatus);
    expect(exit).toBe(seen.report === null ? 1 : 0);
    type Wire = { name: string; status: string; latency_ms?: number; criticality?: string; error?: string };
    const components = (seen.report?.components ?? []).map(({ latency_ms, ...rest }: Wire) => ({ ...rest, latencyMs: latency_ms }));
    expect(judge(expected, seen.report && { status: seen.report.status, components })).toBeNull();
  });
});
