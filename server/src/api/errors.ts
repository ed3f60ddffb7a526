import type { Socket } from "node:net";
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { hasZodFastifySchemaValidationErrors } from "fastify-type-provider-zod";

/** Every error code that the API knows, with its HTTP status. */
const STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  no_data: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  wrong_host: 421,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
  history_unavailable: 503,
} as const;
export type ErrorCode = keyof typeof STATUS;

/** An expected refusal; the mapper below turns it into `{ error: { code, message } }`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly statusCode: number;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
    this.statusCode = STATUS[code];
  }
}

const BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  401: "unauthorized",
  403: "forbidden",
  404: "not_found",
  405: "method_not_allowed",
  413: "too_large",
  415: "unsupported_media_type",
  429: "rate_limited",
};

/** What a caller may know of an error: our own words below 500, a constant above. */
function describeError(error: unknown): { code: ErrorCode; status: number; message: string } {
  if (error instanceof ApiError) return { code: error.code, status: error.statusCode, message: error.message };
  if (hasZodFastifySchemaValidationErrors(error)) {
    const context = (error as Partial<FastifyError>).validationContext ?? "request";
    const problems = error.validation.slice(0, 8).map((issue) => {
      const place = `${context}${issue.instancePath.replaceAll("/", ".")}`;
      return `${place}: ${issue.message ?? "not valid"}`;
    });
    return { code: "bad_request", status: 400, message: problems.join("; ").slice(0, 1_000) };
  }
  const { code, statusCode, message } = (error ?? {}) as Partial<FastifyError>;
  if (typeof code === "string" && code.startsWith("SQLITE_"))
    return { code: "history_unavailable", status: 503, message: "the history cannot be read right now" };
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return { code: BY_STATUS[statusCode] ?? "bad_request", status: statusCode, message: message ?? "bad request" };
  return { code: "internal", status: 500, message: "something went wrong here" };
}

/**
 * The one mapper from errors to answers, and 404 for every path without a route: JSON, or the page that `instead` has for
 * whoever asks, or the error that it has.
 */
export function useErrors(app: FastifyInstance, instead: (request: FastifyRequest) => string | Error | null): void {
  app.setErrorHandler((error, request, reply) => {
    // Our own refusals, of too many viewers or while draining, are no failures.
    if (!(error instanceof ApiError) && describeError(error).status >= 500) request.log.error({ err: error }, "request failed");
    sendError(reply, error);
  });
  app.setNotFoundHandler((request, reply) => {
    const found = instead(request) ?? new ApiError("not_found", "there is nothing at this address");
    if (typeof found === "string") reply.code(404).type("text/html; charset=utf-8").send(found);
    else sendError(reply, found);
  });
}

/** Answers with `{ error: { code, message } }`. */
function sendError(reply: FastifyReply, error: unknown): void {
  const { code, status, message } = describeError(error);
  if (status === 401) reply.header("www-authenticate", "Bearer");
  reply
    .code(status)
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ error: { code, message } }));
}

/** Answers what is not HTTP, or too long for it, in the same shape; nothing else has run for it. */
export function refuseConnection(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy();
  const [status, code, message] =
    error.code === "HPE_HEADER_OVERFLOW"
      ? ["431 Request Header Fields Too Large", "too_large", "the headers are too long"]
      : error.code === "ERR_HTTP_REQUEST_TIMEOUT"
        ? ["408 Request Timeout", "bad_request", "the request took too long to arrive"]
        : ["400 Bad Request", "bad_request", "this is not a valid HTTP request"];
  const body = JSON.stringify({ error: { code, message } });
  const headers = `Content-Type: application/json; charset=utf-8\r\nContent-Length: ${body.length}\r\nCache-Control: no-store\r\nConnection: close`;
  socket.end(`HTTP/1.1 ${status}\r\n${headers}\r\n\r\n${body}`);
}

/**
 * Knows every route, and so which methods a path takes: a known path with another method is 405 with `Allow`,
 * HEAD included. Call it before the first route is added.
 */
export function useAllowedMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    const source = url
      .split("/")
      .map((part) => (part.startsWith(":") ? "[^/]+" : part === "*" ? ".*" : part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")))
      .join("/");
    routes.push({ pattern: new RegExp(`^${source}$`), methods: [method].flat() });
  });
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).flatMap(({ methods }) => methods))];
}
