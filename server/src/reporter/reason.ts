/** Thrown by a check that knows a short reason fit for others to read; any other error is reduced to a category. */
export class CheckFailure extends Error {
  override name = "CheckFailure";
}

const REASON_LIMIT = 80;

const BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "connection closed",
  EPIPE: "connection closed",
  UND_ERR_SOCKET: "connection closed",
  ETIMEDOUT: "timed out",
  UND_ERR_CONNECT_TIMEOUT: "timed out",
  UND_ERR_HEADERS_TIMEOUT: "timed out",
  ENOTFOUND: "name not found",
  EAI_AGAIN: "name service unavailable",
  EHOSTUNREACH: "host unreachable",
  ENETUNREACH: "network unreachable",
  CERT_HAS_EXPIRED: "TLS certificate expired",
};

/** What databases answer: classes and codes of SQLSTATE, and the words with which Redis begins a refusal. */
const BY_ANSWER: readonly [RegExp, string][] = [
  [/^28|^(?:NOAUTH|WRONGPASS|NOPERM)$/, "credentials refused"],
  [/^53300$/, "too many connections"],
  [/^53|^OOM$/, "out of resources"],
  [/^57014$/, "timed out"],
  [/^57P03$|^(?:LOADING|BUSY|MASTERDOWN)$/, "not accepting queries yet"],
  [/^57P0[12]$/, "shutting down"],
  [/^25006$|^READONLY$/, "read only"],
  [/^08/, "connection closed"],
  [/^(?:3D|3F|42)/, "refused the query"],
];

/** Why a check failed, in words that hold no address, credential or stack trace: the message of an error is never used. */
export function reasonOf(error: unknown): string {
  if (error instanceof CheckFailure) {
    return [...error.message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")].slice(0, REASON_LIMIT).join("").trim() || "failed";
  }
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    const { code, name, message } = cause as NodeJS.ErrnoException;
    if (name === "TimeoutError" || name === "AbortError") return "timed out";
    // Of a message no more is read than one word from a closed list.
    const answer = typeof code === "string" ? code : /^[A-Z]{3,20}(?= )/.exec(message)?.[0];
    const known = answer === undefined ? undefined : BY_ANSWER.find(([pattern]) => pattern.test(answer))?.[1];
    if (known) return known;
    if (typeof code !== "string") continue;
    if (BY_CODE[code]) return BY_CODE[code];
    if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/.test(code)) return "TLS failed";
  }
  return "failed";
}
