import { ERROR_CATEGORIES } from "../domain/observation.ts";
import type { Damped, EdgeState, InstanceState, NodeState } from "../domain/state.ts";
import { COMPONENT_STATUSES, CRITICALITIES, MARKS, OUTCOMES, PHASES, STATUSES } from "../domain/status.ts";

/** One more whenever the shape of a value changes; what another version wrote is not read. */
const VERSION = 1;
const MOST_COMPONENTS = 10_000;
const MOST_RESULTS = 10_000;

export type Json = null | boolean | number | string | readonly Json[];
export type StateKind = "instance" | "edge" | "node";
export type StateOf<K extends StateKind> = { instance: InstanceState; edge: EdgeState; node: NodeState }[K];

/** Both ways of one value. `read` gives undefined for what is not one. */
interface Codec<T> {
  write(value: T): Json;
  read(json: unknown): T | undefined;
}

const number: Codec<number> = {
  write: (value) => value,
  read: (json) => (typeof json === "number" && Number.isFinite(json) ? json : undefined),
};
const count: Codec<number> = {
  write: (value) => value,
  read: (json) => (Number.isSafeInteger(json) && (json as number) >= 0 ? (json as number) : undefined),
};
const text: Codec<string> = { write: (value) => value, read: (json) => (typeof json === "string" ? json : undefined) };
const flag: Codec<boolean> = {
  write: (value) => (value ? 1 : 0),
  read: (json) => (json === 1 ? true : json === 0 ? false : undefined),
};

/** A word as its place in its list. */
function word<const S extends string>(words: readonly S[]): Codec<S> {
  return { write: (value) => words.indexOf(value), read: (json) => (typeof json === "number" ? words[json] : undefined) };
}

function nullable<T>(inner: Codec<T>): Codec<T | null> {
  return { write: (value) => (value === null ? null : inner.write(value)), read: (json) => (json === null ? null : inner.read(json)) };
}

/** Absent is written as false, which none of the inner values is written as. */
function optional<T>(inner: Codec<T>): Codec<T | undefined> {
  return {
    write: (value) => (value === undefined ? false : inner.write(value)),
    // A box tells "absent" from "unreadable" for `fields`.
    read: (json) => (json === false ? (ABSENT as T) : inner.read(json)),
  };
}
const ABSENT: unknown = Symbol("absent");

function list<T>(inner: Codec<T>, most: number): Codec<readonly T[]> {
  return {
    write: (values) => values.map((value) => inner.write(value)),
    read: (json) => {
      if (!Array.isArray(json) || json.length > most) return undefined;
      const values: T[] = [];
      for (const one of json) {
        const value = inner.read(one);
        if (value === undefined) return undefined;
        values.push(value);
      }
      return values;
    },
  };
}

/** An object as the list of its fields' values, in the order given. */
function fields<T extends object>(shape: { readonly [K in keyof Required<T>]: Codec<T[K]> }): Codec<T> {
  const names = Object.keys(shape) as (keyof T)[];
  return {
    write: (value) => names.map((name) => shape[name].write(value[name])),
    read: (json) => {
      if (!Array.isArray(json) || json.length !== names.length) return undefined;
      const value: Partial<T> = {};
      for (const [at, name] of names.entries()) {
        const field = shape[name].read(json[at]);
        if (field === undefined) return undefined;
        if (field !== ABSENT) value[name] = field;
      }
      return value as T;
    },
  };
}

/** Words of raw results as one text, a digit each: twenty equal ones compress well. */
function digits<const S extends string>(words: readonly S[], most: number): Codec<readonly S[]> {
  return {
    write: (values) => values.map((value) => words.indexOf(value)).join(""),
    read: (json) => {
      if (typeof json !== "string" || json.length > most) return undefined;
      const values = [...json].map((digit) => words[Number(digit)]);
      return values.every((value): value is S => value !== undefined) ? values : undefined;
    },
  };
}

