import type { Component, Report, Warning } from "../domain/observation.ts";
import { someOf } from "../domain/phrases.ts";
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
  return ADVICE.flatMap(({ code, about }) => {
    const message = about(probed);
    return message === null ? [] : [{ code, message }];
  });
}

interface Advice {
  code: string;
  /** The sentence, or null when it does not apply. */
  about(probed: Probed): string | null;
}

const OWN_CLOCK = "checks should run on their own clock, and the endpoint serve their last results";
/** Characters of the body that are searched for secrets. */
const MAX_TEXT = 65_536;

const componentsOf = ({ report }: Probed): readonly Component[] => report?.components ?? [];

const ADVICE: readonly Advice[] = [
  { code: "status_code_disagrees", about: disagreement },
  {
    code: "word_disagrees",
    about: ({ report }) =>
      report?.word === "healthy" && report.status !== "healthy"
        ? "the answer calls itself healthy while a component that counts is failing: who reads the first word alone is misled"
        : null,
  },
  {
    code: "no_components",
    about: (probed) =>
      probed.outcome === "report" && !probed.report?.failuresOnly && !probed.report?.phase && componentsOf(probed).length === 0
        ? "no dependency is listed, so that a failure cannot be traced to its cause"
        : null,
  },
  {
    code: "no_ages",
    about: (probed) =>
      lacking(probed, ({ lastChecked, ageMs }) => lastChecked === undefined && ageMs === undefined, [
        "no component says when it was checked: old results cannot be told from fresh ones",
        "some components do not say when they were checked",
      ]),
  },
  {
    code: "no_criticality",
    about: (probed) =>
      lacking(probed, ({ criticality }) => criticality === undefined, [
        "no component says how much the service needs it (hard, soft, informational)",
        "some components do not say how much the service needs them",
      ]),
  },
  { code: "secrets_in_text", about: secrets },
  {
    code: "slower_than_timeout",
    about: ({ outcome, timeout }) => (outcome === "timeout" ? `no answer came within ${timeout} ms: ${OWN_CLOCK}` : null),
  },
  {
    code: "slow",
    about: ({ outcome, latencyMs, timeout }) =>
      outcome !== "timeout" && latencyMs > timeout / 2
        ? `the answer took ${Math.round(latencyMs)} of the ${timeout} ms it may take: ${OWN_CLOCK}`
        : null,
  },
];

function disagreement(probed: Probed): string | null {
  const { outcome, report, httpStatus } = probed;
  if (report?.status !== "unhealthy" || httpStatus === null) return null;
  if (httpStatus < 400)
    return `the body tells of a failure, but HTTP ${httpStatus} is a success: load balancers and other clients see only the status`;
  const components = componentsOf(probed);
  const isFine = outcome === "report" && httpStatus >= 500 && components.length > 0 && components.every(({ status }) => status === "up");
  return isFine ? `HTTP ${httpStatus} is an error, but nothing in the body is failing: one of the two is wrong` : null;
}

/** The first sentence when all components lack something, the second with their names when some do. */
function lacking(probed: Probed, lacks: (component: Component) => boolean, [none, some]: readonly [string, string]): string | null {
  const components = componentsOf(probed);
  const without = components.filter(lacks).map(({ name }) => name);
  if (without.length === 0) return null;
  return without.length === components.length ? none : `${some}: ${listed(without)}`;
}

function secrets(probed: Probed): string | null {
  const { text, format } = probed;
  // In an answer that is none, such as a page, addresses with query values are no news.
  if (text === null || format === null || !holdsSecrets(text.slice(0, MAX_TEXT))) return null;
  const found = componentsOf(probed).filter(({ name, error }) => `${name} ${error ?? ""}`.includes("***"));
  const where = found.length > 0 ? ` (${listed(found.map(({ name }) => name))})` : "";
  return `the answer holds credentials, tokens or query values${where}, which anybody who can ask may read`;
}

function listed(names: readonly string[]): string {
  return someOf(names, 3);
}
