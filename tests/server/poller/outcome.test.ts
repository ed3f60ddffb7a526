import { describe, expect, test } from "vitest";
import { deadlineFailure, failureOf, isClosed, type Stage } from "../../../server/src/poller/outcome.ts";

function coded(code: string, message = "password=hunter2"): Error {
  return Object.assign(new Error(message), { code });
}

describe("an error of the network", () => {
  test.each<[string, Stage, string]>([
    ["ECONNREFUSED", "connect", "refused"],
    ["ENOTFOUND", "lookup", "dns"],
    ["EAI_AGAIN", "lookup", "dns"],
    ["ESERVFAIL", "lookup", "dns"],
    ["ETIMEDOUT", "connect", "connect_timeout"],
    ["EHOSTUNREACH", "connect", "connect_timeout"],
    ["ENETUNREACH", "connect", "connect_timeout"],
    ["ENETDOWN", "connect", "connect_timeout"],
    ["ETIMEDOUT", "open", "timeout"],
    ["ECONNRESET", "open", "reset"],
    ["ECONNRESET", "handshake", "reset"],
    ["EPIPE", "open", "reset"],
    ["UND_ERR_SOCKET", "open", "reset"],
    ["UND_ERR_RES_CONTENT_LENGTH_MISMATCH", "body", "reset"],
    ["UND_ERR_HEADERS_OVERFLOW", "open", "too_large"],
    ["CERT_HAS_EXPIRED", "handshake", "tls"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "handshake", "tls"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "handshake", "tls"],
    ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "open", "tls"],
    ["EPROTO", "handshake", "tls"],
    ["ERR_SOME_FUTURE_CODE", "handshake", "tls"],
    ["ERR_SOME_FUTURE_CODE", "open", "reset"],
    ["UND_ERR_INVALID_ARG", "closed", "aborted"],
    ["EMFILE", "connect", "aborted"],
    ["EADDRNOTAVAIL", "connect", "aborted"],
    ["EMFILE", "lookup", "aborted"],
  ])("%s while at %s is %s", (code, stage, outcome) => {
    const failure = failureOf(coded(code), stage);
    expect(failure.outcome).toBe(outcome);
    expect(failure.error).not.toContain("hunter2");
  });

  test("of several addresses one that refuses decides", () => {
    const both = (...codes: string[]) => new AggregateError(codes.map((code) => coded(code)));
    expect(failureOf(both("ETIMEDOUT", "ECONNREFUSED"), "connect").outcome).toBe("refused");
    expect(failureOf(both("ENETUNREACH", "ETIMEDOUT"), "connect").outcome).toBe("connect_timeout");
    expect(failureOf(both(), "connect").outcome).toBe("connect_timeout");
  });

  test("only a closed connection may have lost the race of an idle one", () => {
    expect(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].every((code) => isClosed(coded(code)))).toBe(true);
    expect(["ECONNREFUSED", "ETIMEDOUT", "ENOTFOUND", "CERT_HAS_EXPIRED"].some((code) => isClosed(coded(code)))).toBe(false);
  });
});

test.each<[Stage, string]>([
  ["lookup", "dns"],
  ["connect", "connect_timeout"],
  ["closed", "connect_timeout"],
  ["handshake", "timeout"],
  ["open", "timeout"],
  ["body", "timeout"],
])("a deadline reached at %s is %s and names the limit", (stage, outcome) => {
  expect(deadlineFailure(stage, 2_000)).toEqual({ outcome, error: expect.stringContaining("2000 ms") });
});
