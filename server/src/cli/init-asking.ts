import { readTimeout } from "./args.ts";
import { dialectProblem, readHeaders } from "./endpoint-options.ts";
import type { Asking } from "./init-sources.ts";

/** The options of commands that ask deep endpoints. */
export const ASKING_OPTIONS = {
  header: { type: "string", multiple: true },
  timeout: { type: "string" },
  dialect: { type: "string" },
} as const;

export const ASKING_HELP = `  --header TEXT    "NAME: VALUE", sent with each question; may be repeated. The
                   map takes it from a variable
  --timeout TIME   for each question: a whole number and ms, s or m (default 2s)
  --dialect NAME   read all answers as this dialect
`;

/** How to ask, or what is wrong with it. */
export function readAsking(values: { header?: string[]; timeout?: string; dialect?: string }): Asking | string {
  const headers = readHeaders(values.header ?? []);
  if (typeof headers === "string") return headers;
  const timeout = readTimeout(values.timeout ?? "2s");
  if (typeof timeout === "string") return timeout;
  const dialect = values.dialect ?? "auto";
  return dialectProblem(dialect) ?? { headers, timeout, dialect };
}
