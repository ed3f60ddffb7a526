import type { ComponentStatus, Criticality, Outcome, Phase, Status } from "./status.ts";

/** A short word for what went wrong, beside the redacted text. */
export const ERROR_CATEGORIES = ["timeout", "refused", "dns", "tls", "auth", "pool_exhausted", "http_5xx", "error"] as const;
export type ErrorCategory = (typeof ERROR_CATEGORIES)[number];

/** Categories as they are said in a sentence. */
export const CATEGORY_WORDS: Readonly<Record<ErrorCategory, string>> = {
  timeout: "timeout",
  refused: "connection refused",
  dns: "name not resolved",
  tls: "TLS failed",
  auth: "authentication failed",
  pool_exhausted: "pool exhausted",
  http_5xx: "HTTP 5xx",
  error: "error",
};

/** One direct dependency as a report describes it, in normal form. Free text is already redacted. */
export interface Component {
  name: string;
  status: ComponentStatus;
  /** Only where the report states it. */
  criticality?: Criticality;
  latencyMs?: number;
  /** Epoch milliseconds, as stated; absent when the text was unreadable or in the future. */
  lastChecked?: number;
  /** As stated by the report, at the time of the answer. */
  ageMs?: number;
  error?: string;
  category?: ErrorCategory;
  /** The report's own word, kept for display where it is none that we know. */
  raw?: string;
}

/** What an instance says in one poll, in normal form. */
export interface Report {
  /** What the dialect's rules give (`formats/`), before the map's labels are applied. */
  status: Status;
  /**
   * What the answer says as a whole, body word and HTTP class, before any component is counted; null where it says
   * nothing. Absent: `status` is taken for it. Lets a map's criticality replace a stated one before components count.
   */
  word?: Status | null;
  components: readonly Component[];
  phase?: Phase;
  /** True for a bare 5xx, which may be the gateway's word and not the service's. */
  maybeGateway?: boolean;
  /** Only failing checks are listed by this dialect: a name that vanishes is up again. */
  failuresOnly?: boolean;
}

export interface Warning {
  code: string;
  message: string;
}

/** One finished poll of one instance. A failed poll is an observation like any other. */
export interface Observation {
  service: string;
  instance: string;
  /** Epoch milliseconds at which the poll was asked: a result belongs to that time. */
  at: number;
  /** How long it took, to the last byte or to the failure. */
  latencyMs: number;
  outcome: Outcome;
  httpStatus: number | null;
  report: Report | null;
  /** Name of the dialect that read the answer; null when none did. */
  format: string | null;
  /** Short redacted reason of a poll without a report, such as `connection refused`. */
  error: string | null;
  /** Epoch milliseconds of the answer's `Date` header, where there was a readable one. */
  date: number | null;
  /** Milliseconds, from the HTTP `Age` header. */
  httpAge: number | null;
  warnings: readonly Warning[];
  /** The answer's text, redacted and cut for display; null when there was none, and in the stages, which never look at it. */
  body: string | null;
}
