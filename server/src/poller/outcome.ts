import { errors } from "undici";
import type { Outcome } from "../domain/status.ts";

/** How far a poll got; `body` once the status line and the headers of its answer are there. */
export type Stage = "closed" | "lookup" | "connect" | "handshake" | "open" | "body";

/** Why there is no answer, and a short reason in our own words: texts of libraries never leave this file. */
export interface Failure {
  outcome: Exclude<Outcome, "report">;
  error: string;
}

/** Nothing more can be opened here: no file handles, ports or memory. Says nothing about the service. */
const OWN_FAULT = new Set(["EMFILE", "ENFILE", "ENOBUFS", "ENOMEM", "EADDRNOTAVAIL", "EADDRINUSE"]);

const UNREACHABLE: Readonly<Record<string, string>> = {
  ETIMEDOUT: "no connection",
  EHOSTUNREACH: "host unreachable",
  EHOSTDOWN: "host unreachable",
  ENETUNREACH: "network unreachable",
  ENETDOWN: "network unreachable",
  EACCES: "connection not permitted",
  EPERM: "connection not permitted",
};

const NAMES: Readonly<Record<string, string>> = { ENOTFOUND: "name not found", EAI_AGAIN: "name service unavailable" };

const CERTIFICATES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "certificate expired",
  CERT_NOT_YET_VALID: "certificate not yet valid",
  CERT_REVOKED: "certificate revoked",
  DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed certificate",
  SELF_SIGNED_CERT_IN_CHAIN: "self-signed certificate",
  UNABLE_TO_GET_ISSUER_CERT: "certificate of an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate of an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate of an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "certificate for another name",
};

/** Errors after which a request may be sent once more, if the connection was a reused one and no byte had come. */
const CLOSED = new Set(["ECONNRESET", "ECONNABORTED", "EPIPE", "UND_ERR_SOCKET"]);

export function isClosed(error: Error): boolean {
  return CLOSED.has(codeOf(error));
}

/**
 * What an error of the network or of undici means for a poll whose connection had reached `stage`. Judged by error
 * codes and the stage alone; the same code means different things before and after the connection stands.
 */
export function failureOf(error: Error, stage: Stage): Failure {
  const code = codeOf(error);
  if (OWN_FAULT.has(code)) return { outcome: "aborted", error: "no local resources" };
  if (code === "UND_ERR_INVALID_ARG" || code === "UND_ERR_NOT_SUPPORTED")
    return { outcome: "aborted", error: "the request cannot be sent" };
  if (code.startsWith("EAI_") || code === "ENOTFOUND" || stage === "lookup") {
    return { outcome: "dns", error: NAMES[code] ?? "name lookup failed" };
  }
  if (code === "ECONNREFUSED") return { outcome: "refused", error: "connection refused" };
  if (CLOSED.has(code)) return { outcome: "reset", error: stage === "handshake" ? "closed during the TLS handshake" : "connection closed" };
  if (stage === "connect" || stage === "closed") return { outcome: "connect_timeout", error: UNREACHABLE[code] ?? "no connection" };
  if (code === "ETIMEDOUT") return { outcome: "timeout", error: "no answer" };
  if (stage === "handshake") return { outcome: "tls", error: CERTIFICATES[code] ?? "TLS handshake failed" };
  if (code === "UND_ERR_HEADERS_OVERFLOW") return { outcome: "too_large", error: "headers too large" };
  if (stage === "body") return { outcome: "reset", error: "broken off within the answer" };
  // The parser's errors carry no code that would tell one from another.
  if (error instanceof errors.HTTPParserError) return { outcome: "not_a_report", error: "not HTTP" };
  if (code.startsWith("ERR_SSL_") || code.startsWith("ERR_TLS_") || code.startsWith("ERR_OSSL_") || code === "EPROTO") {
    return { outcome: "tls", error: CERTIFICATES[code] ?? "TLS failed" };
  }
  return { outcome: "reset", error: "connection failed" };
}

/** What a poll that reached its deadline at `stage` ended as; `timeout` milliseconds. */
export function deadlineFailure(stage: Stage, timeout: number): Failure {
  if (stage === "lookup") return { outcome: "dns", error: `no name lookup within ${timeout} ms` };
  if (stage === "handshake") return { outcome: "timeout", error: `no TLS handshake within ${timeout} ms` };
  if (stage === "body") return { outcome: "timeout", error: `answer not complete within ${timeout} ms` };
  if (stage === "open") return { outcome: "timeout", error: `no answer within ${timeout} ms` };
  return { outcome: "connect_timeout", error: `no connection within ${timeout} ms` };
}

/** Several addresses were tried: one that refuses proves more than one that stays silent. */
function codeOf(error: Error): string {
  if (error instanceof AggregateError) {
    const codes = error.errors.map((each) => (each instanceof Error ? codeOf(each) : ""));
    return codes.find((code) => code === "ECONNREFUSED") ?? codes[0] ?? "";
  }
  const code = (error as NodeJS.ErrnoException).code;
  return typeof code === "string" ? code : "";
}
