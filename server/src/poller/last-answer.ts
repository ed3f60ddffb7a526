import { redactBody } from "../formats/redact.ts";
import type { Read } from "./poll.ts";

/** Characters of an answer that are kept for display. */
const EXCERPT = 8_192;
/** Places are made in steps of this many bytes: answers differ a little from poll to poll. */
const STEP = 256;
const NOTHING = Buffer.alloc(0);

/** What people may read of an answer's text; null where there is none. */
export function excerptOf(text: string): string | null {
  return text === "" ? null : redactBody(text, EXCERPT);
}

/**
 * The last answer of one instance, for people to read. Its text lies in one place that each poll writes anew, as a text
 * that is kept from poll to poll is garbage of the dearest kind; it is redacted when it is looked at, as hardly any is.
 */
export class LastAnswer {
  httpStatus: number | null = null;
  /** Milliseconds. */
  latencyMs = 0;
  #bytes = NOTHING;
  #length = 0;

  /** Large texts are cut, and so redacted, at once. */
  keep({ observation, text: whole }: Read): void {
    this.httpStatus = observation.httpStatus;
    this.latencyMs = observation.latencyMs;
    const text = whole.length > EXCERPT ? (excerptOf(whole) ?? "") : whole;
    const needed = Buffer.byteLength(text);
    if (needed > this.#bytes.length || needed + 4 * STEP < this.#bytes.length)
      this.#bytes = Buffer.allocUnsafeSlow(Math.ceil(needed / STEP) * STEP);
    this.#length = this.#bytes.write(text);
  }

  get body(): string | null {
    return excerptOf(this.#bytes.toString("utf8", 0, this.#length));
  }
}
