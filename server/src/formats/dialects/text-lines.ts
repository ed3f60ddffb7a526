import type { Dialect } from "../dialect.ts";
import { linesOf } from "../lines.ts";
import { isReasonPhrase, readSentence, type Word } from "../vocabulary.ts";
import { moreThanWord, wordOf, worseWord } from "../word.ts";

const BRACKET = /^\[\s?([A-Za-z ]{2,20}?)\s?\]\s*(\S.{0,200})$/;
const LINE = /^[-*•]?\s*([^:={}"<>]{1,100}?)\s*[:=]\s*(\S.{0,500})$/;
const SERVICE = /^(?:status|health|state|overall|overall status|health status|service status)$/i;

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
