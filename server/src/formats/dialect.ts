import type { Report, Warning } from "../domain/observation.ts";
import type { ComponentList } from "./components.ts";
import type { Word } from "./vocabulary.ts";

/** One HTTP answer after decoding (`poller/body`). */
export interface Answer {
  httpStatus: number;
  contentType: string | null;
  text: string;
  /** Epoch milliseconds. */
  receivedAt: number;
  /** Epoch milliseconds of the answer's `Date` header: the service's own clock, against which its times are judged. */
  date?: number | null;
  truncated?: boolean;
  /** Where a redirect leads, as its header says. */
  location?: string | null | undefined;
}

/** One answer after decoding, before any dialect: `value` is the JSON where there is some, else undefined. */
export interface Document {
  kind: "object" | "array" | "scalar" | "text" | "html" | "broken" | "oversized" | "empty";
  value: unknown;
  /** Keys and values of `value` where that is an object, else empty. Listed once for all dialects, since that is slow for large maps. */
  readonly keys: readonly string[];
  readonly values: readonly unknown[];
  /** Trimmed, without BOM. */
  text: string;
  httpStatus: number;
  contentType: string | null;
  /** Epoch milliseconds against which stated times are judged: when the answer came, or the service's own clock where it is ahead. */
  now: number;
  components: ComponentList;
  readonly warnings: readonly Warning[];
  /** The time of a check, as far as its age can be told from it; else null, with a warning where it is unreadable or ahead. */
  checkedAt(time: unknown, name: string): number | null;
  /** Codes are kebab-free snake case; each is kept once per code and message, a bounded number in all. */
  warn(code: string, message: string): void;
}

/** What a dialect read, before HTTP status and components have their say (`verdict.ts`). */
export interface Reading {
  /** The service's own word; null when the answer has none. */
  word: Word | null;
  /** The word as it stood, when it is none that we know. */
  rawWord?: string;
  /** Only failing checks are listed by this dialect. */
  failuresOnly?: boolean;
  /** What a 5xx says here: `degraded` where the dialect uses it for mere warnings, `unknown` for our own life-cycle words. */
  serverError?: "unhealthy" | "degraded" | "unknown";
  /** True where the dialect's 4xx are part of its language (429 for a warning). */
  clientErrorSpeaks?: boolean;
  /** Status when there is neither a word nor a component: what the HTTP status alone tells in this dialect. Default unknown. */
  silence?: Report["status"];
}

/** One shape of health answer. Pure; `matches` and `normalise` never throw and do bounded work. */
export interface Dialect {
  /** Kebab case; what `format:` in the map pins. */
  name: string;
  /** Who speaks it, how it is recognised and how it is mapped: sentences for `docs/dialects.md`. */
  title: string;
  recognised: string;
  mapped: string;
  kinds: readonly Document["kind"][];
  /** Hand-written and one-word shapes: with a 4xx they count only when they list components. */
  loose?: boolean;
  matches(doc: Document): boolean;
  /** Null when the answer turns out not to be of this dialect. */
  normalise(doc: Document): Reading | null;
}
