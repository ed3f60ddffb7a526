import { textOf } from "../json.ts";
import { everyMember, structured } from "../structured.ts";

/** Elasticsearch's health report: a symptom is told also when all is well. */
export const elasticsearchReport = structured({
  name: "elasticsearch-health-report",
  title: "Elasticsearch `_health_report`",
  recognised: "the members of `indicators` have `status` and `symptom`",
  mapped: "green up, yellow degraded, red down; the error is the symptom of what is not green",
  matches: (value) => everyMember(value.indicators, (indicator) => typeof indicator.status === "string" && "symptom" in indicator),
  habits: { error: (entry) => textOf(entry.symptom) },
});
