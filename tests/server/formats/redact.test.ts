import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { normalise } from "../../../server/src/formats/index.ts";
import { categoryOf, holdsSecrets, redactBody, redactName, redactText, redactUrl } from "../../../server/src/formats/redact.ts";

interface Texts {
  secret: { text: string; gone: string[]; kept: string[] }[];
  harmless: string[];
}
const TEXTS: Texts = JSON.parse(readFileSync(join(import.meta.dirname, "../../fixtures/secrets.json"), "utf8"));

/** What leaves the adapter when a service puts a text in each place where a text may stand. */
function adapted(text: string): string {
  const bodies = [
    { status: "DOWN", components: { [text]: { status: "DOWN", details: { error: text } }, raw: { status: text } } },
    { status: "error", info: {}, error: { db: { status: "down", message: text } }, details: {} },
    { status: "fail", checks: { [text]: [{ status: "fail", output: text, time: text }] } },
    { status: "unhealthy", components: [{ name: text, status: "down", criticality: text, last_checked: text, error: text }] },
    { status: "Service Unavailable", errors: { db: text } },
    { status: text, db: text },
    { db: { healthy: false, error: { message: text, stack: [text] }, duration: 1 } },
    text,
    `[-]${text} failed: ${text}`,
    `db: FAILED ${text} (0.1s)`,
  ];
  const read = (body: unknown) =>
    normalise({ httpStatus: 500, contentType: null, text: typeof body === "string" ? body : JSON.stringify(body), receivedAt: 0 }, "auto");
  return JSON.stringify(bodies.map(read));
}

describe("texts lose their secrets and keep their sense", () => {
  test.each(TEXTS.secret)("no secret gets through in $text", ({ text, gone, kept }) => {
    const out = adapted(text);
    for (const secret of gone) expect(out).not.toContain(JSON.stringify(secret).slice(1, -1));
    for (const sense of kept) expect(redactText(text)).toContain(sense);
    if (gone.length > 0) expect(holdsSecrets(text)).toBe(true);
  });

  test.each(TEXTS.harmless)("harmless, and so left as it is: %s", (text) => {
    expect(redactText(text)).toBe(text);
  });

  test.each([
    ["postgres://app:hunter2@db.example:5432/shop: refused", "postgres://***@db.example:5432/shop: refused"],
    ["jdbc:postgresql://app:hunter2@db/shop", "jdbc:postgresql://***@db/shop"],
    ["dial app:hunter2@tcp(db:3306)/shop", "dial ***@tcp(db:3306)/shop"],
    ["https://api.example/v1?key=abc&user=7 failed", "https://api.example/v1?key=***&user=*** failed"],
    ["host=db user=app password=hunter2 dbname=shop", "host=db user=app password=*** dbname=shop"],
    ['{"password": "hunter 2", "port": 1}', '{"password": ***, "port": 1}'],
    ["Server=db;Pwd=hunter2;Database=x", "Server=db;Pwd=***;Database=x"],
    ["Authorization: Bearer abcdefgh12345", "Authorization: ***"],
    ["sent Bearer abcdefgh12345", "sent Bearer ***"],
    ["token eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0NTY.abc-def was refused", "token *** was refused"],
    ["key AKIAIOSFODNN7EXAMPLE is unknown", "key *** is unknown"],
    ["ghp_abcdefghij0123456789 expired", "*** expired"],
    ["AccountKey=Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFy==;x", "AccountKey=***;x"],
    ["hash 0123456789abcdef0123456789abcdef gone", "hash *** gone"],
    ["-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY----- loaded", "*** loaded"],
    ["org.example.jdbc.CannotGetConnectionExceptionFromPool: refused", "org.example.jdbc.CannotGetConnectionExceptionFromPool: refused"],
    ["core:elasticsearch@7.17.0 is red", "core:elasticsearch@7.17.0 is red"],
    ["id 123e4567-e89b-12d3-a456-426614174000", "id 123e4567-e89b-12d3-a456-426614174000"],
    ["  two\n lines\t and a tab ", "two  lines  and a tab"],
  ])("%j", (text, expected) => {
    expect(redactText(text)).toBe(expected);
    expect(holdsSecrets(text)).toBe(/\*{3}/.test(expected));
  });

  test.each([
    ["Java", "java.io.IOException: gone\n\tat org.example.A.b(A.java:1)\n\tat org.example.C.d(C.java:2)", "java.io.IOException: gone"],
    ["Java in one line", "java.io.IOException: gone at org.example.A.b(A.java:1)", "java.io.IOException: gone"],
    ["Node", "Error: gone\n    at Object.<anonymous> (/srv/app.js:1:1)", "Error: gone"],
    ["Python", 'Traceback (most recent call last):\n  File "/srv/a.py", line 1, in x\nOSError: gone', "OSError: gone"],
    ["Go", "panic: gone\ngoroutine 1 [running]:\nmain.main()", "panic: gone"],
    ["PHP", "gone\nStack trace:\n#0 /srv/a.php(1)", "gone"],
  ])("a stack trace of %s is left out", (_language, text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  test("a text is cut to its limit, whole characters only", () => {
    expect(redactText("x".repeat(1_000))).toHaveLength(300);
    expect(redactText("abcdefghij", 5)).toBe("abcd…");
    expect(redactText("abc😀", 4)).not.toMatch(/[\uD800-\uDFFF]/);
  });

  test("a name keeps what tells it apart", () => {
    expect(redactName("Cache(alias='default', key='djangohealthcheck_test')")).toBe("Cache(alias='default', key='djangohealthcheck_test')");
    expect(redactName("node hvs.CAESIJlU02LSZ")).toBe("node ***");
    expect(redactName("db amqp://a:b@mq/x")).toBe("db amqp://***@mq/x");
  });

  test("a body keeps its lines", () => {
    expect(redactBody('{\n  "token": "abc"\n}\u0007', 100)).toBe('{\n  "token": ***\n}');
    expect(redactBody("x".repeat(500), 100)).toHaveLength(100);
  });
});

test.each([
  ["https://app:pw@host:8443/health?token=1&full=1#x", "https://host:8443/health?token=***&full=***"],
  ["http://host/health", "http://host/health"],
  ["not a url password=x", "not a url password=***"],
])("the URL %s is shown as %s", (url, expected) => {
  expect(redactUrl(url)).toBe(expected);
});

test.each([
  ["dial tcp 10.0.0.5:6379: i/o timeout", "timeout"],
  ["context deadline exceeded", "timeout"],
  ["connect ECONNREFUSED 127.0.0.1:5432", "refused"],
  ["getaddrinfo ENOTFOUND db", "dns"],
  ["lookup db: no such host", "dns"],
  ["x509: certificate signed by unknown authority", "tls"],
  ["Access denied for user 'app'", "auth"],
  ["HTTP 401", "auth"],
  ["timed out waiting for available connection", "pool_exhausted"],
  ["HikariPool-1 - Connection is not available, request timed out after 30000ms", "pool_exhausted"],
  ["too many connections", "pool_exhausted"],
  ["Request failed with status code 502", "http_5xx"],
  ["replica lag", "error"],
])("%j is of the kind %s", (text, category) => {
  expect(categoryOf(text)).toBe(category);
});