function damped<const S extends string>(words: readonly S[]): Codec<Damped<S>> {
  const status = word(words);
  return fields<Damped<S>>({
    status,
    since: number,
    pending: nullable(fields({ status, count, needed: count })),
    raw: status,
    recent: digits(words, 20),
    run: list(fields({ status, at: number }), MOST_RESULTS),
    flapping: flag,
    intermittent: flag,
    held: optional(count),
    confirmed: flag,
  });
}

const window = nullable(fields<{ lastGood: number | null; firstBad: number }>({ lastGood: nullable(number), firstBad: number }));
const maybe = nullable(number);
const status = word(STATUSES);
const outcome = nullable(word(OUTCOMES));

const component = fields<InstanceState["components"][number]>({
  name: text,
  status: word(COMPONENT_STATUSES),
  computedAgeMs: maybe,
  criticality: optional(word(CRITICALITIES)),
  latencyMs: optional(number),
  lastChecked: optional(number),
  ageMs: optional(number),
  error: optional(text),
  category: optional(word(ERROR_CATEGORIES)),
  raw: optional(text),
});

const seenChecks: Codec<InstanceState["seenChecks"]> = {
  write: (seen) => [...seen].map(([name, { lastChecked, firstSeen }]) => [name, lastChecked, firstSeen]),
  read: (json) => {
    const rows = list(
      fields<{ name: string; lastChecked: number; firstSeen: number }>({ name: text, lastChecked: number, firstSeen: number }),
      MOST_COMPONENTS,
    ).read(json);
    return rows && new Map(rows.map(({ name, lastChecked, firstSeen }) => [name, { lastChecked, firstSeen }]));
  },
};

const codecs: { [K in StateKind]: Codec<StateOf<K>> } = {
  instance: fields<InstanceState>({
    id: text,
    service: text,
    damped: damped(STATUSES),
    outcome,
    httpStatus: maybe,
    format: nullable(text),
    phase: nullable(word(PHASES)),
    phaseCount: count,
    lastPollAt: maybe,
    lastReportAt: maybe,
    latencyMs: maybe,
    error: nullable(text),
    components: list(component, MOST_COMPONENTS),
    ownWord: nullable(status),
    seenChecks,
    window,
    failuresOnly: optional(flag),
    lastGood: optional(maybe),
    reason: optional(nullable(text)),
  }),
  edge: fields<EdgeState>({
    from: text,
    to: text,
    damped: damped(COMPONENT_STATUSES),
    checkedAt: maybe,
    reportedAt: maybe,
    stale: flag,
    latencyMs: maybe,
    error: nullable(text),
    category: nullable(word(ERROR_CATEGORIES)),
    window,
    lastGood: optional(maybe),
    firstBadCheck: maybe,
  }),
  node: fields<NodeState>({
    id: text,
    status,
    since: number,
    pending: nullable(fields({ status, count, needed: count })),
    confirmed: flag,
    marks: list(word(MARKS), MARKS.length),
    reason: nullable(text),
    lastKnown: nullable(fields<{ status: NodeState["status"]; at: number }>({ status, at: number })),
    lastChecked: maybe,
    stale: flag,
    latencyMs: maybe,
    outcome,
    window,
    ownWord: nullable(status),
    coverage: nullable(fields({ known: count, total: count })),
  }),
};

/** A state as a compact JSON value: its version, then its fields in a fixed order. */
export function encodeState<K extends StateKind>(kind: K, state: StateOf<K>): Json {
  return [VERSION, codecs[kind].write(state)];
}

/** The state back, or null for anything that is not one: another version, a truncated row, a word that no longer exists. */
export function decodeState<K extends StateKind>(kind: K, json: unknown): StateOf<K> | null {
  if (!Array.isArray(json) || json.length !== 2 || json[0] !== VERSION) return null;
  return codecs[kind].read(json[1]) ?? null;
}

/** The same to and from text. */
export const stateCodec = {
  encode: <K extends StateKind>(kind: K, state: StateOf<K>): string => JSON.stringify(encodeState(kind, state)),
  decode: <K extends StateKind>(kind: K, json: string): StateOf<K> | null => {
    try {
      return decodeState(kind, JSON.parse(json));
    } catch {
      return null;
    }
  },
};
