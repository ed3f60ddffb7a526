import { z } from "zod";
import { parseDuration } from "../domain/duration.ts";
import { CRITICALITIES } from "../domain/status.ts";
import type { CheckCode } from "./codes.ts";
import { parseSize } from "./size.ts";

/** The problem code that a wrong value of a schema gets; `wrong-type` where none is set. */
export const CODES = z.registry<{ code: CheckCode }>();
/** Schemas whose values may be secrets: no message quotes them. */
export const QUIET = new WeakSet<z.ZodType>();

function leaf<T extends z.ZodType>(code: CheckCode, schema: T): T {
  CODES.add(schema, { code });
  return schema;
}

function quiet<T extends z.ZodType>(schema: T): T {
  QUIET.add(schema);
  return schema;
}

/** A fresh copy for one key, with what editors, the reference page and `check` say about it. */
export function key<T extends z.ZodType>(schema: T, description: string, more: { default?: unknown; examples?: unknown[] } = {}): T {
  const copy = schema.meta({ ...schema.meta(), ...more, description });
  const code = CODES.get(schema);
  if (code) CODES.add(copy, code);
  if (QUIET.has(schema)) QUIET.add(copy);
  return copy;
}

const pattern = (code: CheckCode, expression: RegExp, must: string) => leaf(code, z.string(must).regex(expression, must));

export const Text = leaf("wrong-type", z.string("must be text").max(2_000, "must be shorter than 2,000 characters"));
export const Name = leaf(
  "wrong-type",
  z.string("must be text").min(1, "must not be empty").max(2_000, "must be shorter than 2,000 characters"),
);
export const TagValue = leaf("wrong-type", z.union([z.string().max(500), z.number(), z.boolean()], "must be text"));
export const Id = pattern(
  "bad-id",
  /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/,
  "must be an id: lower-case letters, digits, dots, hyphens and underscores, a letter or digit at both ends, at most 128 characters",
);
export const Duration = leaf(
  "bad-duration",
  z
    .string("must be a duration, a positive whole number with its unit: 500ms, 10s, 2m, 1h, 7d")
    .regex(/^[1-9]\d{0,11}(?:ms|s|m|h|d)$/, "must be a duration, a positive whole number with its unit: 500ms, 10s, 2m, 1h, 7d")
    .refine((text) => (parseDuration(text) ?? 0) <= 3_660 * 86_400_000, "must be a duration of at most ten years"),
);
const sizeMust = "must be a size: a positive number with its unit, such as 256KiB or 2GB";
export const Size = leaf(
  "bad-size",
  z
    .string(sizeMust)
    .refine((text) => parseSize(text) !== null, sizeMust)
    .meta({ pattern: "^\\d+(\\.\\d+)? ?([KMGT]i?)?B$" }),
);
export const Percent = pattern("bad-percent", /^(?:100|\d{1,2}(?:\.\d+)?)%$/, "must be a share between 0% and 100%, such as 10%");
export const DateText = leaf(
  "bad-date",
  z
    .string("must be a date: 2026-10-01")
    .refine((text) => isDate(text), "must be a date that exists: 2026-10-01")
    .meta({ format: "date" }),
);
export const LocalTime = leaf(
  "bad-time",
  z
    .string("must be a local time: 2027-03-06T22:00")
    .regex(/^\d{4}-\d\d-\d\dT(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/, "must be a local time without an offset: 2027-03-06T22:00")
    .refine((text) => isDate(text.slice(0, 10)), "must name a day that exists"),
);
export const Count = leaf("out-of-range", z.int("must be a whole number").min(1, "must be at least 1").max(100, "must be at most 100"));
export const Port = leaf("out-of-range", z.int("must be a whole number").min(0, "must be at least 0").max(65_535, "must be at most 65535"));
export const Flag = z.boolean("must be true or false");

export const BasePath = pattern("bad-path", /^\/(?:[A-Za-z0-9._~-]+(?:\/[A-Za-z0-9._~-]+)*\/?)?$/, "must be a path that starts with /");

/** One of some words; the message lists them all unless it says what they are. */
export function named<T extends string>(code: CheckCode, words: readonly T[], what?: string): z.ZodType<T> {
  return leaf(code, z.enum(words, `must be ${what ?? `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`}`) as z.ZodType as z.ZodType<T>);
}

export const Url = quiet(
  leaf(
    "bad-url",
    z.string("must be a URL: http://host:8080/path").superRefine(checkUrl).meta({ pattern: "^([Hh][Tt][Tt][Pp][Ss]?://[^/?#]|\\$\\{)" }),
  ),
);
export const Secret = quiet(
  leaf("bad-secret", z.string("must be text").min(1, "must not be empty").max(4_096, "must be shorter than 4,096 characters")),
);
export const HeaderValue = quiet(
  leaf(
    "bad-header",
    z
      .union([z.string(), z.number(), z.boolean()], "must be text")
      .refine((value) => String(value).length <= 8_192, "must be shorter than 8,192 characters: this header cannot be sent")
      .refine(
        (value) => /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value)),
        "must hold no line break, control character or other character that a header cannot carry",
      ),
  ),
);
export const Criticality = leaf("bad-criticality", z.enum(CRITICALITIES, "must be hard, soft or informational"));

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

function checkUrl(text: string, context: z.RefinementCtx): void {
  const wrong = urlProblem(text);
  if (wrong) context.addIssue({ code: "custom", message: wrong });
}

/** What is wrong with an http or https URL, in words that hold nothing of it; null when it is fine. */
function urlProblem(text: string): string | null {
  if (!/^https?:\/\//i.test(text)) return "must be an absolute URL that starts with http:// or https://";
  if (text.length > 2_000) return "must be a URL of at most 2,000 characters";
  // A parser of browsers would take the first part of the path for the host that is missing.
  if (/^https?:\/\/[/?#\\]/i.test(text)) return "must be a URL with a host: http://host:8080/path";
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return "must be a URL with a valid host and port: http://host:8080/path";
  }
  if (url.username !== "" || url.password !== "")
    return "must hold no user or password: a URL is shown in places where credentials must not be; use headers";
  return null;
}
