import type { Report, Warning } from "../domain/observation.ts";
import { holdsSecrets } from "./redact.ts";

/** One poll as its advice needs it; `text` is the body before redaction, milliseconds all. */
export interface Probed {
  outcome: string;
  httpStatus: number | null;
  report: Report | null;
  format: string | null;
  text: string | null;
  latencyMs: number;
  timeout: number;
}

/** What the author of an endpoint would do better, as codes and sentences; empty when nothing is amiss. */
export function advise(probed: Probed): Warning[] {
  return ADVICE.flatMap(({ code, message, when }) => (when(probed) ? [{ code, message }] : []));
}

interface Advice {
  code: string;
  message: string;
  when(probed: Probed): boolean;
}

const components = ({ report }: Probed) => report?.components ?? [];

const ADVICE: readonly Advice[] = [
  {
    code: "status_code_disagrees",
    message: "the body tells of a failure, but the HTTP status is a success: load balancers and other clients see only the status",
    when: ({ report, httpStatus }) => report?.status === "unhealthy" && httpStatus !== null && httpStatus < 400,
  },
  {
    code: "status_code_disagrees",
    message: "the HTTP status is an error, but nothing in the body is failing: one of the two is wrong",
    when: (probed) =>
      probed.outcome === "report" &&
      probed.report?.status === "unhealthy" &&
      (probed.httpStatus ?? 0) >= 500 &&
      components(probed).length > 0 &&
      components(probed).every(({ status }) => status === "up"),
  },
  {
    code: "no_components",
    message: "no dependency is listed, so that a failure cannot be traced to its cause",
    when: (probed) => probed.outcome === "report" && !probed.report?.failuresOnly && components(probed).length === 0,
  },
  {
    code: "no_ages",
    message: "no component says when it was checked: old results cannot be told from fresh ones",
    when: (probed) =>
      components(probed).length > 0 &&
      components(probed).every(({ lastChecked, ageMs }) => lastChecked === undefined && ageMs === undefined),
  },
  {
    code: "no_criticality",
    message: "no component says how much the service needs it (hard, soft, informational)",
    when: (probed) => components(probed).length > 0 && components(probed).every(({ criticality }) => criticality === undefined),
  },
  {
    code: "secrets_in_text",
    message: "the answer holds credentials, tokens or query values, which anybody who can ask may read",
    when: ({ text }) => text !== null && holdsSecrets(text.slice(0, 65_536)),
  },
  {
    code: "slower_than_timeout",
    message: "the answer came too late: checks should run on their own clock, and the endpoint serve their last results",
    when: ({ outcome }) => outcome === "timeout",
  },
  {
    code: "slow",
    message:
      "the answer took more than half of the timeout: checks should run on their own clock, and the endpoint serve their last results",
    when: ({ outcome, latencyMs, timeout }) => outcome !== "timeout" && latencyMs > timeout / 2,
  },
];
