import type { Names } from "./headline.ts";
import { type Event, inNames } from "./timeline.ts";

/** What the server's words are about, where they name no more than nodes. */
const LEADS: Readonly<Record<string, string>> = { opened: "opened: ", cause: "cause: ", severity: "severity: " };

/** Severities as a person says them, and how the server tells of a change. */
const SEVERITIES: Readonly<Record<string, string>> = { page: "a page", ticket: "a ticket", info: "no alert" };
const TURN = /^(\w+) → (\w+)$/;

/** What an event of the server's own says, parted into what it is about and the words. */
export function eventWords({ kind, node, text }: Event, names: Names): { lead: string; words: string } {
  const name = node === null ? "" : names(node);
  if (kind === "impact" && node !== null) return { lead: "", words: `${name} became impacted` };
  return {
    lead: LEADS[kind] ?? "",
    words: inNames(names)(text.replace(TURN, (_, from, to) => `from ${SEVERITIES[from]} to ${SEVERITIES[to]}`)) || name,
  };
}

/** What somebody wrote of their own; who acknowledges without a word has that said by the server. */
export function noteWords({ kind, text }: Event): string {
  return kind === "ack" && text === "acknowledged" ? "" : text;
}

/** An event in one line, whoever it is of; `until` tells when an acknowledgement ends, where that is known. */
export function eventLine(event: Event, names: Names, until = ""): string {
  const { kind, node, text, by } = event;
  const whose = by === null ? "" : ` by ${by}`;
  if (kind === "change") return `change${node === null ? "" : ` on ${names(node)}`}: ${text}${whose}`;
  if (kind === "maintenance") return `${node === null ? "" : `${names(node)}: `}${text}${whose}`;
  if (kind === "ack" && by !== null) {
    const note = noteWords(event);
    return `acknowledged${whose}${until && ` until ${until}`}${note && `: ${note}`}`;
  }
  if (by !== null) return `${by}: ${text}`;
  const { lead, words } = eventWords(event, names);
  return lead + words;
}
