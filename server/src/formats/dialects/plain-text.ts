import { moreThanWord, wordOf } from "../check.ts";
import type { Dialect } from "../dialect.ts";
import { linesOf } from "../lines.ts";
import { isReasonPhrase, type Word, worse } from "../vocabulary.ts";

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

/** Lines of `name: verdict`. */
export const textLines: Dialect = {
  name: "text-lines",
  title: "Lines of name and verdict",
  recognised: "text whose lines are all `name: word` or `name=word`, with the word known in at least one",
  mapped: "each line is a component; `status`, `health` or `state` is the service's own word",
  kinds: ["text"],
  loose: true,
  matches: (doc) => {
    const lines = linesOf(doc);
    return (
      lines.length <= 200 && lines.every((line) => LINE.test(line)) && lines.some((line) => wordOf(LINE.exec(line)?.[2] ?? "") !== null)
    );
  },
  normalise(doc) {
    let word: Word | null = null;
    for (const line of linesOf(doc)) {
      const [, name, text] = LINE.exec(line) ?? [];
      if (name === undefined || text === undefined) continue;
      const found = wordOf(text);
      if (SERVICE.test(name))
        word = found && word ? { status: worse(word.status, found.status) } : (found ?? word ?? { status: "unknown" });
      else if (found) doc.components.add({ name, status: found.status, error: moreThanWord(text) });
    }
    return { word };
  },
};
