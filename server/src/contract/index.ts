/**
 * The wire, as zod: the API serialises through these values and the page takes its types from them. Everything that
 * `GET /api/v1` and the event stream say is here and nowhere else. JSON is snake_case, times are ISO 8601 in UTC with
 * milliseconds, durations end in `_ms`.
 */
export * from "./board.ts";
export * from "./events.ts";
export * from "./incidents.ts";
export * from "./labels.ts";
export * from "./nodes.ts";
export * from "./service.ts";
