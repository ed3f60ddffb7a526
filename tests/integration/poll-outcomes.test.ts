import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import type { RawAnswer } from "../../server/src/poller/exchange.ts";
import { fetchOnce, openLine, type Target } from "../../server/src/poller/fetch.ts";
import { observe } from "../../server/src/poller/poll.ts";
import { makeCertificate } from "../support/certificate.ts";
import { type Dial, startService, type TestService, type TestServiceOptions } from "../support/service.ts";

const options = { userAgent: "headwater/0.0.0-test", clock: { monotonic: () => performance.now(), wall: () => Date.now() } };
const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function service(settings: TestServiceOptions = {}): Promise<TestService> {
  const started = await startService(settings);
  closing.push(started.close);
  return started;
}

function target(url: string, more: Partial<Target> = {}): Target {
  return { url, headers: {}, interval: 10_000, timeout: 2_000, maxBody: 262_144, tls: null, ...more };
}

function read(answer: RawAnswer) {
  return observe(answer, { id: "checkout", format: "auto", maxBody: 262_144 }, { id: "checkout" });
}

async function poll(url: string, more: Partial<Target> = {}) {
  return read(await fetchOnce(target(url, more), options));
}

describe("the outcome of one poll", () => {
  test.each<[Dial & string, string, number | null, string | null]>([
    ["ok", "report", 200, "healthy"],
    ["slow", "report", 200, "healthy"],
    ["gzip", "report", 200, "healthy"],
    ["http10", "report", 200, "healthy"],
    ["noContent", "report", 204, "healthy"],
    ["unhealthy", "report", 503, "unhealthy"],
    ["empty503", "http_error", 503, "unhealthy"],
    ["unauthorized", "http_error", 401, null],
    ["redirect", "redirect", 302, null],
    ["html", "not_a_report", 200, null],
    ["garbage", "not_a_report", null, null],
    ["huge", "too_large", 200, null],
    ["flood", "too_large", 200, null],
    ["bomb", "too_large", 200, null],
    ["reset", "reset", null, null],
    ["hangUp", "reset", null, null],
    ["truncated", "reset", 200, null],
    ["badChunk", "reset", 200, null],
  ])("a service that answers %s: %s", async (dial, outcome, httpStatus, status) => {
    const { url, calls } = await service({ dial });
    const observation = await poll(url);
    expect(observation).toMatchObject({ outcome, httpStatus, service: "checkout", instance: "checkout" });
    expect(observation.report?.status ?? null).toBe(status);
    expect(observation.error === null).toBe(outcome === "report");
    expect(calls).toHaveLength(1);
  });

  test.each<[Dial & string, number | null]>([
    ["hang", null],
    ["drip", 200],
  ])("a service that answers %s is a timeout, and its connection is cut", async (dial, httpStatus) => {
    const slow = await service({ dial });
    const observation = await poll(slow.url, { timeout: 120 });
    expect(observation).toMatchObject({ outcome: "timeout", httpStatus, report: null });
    await expect.poll(() => slow.open).toBe(0);
    expect(slow.accepted).toBe(1);
  });

  test("nobody listens: refused", async () => {
    const gone = await service();
    await gone.refuse();
    expect(await poll(gone.url)).toMatchObject({ outcome: "refused", httpStatus: null, error: "connection refused" });
  });

  test("no such name: dns", async () => {
    expect(await poll("http://no-such-name.invalid/health")).toMatchObject({ outcome: "dns", report: null });
  });

  test("a header that cannot be sent is our own fault", async () => {
    const { url, calls } = await service();
    expect(await poll(url, { headers: { authorization: "Bearer line\nbreak" } })).toMatchObject({ outcome: "aborted", report: null });
    expect(calls).toHaveLength(0);
  });

  test.runIf(process.platform === "linux")("a host that takes no connection: connect_timeout", async () => {
    // A stopped process accepts nothing; once its short queue is full, the kernel drops further attempts.
    const script =
      'const s = require("net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => process.send(s.address().port))';
    const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
    const [port] = (await once(child, "message")) as [number];
    child.kill("SIGSTOP");
    const fillers: Socket[] = [];
    closing.push(() => {
      for (const socket of fillers) socket.destroy();
      return child.kill("SIGKILL");
    });
    for (let i = 0; i < 8; i++) fillers.push(connect(port, "127.0.0.1").on("error", () => {}));
    await expect
      .poll(async () => (await poll(`http://127.0.0.1:${port}/health`, { timeout: 100 })).outcome, { timeout: 5_000 })
      .toBe("connect_timeout");
  });

  test("a deadline that our own event loop kept from firing: aborted", async () => {
    const slow = await service({ dial: "hang" });
    const pending = poll(slow.url, { timeout: 100 });
    await expect.poll(() => slow.calls.length).toBe(1);
    for (const end = performance.now() + 600; performance.now() < end; );
    expect(await pending).toMatchObject({ outcome: "aborted", report: null });
  });

  test("a short delay of our own is no excuse for a service that hangs", async () => {
    const slow = await service({ dial: "hang" });
    const pending = poll(slow.url, { timeout: 200 });
    await expect.poll(() => slow.calls.length, { interval: 1 }).toBe(1);
    for (const end = performance.now() + 220; performance.now() < end; );
    expect(await pending).toMatchObject({ outcome: "timeout", report: null });
  });

  test("an answer that our own event loop kept us from reading in time: aborted, not late", async () => {
    const { url } = await service({ dial: "ok" });
    const pending = poll(url, { timeout: 50 });
    for (const end = performance.now() + 600; performance.now() < end; );
    expect(await pending).toMatchObject({ outcome: "aborted" });
  });
});

