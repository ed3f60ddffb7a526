import { parseDuration } from "../domain/duration.ts";
import { dialectNames } from "../formats/index.ts";
import type { Asking } from "./init-sources.ts";

/** The options of commands that ask deep endpoints. */
export const ASKING_OPTIONS = {
  header: { type: "string", multiple: true },
  timeout: { type: "string" },
  dialect: { type: "string" },
} as const;

export const ASKING_HELP = `  --header TEXT    "NAME: VALUE", sent with each question; may be repeated. The map takes it from a variable
  --timeout TIME   for each question: a whole number and ms, s or m (default 2s)
  --dialect NAME   read all answers as this dialect
`;

/** How to ask, or what is wrong with it. */
export function readAsking(values: { header?: string[]; timeout?: string; dialect?: string }): Asking | string {
  const headers: Record<string, string> = {};
  for (const line of values.header ?? []) {
    const [, name, value] = /^([!#$%&'*+.^_`|~\w-]+):\s*([\t\x20-\x7e\x80-\xff]*)$/.exec(line) ?? [];
    if (name === undefined || value === undefined) return "a header is written NAME: VALUE";
    headers[name.toLowerCase()] = value;
  }
  const timeout = parseDuration(values.timeout ?? "2s");
  if (timeout === null || timeout > 60_000) return "--timeout is a length of time such as 500ms or 2s, of at most a minute";
  const dialect = values.dialect ?? "auto";
  if (dialect !== "auto" && !dialectNames().includes(dialect))
    return `there is no such dialect; there are auto, ${dialectNames().join(", ")}`;
  return { headers, timeout, dialect };
}
