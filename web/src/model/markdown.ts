import type { IncidentDetail } from "headwater/contract";
import { eventLine } from "./eventWords.ts";
import { impactSentence, type Names, nodeToLook, onsetOrder, wayText, whatFailed } from "./headline.ts";
import { heardOf } from "./note.ts";
import { duration, offset } from "./time.ts";
import { foldBursts, inNames, isBurst } from "./timeline.ts";
import type { Board, Incident } from "./types.ts";

/** Text of services and people as plain Markdown: no markup of its own, no line breaks, no direction overrides. */
function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .replace(/([\\`*_{}[\]<>#|~])/g, "\\$1")
    .trim();
}

/** Who has it, until when, and what they do about it. */
function holder({ acked, status }: Incident): string {
  if (!acked) return status === "resolved" ? "nobody took it" : "nobody yet";
  return `${plain(acked.by)}${acked.until ? ` until ${utc(acked.until)} UTC` : ""}${acked.note ? `: ${plain(acked.note)}` : ""}`;
}

const utc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)}`;

/**
 * An incident as Markdown for chat or a post-mortem; all times are UTC. `detail` adds paths and the timeline, `board` whose
 * the cause is, what is heard of it, and how systems are called.
 * `now` is epoch milliseconds, `link` the address of the incident's page.
 */
export function incidentMarkdown(
  incident: Incident,
  options: {
    names: Names;
    now: number;
    link: string;
    detail?: IncidentDetail | undefined;
    board?: Pick<Board, "nodes" | "systems"> | undefined;
  },
): string {
  const { names, now, link, detail, board } = options;
  const nodes = board?.nodes ?? [];
  const node = nodeToLook(incident, nodes);
  const name = (id: string): string => plain(names(id));
  const named = inNames(names);
  const said = (text: string): string => plain(named(text));
  const { acked } = incident;
  const end = incident.resolved_at === null ? now : Date.parse(incident.resolved_at);
  const title = incident.cause
    ? plain(whatFailed(incident, names))
    : incident.kind === "undetermined"
      ? "no cause identified"
      : name(incident.anchor);
  const lines = [
    `## Incident ${incident.id}: ${title}`,
    "",
    `- status: ${incident.status}, ${incident.severity}, ${duration(end - Date.parse(incident.opened_at))}`,
    `- since: ${utc(incident.opened_at)} UTC${incident.resolved_at ? `, until ${utc(incident.resolved_at)} UTC` : ""}`,
    `- who: ${holder(incident)}`,
    ...(node?.team ? [`- owner: ${plain(node.team)}`] : []),
    `- link: <${link}>`,
  ];
  if (incident.cause) {
    const { cause } = incident;
    lines.push("", "### Cause", "", `**${name(cause.node)}**, ${cause.level} (${cause.confidence.toFixed(2)})`, "");
    for (const why of cause.why) lines.push(`- ${said(why)}`);
    const stood = incident.status === "open" ? node : cause.stood;
    if (stood?.reason) {
      const { label, own, said } = heardOf(stood, names);
      lines.push(`- ${label}: ${plain(own)}${said === null ? "" : `${own && " "}“${plain(said)}”`}`);
    }
    for (const against of cause.against) lines.push(`- against: ${said(against)}`);
    if (cause.runner_up)
      lines.push(`- runner-up: ${name(cause.runner_up.node)} (${cause.runner_up.confidence.toFixed(2)}), ${said(cause.runner_up.why)}`);
  } else if (incident.candidates.length > 0) {
    lines.push("", "### Candidates", "");
    for (const one of incident.candidates) lines.push(`- ${name(one.node)} (${one.confidence.toFixed(2)}): ${said(one.why)}`);
  }
  if (incident.impacted.length > 0) {
    lines.push("", "### Impact", "", impactSentence(incident, nodes), "", "| service | after | path |", "| --- | --- | --- |");
    for (const one of onsetOrder(incident)) {
      const path = detail?.paths[one.node] ?? [];
      lines.push(`| ${name(one.node)} | ${offset(one.after)} | ${wayText(path.map(name), detail?.paths_cut?.[one.node])} |`);
    }
  }
  const systems = incident.systems.filter((one) => one.effect !== "healthy");
  if (systems.length > 0) {
    const called = (id: string): string => plain(board?.systems.find((one) => one.id === id)?.name ?? id);
    lines.push("", `Systems: ${systems.map((one) => `${called(one.id)} ${one.effect}`).join(", ")}`);
  }
  if (detail && detail.events.length > 0) {
    lines.push("", "### Timeline (UTC)", "", "| time | what |", "| --- | --- |");
    for (const line of foldBursts(detail.events).reverse()) {
      // Who they are, and when, stands in the table of the impact.
      if (isBurst(line)) lines.push(`| ${utc(line.from)} | ${line.events.length} nodes became impacted, the last at ${utc(line.to)} |`);
      else
        lines.push(
          `| ${utc(line.at)} | ${plain(eventLine(line, names, line.at === acked?.at && acked.until ? `${utc(acked.until)} UTC` : ""))} |`,
        );
    }
  }
  return `${lines.join("\n")}\n`;
}