describe("over TLS", () => {
  const ca = { ...makeCertificate({ commonName: "Test CA", ca: true }), commonName: "Test CA" };
  const good = makeCertificate({ commonName: "checkout", names: ["127.0.0.1", "checkout.internal"], issuer: ca });
  const trust = { ca: ca.cert, cert: null, key: null, servername: null };

  test("a certificate of the service's own authority is trusted, and the connection is kept", async () => {
    const secure = await service({ tls: good });
    const line = openLine(target(secure.url, { tls: trust }), options);
    closing.push(line.close);
    for (let i = 0; i < 3; i++) expect(read(await line.ask())).toMatchObject({ outcome: "report" });
    expect(secure.accepted).toBe(1);
  });

  const elsewhere = makeCertificate({ commonName: "other", names: ["other.internal"], issuer: ca });
  const expired = makeCertificate({ commonName: "checkout", names: ["127.0.0.1"], issuer: ca, from: -9, to: -2 });
  test.each([
    ["an unknown authority", good, null, "certificate of an unknown authority"],
    ["another name", elsewhere, trust, "certificate for another name"],
    ["an expired one", expired, trust, "certificate expired"],
  ])("a certificate of %s: tls", async (_name, tls, settings, error) => {
    const secure = await service({ tls });
    expect(await poll(secure.url, { tls: settings })).toMatchObject({ outcome: "tls", error });
    expect(secure.calls).toHaveLength(0);
  });

  test("the declared servername is asked for and checked", async () => {
    const named = makeCertificate({ commonName: "checkout", names: ["checkout.internal"], issuer: ca });
    const secure = await service({ tls: named });
    expect(await poll(secure.url, { tls: trust })).toMatchObject({ outcome: "tls" });
    expect(await poll(secure.url, { tls: { ...trust, servername: "checkout.internal" } })).toMatchObject({ outcome: "report" });
  });

  test("a client certificate is shown where one is declared", async () => {
    const client = makeCertificate({ commonName: "headwater", issuer: ca });
    const secure = await service({ tls: { ...good, ca: ca.cert, requestCert: true, rejectUnauthorized: true } });
    expect((await poll(secure.url, { tls: trust })).outcome).not.toBe("report");
    expect(await poll(secure.url, { tls: { ...trust, ...client } })).toMatchObject({ outcome: "report" });
  });

  test("plain HTTP where TLS is expected: tls; a key that is no key: tls", async () => {
    const plain = await service();
    expect(await poll(plain.url.replace("http:", "https:"))).toMatchObject({ outcome: "tls" });
    expect(await poll(plain.url.replace("http:", "https:"), { tls: { ...trust, cert: "no", key: "no" } })).toMatchObject({
      outcome: "tls",
    });
  });

  test("a handshake that is never answered is a timeout: the host is there", async () => {
    const silent = await import("node:net").then(({ createServer }) => createServer(() => {}).listen(0, "127.0.0.1"));
    await once(silent, "listening");
    closing.push(() => silent.close());
    const { port } = silent.address() as { port: number };
    const observation = await poll(`https://127.0.0.1:${port}/`, { timeout: 120 });
    expect(observation).toMatchObject({ outcome: "timeout", error: "no TLS handshake within 120 ms" });
  });
});

describe("the request", () => {
  test("asks for fresh JSON under our name, and the map's headers win", async () => {
    const { url, ...rest } = await service();
    const observed = await service();
    await poll(observed.url, { headers: { Authorization: "Bearer abc", "User-Agent": "other" } });
    expect(observed.lastHeaders).toMatchObject({ "cache-control": "no-cache", authorization: "Bearer abc", "user-agent": "other" });
    expect(observed.lastHeaders.accept).toMatch(/^application\/health\+json, application\/json;q=0\.9, text\/plain;q=0\.5/);
    await poll(url);
    expect(rest.calls).toHaveLength(1);
  });

  test("keeps path and query", async () => {
    let asked: string | undefined;
    const { url } = await service({
      dial: (req, res) => {
        asked = req.url;
        res.writeHead(204).end();
      },
    });
    await poll(`${url}?full=1&name=a%20b#top`);
    expect(asked).toBe("/health/deep?full=1&name=a%20b");
  });

  test("reads the Date and Age of the answer", async () => {
    const { url } = await service({
      dial: (_req, res) => {
        res.writeHead(204, { date: "Sat, 24 Oct 2026 09:15:02 GMT", age: "7" }).end();
      },
    });
    expect(await poll(url)).toMatchObject({ date: Date.UTC(2026, 9, 24, 9, 15, 2), httpAge: 7_000 });
  });

  test("informational answers come before the one that counts", async () => {
    const { url } = await service({
      dial: (_req, res) => {
        res.writeEarlyHints({ link: "</style.css>; rel=preload" });
        res.writeHead(204).end();
      },
    });
    expect(await poll(url)).toMatchObject({ outcome: "report", httpStatus: 204 });
  });
});

