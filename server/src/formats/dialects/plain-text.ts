import type { Dialect } from "../dialect.ts";
import { isReasonPhrase, type Word } from "../vocabulary.ts";
import { wordOf } from "../word.ts";

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
