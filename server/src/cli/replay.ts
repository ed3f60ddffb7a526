import { judgeAt, type Moment, replayIncidents, statesOf, unknownNodes } from "../analysis/replay.ts";
import { humanDuration } from "../domain/duration.ts";
import { type Cause, type Incident, type IncidentEvent, type Way, wayToCause } from "../domain/incident.ts";
import { printable } from "../domain/printable.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";
import { type Recording, readRecording, SHIFT } from "./recording.ts";

const HELP = `headwater replay FILE [--at T]… [--json]

Runs a recording through damping and analysis and prints what it makes of it.

  --at T   judge after all polls up to and including T seconds; may be repeated
  --json   a JSON line for each T (without --at: for each moment at which polls came)

Without --at it prints the timeline of incidents. Exit code 0, 1 for a recording that cannot be read, 2 for a wrong call.
`;

/** `replay FILE [--at T]… [--json]`: 0, 1 for an unreadable recording, 2 for a wrong call. */
export async function replay(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("replay", call, HELP, io);
  const recording = await readRecording(io.cwd, call.file);
  if (typeof recording === "string") {
    io.stderr(`headwater replay: ${printable(recording)}\n`);
    return 1;
  }
  const { map, polls, zero } = recording;
  if (call.times.length === 0 && !call.json) {
    io.stdout(timeline(recording));
    return 0;
  }
  const times = call.times.length > 0 ? call.times.map((t) => Math.round(t * 1000) + zero) : [...statesOf(map, polls)].map(({ at }) => at);
  for (const moment of judgeAt(map, polls, times))
    io.stdout(call.json ? `${JSON.stringify(lineOf(moment, zero))}\n` : momentText(moment, zero));
  return 0;
}

interface Call {
  file: string;
  times: number[];
  json: boolean;
}

function readCall(args: string[]): Call | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        at: { type: "string", multiple: true },
        json: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    const times = (values.at ?? []).map(Number);
    const wrong = (values.at ?? []).find((_, n) => !Number.isFinite(times[n]) || (times[n] ?? -1) < 0);
    if (wrong !== undefined) return `--at takes seconds since the recording's beginning, not "${wrong}"`;
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) return "needs one recording";
    return { file, times, json: values.json ?? false };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

const seconds = (ms: number): number => ms / 1_000;

/** One verdict as the recording's judges read it; `zero` is the recording's second zero, epoch milliseconds. */
export function lineOf({ at, evidence, verdict, rollup }: Moment, zero: number): Record<string, unknown> {
  const holding = (wanted: string): string[] => [...verdict.roles].filter(([, { role }]) => role === wanted).map(([id]) => id);
  return {
    t: seconds(at - zero),
    status: rollup.status,
    blind: verdict.blind,
    causes: verdict.causes.map((cause) => causeLine(cause, zero === SHIFT ? SHIFT : 0)),
    impacted: holding("impacted"),
    at_risk: holding("at_risk"),
    unknown: unknownNodes(evidence),
    undetermined: verdict.unexplained.map(({ node }) => node),
  };
}

/** `moved`: by how much times are to be moved back. */
function causeLine(cause: Cause, moved: number): Record<string, unknown> {
  const { node, kind, link, instance, zone, confidence, level, firstSeen, severity, why, against, runnerUp, decidedBy } = cause;
  return {
    node,
    kind,
    ...(link ? { link } : {}),
    ...(instance ? { instance } : {}),
    ...(zone ? { zone } : {}),
    confidence,
    level,
    first_seen: new Date(firstSeen - moved).toISOString(),
    severity,
    why,
    against,
    ...(runnerUp ? { runner_up: runnerUp } : {}),
    ...(decidedBy ? { decided_by: decidedBy } : {}),
  };
}

function wayText(id: string, { ids, cut }: Way): string {
  if (cut === 0) return ids.join(" → ") || id;
  return [...ids.slice(0, -1), `${cut} more`, ids.at(-1)].join(" → ");
}

function momentText(moment: Moment, zero: number): string {
  const { verdict, rollup, evidence } = moment;
  const lines = [`t=${seconds(moment.at - zero)} s: ${rollup.status}${verdict.blind ? ", blind" : ""}`];
  for (const cause of verdict.causes) {
    lines.push(`  cause ${nameOf(cause)}: ${cause.level} (${cause.confidence.toFixed(2)}), ${cause.severity}`);
    lines.push(...cause.why.map((why) => `    for: ${why}`), ...cause.against.map((why) => `    against: ${why}`));
    if (cause.runnerUp) lines.push(`    runner-up: ${cause.runnerUp.node}, ${cause.runnerUp.why}`);
    if (cause.decidedBy) lines.push(`    would decide: ${cause.decidedBy}`);
  }
  for (const [id, { role }] of verdict.roles) if (role === "impacted") lines.push(`  impacted ${wayText(id, wayToCause(verdict, id))}`);
  const risk = [...verdict.roles].filter(([, { role }]) => role === "at_risk").map(([id]) => id);
  if (risk.length > 0) lines.push(`  at risk ${risk.join(", ")}`);
  for (const { node, candidates } of verdict.unexplained)
    lines.push(`  undetermined ${node}: perhaps ${candidates.map((one) => one.node).join(" or ")}`);
  const unknown = unknownNodes(evidence);
  if (unknown.length > 0) lines.push(`  unknown ${unknown.join(", ")}`);
  return `${lines.map(printable).join("\n")}\n`;
}

function nameOf({ node, link, instance, zone }: Cause): string {
  if (link) return `${link.from} → ${link.to}`;
  if (instance) return `${node} (instance ${instance})`;
  return zone ? `zone ${zone}` : node;
}

function timeline({ map, polls, from, zero }: Recording): string {
  const { events, incidents } = replayIncidents(map, polls);
  const last = polls.at(-1)?.at ?? zero;
  const began = from === null ? "" : `, from ${new Date(from).toISOString()}`;
  const head = `${map.nodes.size} nodes, ${polls.length} polls over ${humanDuration(last - (polls[0]?.at ?? zero))}${began}`;
  if (incidents.length === 0) return `${head}; no incident\n`;
  const width = String(seconds(last - zero)).length + 3;
  const lines = events.map((event) => eventText(event, zero, width));
  return `${[head, "", ...lines, "", ...incidents.flatMap(incidentLines)].map(printable).join("\n")}\n`;
}

function eventText({ at, incident, kind, text }: IncidentEvent, zero: number, width: number): string {
  return `${`+${(at - zero) / 1000} s`.padStart(width)}  #${incident} ${kind}: ${text}`;
}

function incidentLines(incident: Incident): string[] {
  const { id, kind, severity, status, cause, anchor, openedAt, resolvedAt, impacted, end } = incident;
  const lasted = resolvedAt === null ? status : `${end} after ${humanDuration(resolvedAt - openedAt)}`;
  const what = cause ? `${nameOf(cause)} (${cause.level}, ${cause.confidence.toFixed(2)})` : anchor;
  return [
    `#${id} ${kind} ${severity} ${what}: ${lasted}; ${impacted.length} impacted`,
    ...(cause?.why.map((why) => `   ${why}`) ?? []),
    ...(cause?.against.map((why) => `   but ${why}`) ?? []),
  ];
}
