import { humanDuration } from "../domain/duration.ts";
import type { ServiceNode } from "../domain/map.ts";
import { CATEGORY_WORDS, type Observation } from "../domain/observation.ts";
import type { Reading } from "./report.ts";

/** Why a poll brought no report, as a short sentence: `timeout at 2 s`, `401: the probe is not allowed in`. */
export function silence(service: ServiceNode, observation: Observation): string {
  const { outcome, httpStatus, error } = observation;
  const limit = humanDuration(service.timeout);
  switch (outcome) {
    case "connect_timeout":
      return `no connection within ${limit}`;
    case "timeout":
      return `${CATEGORY_WORDS.timeout} at ${limit}`;
    case "refused":
    case "dns":
      return CATEGORY_WORDS[outcome];
    case "tls":
      return `${CATEGORY_WORDS.tls}${error && !/^tls$/i.test(error) ? `: ${error}` : ""}`;
    case "reset":
      return "connection reset";
    case "redirect":
      return `${httpStatus ?? "3xx"}: redirected, not followed`;
    case "too_large":
      return `answer larger than ${Math.round(service.maxBody / 1_024)} KiB`;
    case "http_error":
      return refusal(httpStatus);
    case "not_a_report":
      return error ?? "the answer is not a report";
    case "report":
    case "aborted":
      return error ?? "no report";
  }
}

function refusal(httpStatus: number | null): string {
  switch (httpStatus) {
    case null:
      return "HTTP error without a report";
    case 401:
    case 403:
      return `${httpStatus}: the probe is not allowed in`;
    case 404:
    case 410:
      return `${httpStatus}: nothing at this address`;
    case 406:
      return "406: no form of answer that we read";
    case 429:
      return "429: the probe is asked to slow down";
    default:
      return `${httpStatus} without a report`;
  }
}

/** Why a report is not healthy, the component to blame first; null when it is. `gateway`: the status of a bare 5xx. */
export function trouble({ status, effect, checksStopped }: Reading, gateway: number | null): string | null {
  if (checksStopped) return "checks stopped";
  if (status === "healthy") return null;
  const blamed = effect ? `${effect.name}: ${effect.error ?? (effect.down ? "down" : "degraded")}` : null;
  if (blamed && effect?.status === status) return blamed;
  if (gateway !== null) return `${gateway}, possibly the gateway's word`;
  if (status === "unknown") return "a status that we do not know";
  return `calls itself ${status}${blamed ? `; ${blamed}` : ""}`;
}
