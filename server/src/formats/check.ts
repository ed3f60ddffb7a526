import type { ComponentStatus, Criticality } from "../domain/status.ts";
import { parseLength, type Unit } from "./durations.ts";
import { errorText, isFailure } from "./error-text.ts";
import { type Role, roleOf } from "./fields.ts";
import { isObject, type Json, textOf } from "./json.ts";
import { fold, type Word, worse } from "./vocabulary.ts";
import { isNumber, wordOf, worseWord } from "./word.ts";

/** How a dialect differs from the common reading of a check. */
export interface Habits {
  /** Unit of bare numbers in latency fields. Null, the default: milliseconds unless they are fractions below 1, which could be seconds. */
  unit?: Unit;
  /** Folded keys that are latencies here, whatever else they usually are. */
  lengths?: readonly string[];
  /** Keys that hold the time of the check here. */
  time?: RegExp;
  /** Time of all checks that state none; unparsed. */
  commonTime?: unknown;
  criticality?: (entry: Json) => Criticality | null;
  /** Criticality of every component. */
  common?: Criticality;
  /** Replaces the common search for the word; undefined leaves it to that. */
  word?: (entry: Json) => Word | null | undefined;
  /** Replaces the common search for the error text. */
  error?: (entry: Json, name: string) => string | null;
}

/** A value in a position where children may stand, with the key under which it was found. */
export interface Source {
  key: string;
  role: Role | undefined;
  value: object;
}

/** The fields of one check, or of the whole answer, sorted by what they are for. Texts are raw. */
export interface Check {
  /** Worst of all status words and flags; null when there is neither. */
  word: Word | null;
  /** A status text that is no known word. */
  raw: string | null;
  error: string | null;
  /** True when an `error` field says something, though there may be no status. */
  failed: boolean;
  latencyMs: number | null;
  time: unknown;
  ageMs: number | null;
  criticality: Criticality | null;
  sources: Source[];
}

const NAMES = [
  "name",
  "key",
  "id",
  "component",
  "componentname",
  "checkname",
  "checker",
  "servicename",
  "service",
  "check",
  "serviceid",
  "checkid",
  "label",
  "title",
  "alias",
  "dependencyname",
  "dependency",
  "resourcename",
  "resource",
];
const ERRORS = [
  "error",
  "errormessage",
  "exception",
  "err",
  "lasterror",
  "failurereason",
  "message",
  "output",
  "checkoutput",
  "notificationmessage",
  "description",
  "reason",
  "rootcause",
  "cause",
];
const DESCRIPTION = ERRORS.indexOf("description");
/** Fields whose mere presence says that the check failed. */
const FAILURES = new Set(["error", "exception", "err", "errormessage"]);

/** What is known of a key, however it is spelt. */
interface Known {
  folded: string;
  role: Role | undefined;
  nameRank: number;
  errorRank: number;
  failure: boolean;
}

const MAX_KNOWN = 2_000;
const KNOWN = new Map<string, Known>();
/** Of most keys nothing is known: they hold data. */
const DATA: Known = { folded: "", role: undefined, nameRank: NAMES.length, errorRank: ERRORS.length, failure: false };

/** Memoised: the same keys come with every poll. */
function knownKey(key: string): Known {
  const memo = KNOWN.get(key);
  if (memo) return memo;
  const role = roleOf(key);
  if (role === undefined) {
    // Kept only while there is room, so that one huge map cannot drive out the keys that matter.
    if (KNOWN.size < MAX_KNOWN && key.length <= 64) KNOWN.set(key, DATA);
    return DATA;
  }
  const folded = fold(key);
  const rank = (order: readonly string[]) => (order.includes(folded) ? order.indexOf(folded) : order.length);
  const known = { folded, role, nameRank: rank(NAMES), errorRank: rank(ERRORS), failure: FAILURES.has(folded) };
  if (KNOWN.size >= MAX_KNOWN) KNOWN.clear();
  if (key.length <= 64) KNOWN.set(key, known);
  return known;
}

