import type { Dialect } from "../dialect.ts";
import { linesOf } from "../lines.ts";
import { isReasonPhrase, readSentence, type Word } from "../vocabulary.ts";
import { moreThanWord, wordOf, worseWord } from "../word.ts";

const BRACKET = /^\[\s?([A-Za-z ]{2,20}?)\s?\]\s*(\S.{0,200})$/;
const LINE = /^[-*•]?\s*([^:=]{1,100}?)\s*[:=]\s*(\S.{0,500})$/;
const SERVICE = /^(?:status|health|state|overall|overall status|health status|service status)$/i;

/** A word or short sentence: ASP.NET's default, lightship, Akka, Hasura, load-balancer pages. */
export const plainText: Dialect = {
  name: "plain-text",
  title: "One word or short sentence",
  recognised: "text that is one status word, filler around it allowed, or a status word before a colon; a bare HTTP reason phrase is none",
  mapped: "the word, never found inside another; a text that nobody knows gives no report",
  kinds: ["text"],
  loose: true,
  matches: (doc) => wordIn(doc.text, doc.httpStatus) !== null,
  normalise(doc) {
    const word = wordIn(doc.text, doc.httpStatus);
    return word && { word };
  },
};

function wordIn(text: string, httpStatus: number): Word | null {
  if (text.length > 400 || text.includes("\n") || (httpStatus >= 400 && isReasonPhrase(text))) return null;
  return wordOf(text);
}

/** A JSON text or boolean that is the whole answer. */
export const jsonScalar: Dialect = {
  name: "json-scalar",
  title: "One JSON text or boolean",
  recognised: "JSON that is a status word, true or false; null and numbers are none",
  mapped: "the word",
  kinds: ["scalar"],
  loose: true,
  matches: ({ value }) => typeof value === "boolean" || (typeof value === "string" && wordOf(value) !== null),
  normalise({ value }) {
    const word = value === null ? null : wordOf(value);
    return word && { word };
  },
};

interface Line {
  /** Null for a line that is the service's own word. */
  name: string | null;
  text: string;
  word: Word | null;
}

/** `name: verdict`, `name=verdict`, `[verdict] name`, or a verdict alone; null for any other line. */
function readLine(line: string): Line | null {
  const bracket = BRACKET.exec(line);
  const marked = bracket ? wordOf(bracket[1]) : null;
  if (bracket?.[2] && marked) return { name: bracket[2], text: "", word: marked };
  const alone = isReasonPhrase(line) ? null : readSentence(line);
  if (alone) return { name: null, text: line, word: alone };
  const [, name, text] = LINE.exec(line) ?? [];
  if (name === undefined || text === undefined) return null;
  return { name: SERVICE.test(name) ? null : name, text, word: wordOf(text) };
}

/** Lines of name and verdict. */
export const textLines: Dialect = {
  name: "text-lines",
  title: "Lines of name and verdict",
  recognised: "text whose lines are all `name: word`, `name=word`, `[word] name` or a word alone, with the word known in at least one",
  mapped: "each line is a component; a word alone, and `status`, `health` or `state`, are the service's own",
  kinds: ["text"],
  loose: true,
  matches: (doc) => {
    const lines = linesOf(doc);
    if (lines.length > 200) return false;
    const read = lines.map(readLine);
    return read.every((line) => line !== null) && read.some((line) => line !== null && line.word !== null);
  },
  normalise(doc) {
    let word: Word | null = null;
    for (const line of linesOf(doc)) {
      const read = readLine(line);
      if (read === null) continue;
      const { name, text, word: found } = read;
      if (name === null) word = worseWord(word ?? { status: "up" }, found ?? { status: "unknown" });
      else if (found) doc.components.add({ name, status: found.status, error: moreThanWord(text) });
    }
    return { word };
  },
};
