import type { Check } from "../check.ts";
import type { Dialect, Document, Reading } from "../dialect.ts";
import { isAbout, isDependency, roleOf } from "../fields.ts";
import { isObject, type Json } from "../json.ts";
import { rootWord, Tree } from "../tree.ts";
import { addVerdictLists } from "../verdict-lists.ts";
import { fold, isReasonPhrase, readSentence } from "../vocabulary.ts";
import { moreThanWord, wordOf, worseWord } from "../word.ts";

/** What may hold the whole answer, in the order in which they are looked into. */
const ENVELOPES =
  "data result payload response body health report status content service app application server summary error message detail attributes".split(
    " ",
  );

/** One in another is the most: JSON:API's `data.attributes`, GraphQL's `data.health`. */
const ENVELOPES_DEEP = 2;

/** Words that often are plain data beside a status. */
const NO_VERDICT = new Set("live none null na minor major 1 true false partial limited slow good bad".split(" "));
/** JSON written by hand, the largest family of all. */
export const generic: Dialect = {
  name: "generic",
  title: "Hand-written JSON",
  recognised:
    "an object with a status word (`status`, `state`, `health`, `healthy`, `ok`, `outcome`, `condition` …) or checks in the usual containers (`checks`, `components`, `services`, `dependencies`, `details`, `results`, `entries` …), one envelope (`data`, `result` …) or two allowed; or flat words such as `database: connected`; or lists named by a verdict such as `failing: [search]`",
  mapped:
    "composites to leaves `parent/child`; bare latencies in milliseconds, fractions below 1 left out; criticality from `criticality`, `critical`, `required`, `optional`; a number is never a status",
  kinds: ["object"],
  loose: true,
  matches: ({ value }) => isObject(value),
  normalise: (doc) => (isObject(doc.value) ? read(doc, doc.value, ENVELOPES_DEEP) : null),
};

function read(doc: Document, value: Json, envelopes: number): Reading | null {
  const check = new Tree(doc).root(value);
  addFlat(doc, value, check);
  addVerdictLists(doc, value);
  let reading: Reading = rootWord(check);
  if (envelopes > 0 && doc.components.items.length === 0) reading = withEnvelope(doc, value, reading, envelopes - 1);
  if (reading.word === null && reading.rawWord === undefined) reading = { ...reading, word: fromMessage(value) };
  if (reading.word === null && reading.rawWord === undefined && doc.components.items.length === 0) return null;
  return reading;
}

/** `{ "message": "pong" }`: a message counts where it is a word and nothing else says anything. */
function fromMessage(value: Json): Reading["word"] {
  const message = value.message ?? value.msg;
  return typeof message === "string" && !isReasonPhrase(message) ? readSentence(message) : null;
}

/** The reading of what stands in an envelope, joined to the outer word. */
function withEnvelope(doc: Document, value: Json, outer: Reading, left: number): Reading {
  for (const key of ENVELOPES) {
    const content = Object.hasOwn(value, key) ? value[key] : undefined;
    if (key === "status" && wordOf(content ?? "") !== null) continue;
    const inner = isObject(content) ? read(doc, content, left) : null;
    if (!inner) continue;
    if (inner.word && outer.word) return { word: worseWord(inner.word, outer.word) };
    return inner.word || inner.rawWord !== undefined ? inner : { ...inner, ...outer };
  }
  return outer;
}

/** Checks that stand beside the status as plain words: `database: connected`. Nulls count where such words are all there is. */
function addFlat(doc: Document, value: Json, check: Check): void {
  const nulls: string[] = [];
  let words = 0;
  for (const key of value === doc.value ? doc.keys : Object.keys(value)) {
    const member = value[key];
    if (member === null) nulls.push(key);
    const word = typeof member === "string" ? wordOf(member) : null;
    if (word === null && typeof member !== "boolean") continue;
    const role = roleOf(key);
    const dependency = isDependency(key);
    if ((role !== undefined && role !== "length" && role !== "strong" && !dependency) || isAbout(key)) continue;
    if (typeof member === "boolean" && dependency) doc.components.add({ name: key, status: member ? "up" : "down" });
    if (typeof member !== "string" || word === null || (NO_VERDICT.has(fold(member)) && !dependency)) continue;
    words += 1;
    doc.components.add({ name: key, status: word.status, error: moreThanWord(member) });
  }
  if (words === 0 || check.word !== null || check.raw !== null) return;
  for (const key of nulls) if (roleOf(key) === undefined && !isAbout(key)) doc.components.add({ name: key, status: "unknown" });
}
