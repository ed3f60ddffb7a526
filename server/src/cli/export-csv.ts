import type { Range } from "../domain/history.ts";
import { printable } from "../domain/printable.ts";
import { changesIn, pollsIn } from "../store/export.ts";
import type { OpenHistory } from "./history-file.ts";

export const TABLES = ["polls", "changes", "incidents", "availability"] as const;
export type TableName = (typeof TABLES)[number];

/** The rows of a table as CSV, a line each, its header first. */
export function* table({ history, reader }: OpenHistory, what: TableName, range: Range): Generator<string> {
  const time = (at: number | null): string => (at === null ? "" : new Date(at).toISOString());
  if (what === "polls") {
    yield row(["time", "service", "instance", "outcome", "http_status", "latency_ms", "status"]);
    for (const poll of pollsIn(history, range))
      yield row([time(poll.at), poll.service, poll.instance, poll.outcome, poll.httpStatus, poll.latencyMs, poll.report?.status ?? null]);
  } else if (what === "changes") {
    yield row(["time", "subject", "id", "from", "to", "reason", "incident"]);
    for (const one of changesIn(history, range)) yield row([time(one.at), one.subject, one.id, one.from, one.to, one.reason, one.incident]);
  } else if (what === "incidents") {
    yield row(["id", "kind", "severity", "node", "opened_at", "detected_at", "resolved_at", "end", "confidence", "impacted", "why"]);
    for (let cursor: number | null | undefined; cursor !== null; ) {
      const page = reader.incidents({ ...range, limit: 500, ...(cursor === undefined ? {} : { cursor }) });
      for (const one of page.incidents) {
        const impacted = one.impacted.map(({ node }) => node).join(" ");
        const times = [time(one.openedAt), time(one.detectedAt), time(one.resolvedAt)];
        const { cause } = one;
        yield row([
          one.id,
          one.kind,
          one.severity,
          cause?.node ?? one.anchor,
          ...times,
          one.end,
          cause?.confidence ?? null,
          impacted,
          cause?.why.join("; ") ?? "",
        ]);
      }
      cursor = page.next;
    }
  } else {
    yield row(["subject", "id", "up_ms", "degraded_ms", "down_ms", "unseen_ms", "maintenance_ms", "up_share_of_seen"]);
    for (const subject of ["system", "node"] as const)
      for (const [id] of history.names.all(subject)) {
        const { up, degraded, down, unseen, maintenance } = reader.availability(subject, id, range.from, range.to);
        const seen = up + degraded + down;
        if (seen > 0) yield row([subject, id, up, degraded, down, unseen, maintenance, ((up + degraded) / seen).toFixed(6)]);
      }
  }
}

/** One line of CSV; a text that a spreadsheet would take for a formula begins with an apostrophe. */
function row(cells: readonly (string | number | null)[]): string {
  const quoted = cells.map((cell) => {
    if (typeof cell === "number") return String(cell);
    const text = printable(cell ?? "");
    const safe = /^[=+\-@]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  });
  return `${quoted.join(",")}\n`;
}
