/** A replacement in a text, by offsets; `start` may equal `end`. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

const CONTEXT = 3;

/** The text with all edits made; they must not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let result = "";
  let at = 0;
  for (const edit of sorted(edits)) {
    result += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return result + text.slice(at);
}

/** The edits as a unified diff of one file, and the first line that they change, from 1. */
export function unifiedDiff(path: string, text: string, edits: readonly TextEdit[]): { line: number; diff: string } {
  const lines = text.split(/(?<=\n)/);
  const changes = lineChanges(text, edits);
  const hunks: (typeof changes)[] = [];
  for (const change of changes) {
    const last = hunks.at(-1);
    const before = last?.at(-1);
    if (last && before && change.from - (before.from + before.removed) <= 2 * CONTEXT) last.push(change);
    else hunks.push([change]);
  }
  let shift = 0;
  const parts = hunks.map((hunk) => {
    const first = hunk[0] as LineChange;
    const last = hunk.at(-1) as LineChange;
    const start = Math.max(0, first.from - CONTEXT);
    const end = Math.min(lines.length, last.from + last.removed + CONTEXT);
    const body: string[] = [];
    let at = start;
    for (const { from, removed, added } of hunk) {
      body.push(...lines.slice(at, from).map((line) => shown(" ", line)));
      body.push(...lines.slice(from, from + removed).map((line) => shown("-", line)));
      body.push(...added.map((line) => shown("+", line)));
      at = from + removed;
    }
    body.push(...lines.slice(at, end).map((line) => shown(" ", line)));
    const grown = hunk.reduce((sum, { removed, added }) => sum + added.length - removed, 0);
    const header = `@@ -${span(start, end - start)} +${span(start + shift, end - start + grown)} @@\n`;
    shift += grown;
    return header + body.join("");
  });
  return { line: (changes[0]?.from ?? 0) + 1, diff: `--- a/${path}\n+++ b/${path}\n${parts.join("")}` };
}

interface LineChange {
  /** First line, from 0, and how many go. */
  from: number;
  removed: number;
  added: string[];
}

function lineChanges(text: string, edits: readonly TextEdit[]): LineChange[] {
  const changes: LineChange[] = [];
  for (const edit of sorted(edits)) {
    const start = text.lastIndexOf("\n", edit.start - 1) + 1;
    const next = text.indexOf("\n", Math.max(edit.start, edit.end - (text[edit.end - 1] === "\n" ? 1 : 0)));
    const end = next < 0 ? text.length : next + 1;
    const old = text.slice(start, end).split(/(?<=\n)/);
    const fresh = (text.slice(start, edit.start) + edit.text + text.slice(edit.end, end)).split(/(?<=\n)/).filter((line) => line !== "");
    let same = 0;
    while (same < old.length && same < fresh.length && old[same] === fresh[same]) same++;
    let tail = 0;
    while (tail < old.length - same && tail < fresh.length - same && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
    const from = text.slice(0, start).split("\n").length - 1 + same;
    changes.push({ from, removed: old.length - same - tail, added: fresh.slice(same, fresh.length - tail) });
  }
  return changes;
}

const sorted = (edits: readonly TextEdit[]): TextEdit[] => [...edits].sort((a, b) => a.start - b.start);
const span = (from: number, count: number): string => `${count === 0 ? from : from + 1},${count}`;
const shown = (sign: string, line: string): string =>
  line.endsWith("\n") ? sign + line : `${sign}${line}\n\\ No newline at end of file\n`;
