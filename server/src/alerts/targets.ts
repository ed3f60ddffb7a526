import { createHmac } from "node:crypto";
import type { AggregatorConfig } from "../domain/config.ts";
import type { Alert } from "./book.ts";

/** One request that carries alerts. The address and the headers are secrets: they go to the receiver and nowhere else. */
export interface Letter {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Somebody who is told. */
export interface Target {
  /** For the log and the metrics; says nothing of the address. */
  name: string;
  /** Equal for targets that are the same, so that a reload keeps what waits for them. */
  key: string;
  /** Keeps no memory of its own over a restart, so it is told again and again what is open. */
  repeat: boolean;
  /** How many of the alerts that wait go into the next letter, at least one. */
  batch: (waiting: readonly Alert[]) => number;
  /** `now` in epoch milliseconds. */
  write: (alerts: readonly Alert[], now: number) => Letter;
}

/** Alertmanager forgets an alert at this time after its last repetition: long, because silence is no all-clear. */
const VALID_MS = 3_600_000;
const ALERTS_A_LETTER = 64;
const VICTIMS_AT_MOST = 50;

/** The receivers that the configuration names. */
export function targetsOf(alerts: AggregatorConfig["alerts"]): Target[] {
  const urls = alerts.alertmanager?.urls ?? [];
  const managers = urls.map((url, i) => alertmanager(url, urls.length > 1 ? `alertmanager ${i + 1}` : "alertmanager"));
  return alerts.webhook ? [...managers, webhook(alerts.webhook)] : managers;
}

/** The v2 API. Alerts of one letter either all fire or all end: an end waits until what fired before it was taken. */
function alertmanager(address: string, name: string): Target {
  const { url, headers } = withoutCredentials(address);
  const base = url.replace(/\/+$/, "");
  return {
    name,
    key: JSON.stringify(["alertmanager", address]),
    repeat: true,
    batch(waiting) {
      const fires = waiting[0]?.endsAt === null;
      const other = waiting.findIndex(({ endsAt }) => (endsAt === null) !== fires);
      return Math.min(ALERTS_A_LETTER, other < 0 ? waiting.length : other);
    },
    write: (alerts, now) => ({
      url: `${base}/api/v2/alerts`,
      headers,
      body: JSON.stringify(alerts.map((alert) => toAlertmanager(alert, now))),
    }),
  };
}

function toAlertmanager({ labels, annotations, startsAt, endsAt }: Alert, now: number): object {
  return {
    labels,
    annotations,
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(endsAt ?? Math.max(now, startsAt) + VALID_MS).toISOString(),
  };
}

/**
 * Signed JSON, an incident's event at a time: `headwater-signature: sha256=<hex>` is the HMAC-SHA256 of
 * `<headwater-timestamp>.<body>` under the secret. `id` is the same for each repetition.
 */
function webhook({ url: address, secret }: { url: string; secret: string | null }): Target {
  const { url, headers } = withoutCredentials(address);
  return {
    name: "webhook",
    key: JSON.stringify(["webhook", address, secret]),
    repeat: false,
    batch: () => 1,
    write(alerts, now) {
      const [alert] = alerts;
      const body = JSON.stringify(alert ? toWebhook(alert) : {});
      const timestamp = String(Math.floor(now / 1_000));
      return { url, headers: { ...headers, "headwater-timestamp": timestamp, ...signature(secret, timestamp, body) }, body };
    },
  };
}

function toWebhook({ id, event, incident, labels, annotations, startsAt, endsAt }: Alert): object {
  const { summary, runbook_url } = annotations;
  const { cause, impacted, systems } = incident;
  return {
    version: 1,
    id,
    event,
    site: labels.site,
    summary,
    starts_at: new Date(startsAt).toISOString(),
    ends_at: endsAt === null ? null : new Date(endsAt).toISOString(),
    incident: {
      id: incident.id,
      kind: labels.kind,
      status: incident.status,
      severity: incident.severity,
      node: labels.node,
      team: labels.team ?? null,
      end: incident.end,
      absorbed_by: incident.absorbedBy,
      unverified_since: incident.unverifiedSince === null ? null : new Date(incident.unverifiedSince).toISOString(),
      cause: cause && {
        node: cause.node,
        kind: cause.kind,
        ...(cause.link && { link: cause.link }),
        ...(cause.instance && { instance: cause.instance }),
        ...(cause.zone && { zone: cause.zone }),
        level: cause.level,
        confidence: cause.confidence,
        why: cause.why,
      },
      impacted_count: impacted.length,
      impacted: impacted.slice(0, VICTIMS_AT_MOST).map(({ node }) => node),
      systems,
      ...(runbook_url && { runbook_url }),
    },
  };
}

function signature(secret: string | null, timestamp: string, body: string): Record<string, string> {
  if (secret === null) return {};
  return { "headwater-signature": `sha256=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")}` };
}

/** `http://name:word@host` as the address without them and the header that says them. */
function withoutCredentials(address: string): { url: string; headers: Record<string, string> } {
  const url = new URL(address);
  const { username, password } = url;
  url.username = "";
  url.password = "";
  const pair = Buffer.from(`${decoded(username)}:${decoded(password)}`).toString("base64");
  const authorization = username === "" && password === "" ? {} : { authorization: `Basic ${pair}` };
  return { url: url.href, headers: { "content-type": "application/json", ...authorization } };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