/** Sorts the fields of one object. Looks at each key once, and at nested values only for words and error texts. */
export function readCheck(object: Json, habits: Habits = {}): Check {
  const check: Check = {
    word: null,
    raw: null,
    error: null,
    failed: false,
    latencyMs: null,
    time: undefined,
    ageMs: null,
    criticality: null,
    sources: [],
  };
  let errorRank = Number.POSITIVE_INFINITY;
  let [worded, measured] = [false, false];
  let hint: Word | null = null;
  let unit = habits.unit ?? null;
  let fallback: string | null = null;
  let bare: unknown;
  let pair: unknown;
  for (const key of Object.keys(object)) {
    const value = object[key];
    const known = knownKey(key);
    let { role } = known;
    if (habits.lengths?.includes(known.folded)) role = "length";
    else if (habits.time?.test(key)) role = "time";
    switch (role) {
      case "word":
      case "hint":
      case "flag": {
        if (role === "flag" && typeof value !== "boolean" && value !== "true" && value !== "false") break;
        const found = wordOf(value);
        if (role === "hint") hint = found && hint ? worseWord(hint, found) : (found ?? hint);
        else if (found) check.word = check.word ? worseWord(check.word, found) : found;
        else if (role === "word" && isUnknownWord(value) && (check.raw === null || known.folded === "status")) {
          check.raw = value;
          worded = known.folded === "status";
        }
        break;
      }
      case "error":
      case "weak": {
        if (role === "weak" && !known.failure) {
          fallback ??= isObject(value) ? errorText(value) : textOf(value);
          // An error in the details says more than the description, which is there while all is well too.
          if (isObject(value) && typeof value.error === "string" && errorRank >= DESCRIPTION) {
            check.error = textOf(value.error) ?? check.error;
            errorRank = DESCRIPTION - 0.5;
          }
          break;
        }
        const text = known.errorRank < errorRank ? errorText(value) : null;
        if (text === null) break;
        check.error = text;
        errorRank = known.errorRank;
        break;
      }
      case "pair":
        pair = value;
        break;
      case "ms":
      case "s":
      case "us":
      case "ns": {
        // The same length may stand there twice; the one in milliseconds is the one for people.
        const length = measured && role !== "ms" ? null : parseLength(value, role);
        if (length === null) break;
        check.latencyMs = length;
        measured = true;
        break;
      }
      case "length":
        bare ??= value;
        break;
      case "nanos":
        unit ??= "ns";
        break;
      case "time":
        // "12ms" tells how long, whatever the key.
        if (typeof value === "string" && parseLength(value, null) !== null) bare ??= value;
        else check.time ??= value;
        break;
      case "ageMs":
        check.ageMs = parseLength(value, "ms");
        break;
      case "ageSeconds":
        check.ageMs ??= parseLength(value, "s");
        break;
      case "criticality":
        check.criticality = value === "hard" || value === "soft" || value === "informational" ? value : check.criticality;
        break;
      case "needed":
        if (typeof value === "boolean") check.criticality ??= value ? "hard" : "soft";
        break;
      case "optional":
        if (typeof value === "boolean") check.criticality ??= value ? "soft" : "hard";
        break;
    }
    if (known.failure && isFailure(value)) check.failed = true;
    if (typeof value === "object" && value !== null && role !== "past") check.sources.push({ key, role, value });
  }
  if (check.latencyMs === null && bare !== undefined && (unit !== null || !isSmallFraction(bare)))
    check.latencyMs = parseLength(bare, unit ?? "ms");
  check.error ??= fallback;
  // What a state or a condition says beside a known status is data: "leader", "primary".
  if (check.word !== null && !worded) check.raw = null;
  // A level or result beside a status tells how much the check counts, or what it gave.
  if (check.word === null && check.raw === null) check.word = hint ?? (typeof pair === "string" ? wordOf(pair) : null);
  const word = habits.word?.(object);
  if (word !== undefined) [check.word, check.raw] = [word, null];
  if (habits.criticality) check.criticality = habits.criticality(object);
  check.criticality ??= habits.common ?? null;
  return check;
}

/** The name that an object gives itself, by the most telling of the keys that could hold one; null when none does. */
export function nameOf(object: Json): string | null {
  let name: string | null = null;
  let best = Number.POSITIVE_INFINITY;
  for (const key of Object.keys(object)) {
    const { role, nameRank } = knownKey(key);
    if (role !== "name" || nameRank >= best) continue;
    const value = object[key];
    if (!textOf(value) && typeof value !== "number") continue;
    name = String(value);
    best = nameRank;
  }
  return name;
}

/** A text in the position of a status that is no known word, and no count or code either. */
function isUnknownWord(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "" && !isNumber(value);
}

function isSmallFraction(value: unknown): boolean {
  const number = typeof value === "string" && isNumber(value) ? Number(value) : value;
  return typeof number === "number" && number > 0 && number < 1;
}

/** A check's status: its word; unknown for a word nobody knows; down when there is only an error. */
export function statusOf(check: Check): ComponentStatus {
  if (check.raw !== null) return check.word ? worse(check.word.status, "unknown") : "unknown";
  return check.word?.status ?? (check.failed ? "down" : "unknown");
}