describe("the connection", () => {
  async function line(settings: TestServiceOptions = {}, more: Partial<Target> = {}) {
    const started = await service(settings);
    const opened = openLine(target(started.url, more), options);
    closing.push(opened.close);
    return { started, line: opened, ask: async () => read(await opened.ask()) };
  }

  test("is kept between polls", async () => {
    const { started, ask } = await line();
    for (let i = 0; i < 5; i++) expect((await ask()).outcome).toBe("report");
    expect(started.accepted).toBe(1);
  });

  test("an idle one that was closed meanwhile costs one new connection and no failed poll", async () => {
    const { started, ask } = await line();
    await ask();
    started.dropIdle();
    expect((await ask()).outcome).toBe("report");
    expect(started.calls).toHaveLength(2);
    expect(started.accepted).toBe(2);
  });

  test.each<Dial & string>(["hangUp", "reset"])(
    "a reused one that closes before any byte (%s) is asked once more, only once",
    async (dial) => {
      const { started, ask } = await line();
      await ask();
      started.dial = dial;
      expect((await ask()).outcome).toBe("reset");
      // The first, the one that lost the race, and its re-send on a connection of its own.
      expect(started.calls).toHaveLength(3);
      expect(started.accepted).toBe(2);
    },
  );

  test("a race lost once is no failed poll", async () => {
    const { started, ask } = await line();
    await ask();
    let raced = false;
    started.dial = (req, res) => {
      if (raced) res.writeHead(204).end();
      else req.socket.destroy();
      raced = true;
    };
    expect(await ask()).toMatchObject({ outcome: "report", httpStatus: 204 });
    expect(started.calls).toHaveLength(3);
  });

  test("a new one that closes before any byte is not asked again, nor one that closes within the answer", async () => {
    const fresh = await line({ dial: "hangUp" });
    expect((await fresh.ask()).outcome).toBe("reset");
    expect(fresh.started.calls).toHaveLength(1);
    const reused = await line();
    await reused.ask();
    reused.started.dial = "truncated";
    expect((await reused.ask()).outcome).toBe("reset");
    expect(reused.started.calls).toHaveLength(2);
  });

  test("a server's Keep-Alive hint is honoured: we close first", async () => {
    const { started, ask } = await line({ keepAliveSeconds: 1 });
    await ask();
    await expect.poll(() => started.open, { timeout: 3_000 }).toBe(0);
    expect((await ask()).outcome).toBe("report");
    expect(started.accepted).toBe(2);
  });

  test("without a hint it lives two intervals at most", async () => {
    const { started, ask } = await line({}, { interval: 100, timeout: 90 });
    await ask();
    await expect.poll(() => started.open, { timeout: 3_000 }).toBe(0);
  });

  test("a server that closes after each answer gets a new one each time, and no request twice", async () => {
    const { started, ask } = await line({ dial: "http10" });
    for (let i = 0; i < 3; i++) expect((await ask()).outcome).toBe("report");
    expect(started.accepted).toBe(3);
    expect(started.calls).toHaveLength(3);
  });

  test("an answer that nobody asked for is never taken for the next one's", async () => {
    const { started, ask } = await line();
    const http = (status: string) => {
      const body = JSON.stringify({ status, components: [] });
      return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    };
    started.dial = (req) => void req.socket.write(http("healthy") + http("unhealthy"));
    for (let i = 0; i < 4; i++) expect((await ask()).report?.status).toBe("healthy");
    expect(started.calls).toHaveLength(4);
  });

  test("many at once for one name share a lookup, and all get through", async () => {
    const named = await service();
    const url = named.url.replace("127.0.0.1", "localhost");
    const outcomes = await Promise.all(Array.from({ length: 20 }, async () => (await poll(url)).outcome));
    expect(new Set(outcomes)).toEqual(new Set(["report"]));
  });

  test("a timeout leaves nothing behind, and the next poll starts anew", async () => {
    const { started, ask } = await line({ dial: "hang" }, { timeout: 100 });
    expect((await ask()).outcome).toBe("timeout");
    await expect.poll(() => started.open).toBe(0);
    started.dial = "ok";
    expect((await ask()).outcome).toBe("report");
    expect(started.accepted).toBe(2);
    expect(started.calls).toHaveLength(2);
  });

  test("aborting ends a poll under way at once", async () => {
    const { started, line: opened, ask } = await line({ dial: "hang" });
    const pending = ask();
    await expect.poll(() => started.calls.length).toBe(1);
    opened.abort();
    expect(await pending).toMatchObject({ outcome: "aborted", error: "cancelled" });
    await expect.poll(() => started.open).toBe(0);
  });
});
