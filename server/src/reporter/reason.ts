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

/** Why a check failed, in words that hold no address, credential or stack trace: the message of an error is never used. */
export function reasonOf(error: unknown): string {
  if (error instanceof CheckFailure) {
    return [...error.message.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, " ")].slice(0, REASON_LIMIT).join("").trim() || "failed";
  }
  for (let cause: unknown = error, depth = 0; cause instanceof Error && depth < 4; cause = cause.cause, depth++) {
    const { code, name } = cause as NodeJS.ErrnoException;
    if (name === "TimeoutError" || name === "AbortError") return "timed out";
    if (typeof code !== "string") continue;
    if (BY_CODE[code]) return BY_CODE[code];
    if (/^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED)/.test(code)) return "TLS failed";
  }
  return "failed";
}
