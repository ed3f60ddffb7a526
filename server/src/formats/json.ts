import { readWord, type Word, worse } from "./vocabulary.ts";

/** A JSON object as JSON.parse makes it: `__proto__` is a key like any other. Read fields by fixed names, or by `Object.entries`. */
export type Json = { [key: string]: unknown };

/** True for a JSON object, false for arrays, null and scalars. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A text that is more than white space, else null. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

const MAX_DEPTH = 200;
/** More members and items than this are no health report; reading them would cost more than it tells. */
const MAX_MEMBERS = 20_000;
/** Likewise for one object: beyond some thousand keys an engine keeps them in a table, and every look at one costs several times as much. */
const MAX_KEYS = 5_000;

export interface Parsed {
  value: unknown;
  /** True when an object held a key twice; the values were merged to the worse. */
  duplicates: boolean;
}

/**
 * JSON, strictly, but for keys that come twice. Null for anything else, and for twice-held keys deeper than 200 levels;
 * `oversized` for more than 20,000 members and items, or for more than 5,000 members of one object.
 */
export function parseJson(text: string): Parsed | "oversized" | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== "object" || value === null) return { value, duplicates: false };
  const most = mostMembersIn(text);
  if (most > MAX_MEMBERS && membersIn(text) > MAX_MEMBERS) return "oversized";
  const kept = membersOf(value);
  if (kept > MAX_MEMBERS) return "oversized";
  // JSON.parse keeps the last of two equal keys. Members in the text and in the value differ in number only then.
  if (most === kept || membersIn(text) === kept) return { value, duplicates: false };
  try {
    return { value: new Reader(text).document(), duplicates: true };
  } catch {
    return null;
  }
}

/** Colons that a quote stands before: one a member, and perhaps some at the start of a text. Mostly that tells enough, at half the cost. */
function mostMembersIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) <= 32) before -= 1;
    if (text.charCodeAt(before) === 34) count += 1;
  }
  return count;
}

/** Strings that a colon follows: one a member. The text is valid JSON. Goes from quote to quote, which is far faster than by characters. */
function membersIn(text: string): number {
  let count = 0;
  for (let open = text.indexOf('"'); open >= 0; ) {
    let close = text.indexOf('"', open + 1);
    while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
    let after = close + 1;
    while (text.charCodeAt(after) <= 32) after += 1;
    if (text.charCodeAt(after) === 58) count += 1;
    open = text.indexOf('"', after);
  }
  return count;
}

/** True where an odd number of backslashes stands before. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text.charCodeAt(before) === 92) before -= 1;
  return (at - before) % 2 === 0;
}

/** Members of all objects in the value; infinite where these and the items of lists are too many, or those of one object. */
function membersOf(value: object): number {
  let [count, listed] = [0, 0];
  const stack: object[] = [value];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (count + listed > MAX_MEMBERS) return Number.POSITIVE_INFINITY;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === "object" && item !== null) stack.push(item);
      listed += next.length;
      continue;
    }
    const before = count;
    for (const key in next) {
      count += 1;
      const item: unknown = (next as Json)[key];
      if (typeof item === "object" && item !== null) stack.push(item);
    }
    if (count - before > MAX_KEYS) return Number.POSITIVE_INFINITY;
  }
  return count;
}

const TOKEN = /\s*([[\]{},:]|"[^"\\]*(?:\\.[^"\\]*)*"|[^\s[\]{},:"]+)/y;

/** Reads a text that is known to be JSON once more, keeping what JSON.parse overwrites. */
class Reader {
  private at = 0;
  private readonly text: string;
  constructor(text: string) {
    this.text = text;
  }

  document(): unknown {
    return this.value(this.next(), 0);
  }

  private next(): string {
    TOKEN.lastIndex = this.at;
    const token = TOKEN.exec(this.text)?.[1];
    if (token === undefined) throw new SyntaxError("unexpected end");
    this.at = TOKEN.lastIndex;
    return token;
  }

  private value(token: string, depth: number): unknown {
    if (depth > MAX_DEPTH) throw new SyntaxError("too deep");
    if (token === "{") return this.object(depth);
    if (token === "[") return this.array(depth);
    return JSON.parse(token);
  }

  private object(depth: number): Json {
    const members = new Map<string, unknown>();
    for (let token = this.next(); token !== "}"; token = this.next()) {
      if (token === ",") continue;
      const key = String(JSON.parse(token));
      this.next();
      const value = this.value(this.next(), depth + 1);
      members.set(key, members.has(key) ? merge(members.get(key), value) : value);
    }
    return Object.fromEntries(members);
  }

  private array(depth: number): unknown[] {
    const items: unknown[] = [];
    for (let token = this.next(); token !== "]"; token = this.next()) if (token !== ",") items.push(this.value(token, depth + 1));
    return items;
  }
}

/** Two values of one key: objects are united, arrays joined, of two status words the worse stays, else the last. Changes `a`. */
function merge(a: unknown, b: unknown): unknown {
  if (isObject(a) && isObject(b)) {
    for (const [key, value] of Object.entries(b)) {
      const merged = Object.hasOwn(a, key) ? merge(a[key], value) : value;
      // Assigning would set the prototype where the key is __proto__.
      Object.defineProperty(a, key, { value: merged, writable: true, enumerable: true, configurable: true });
    }
    return a;
  }
  if (Array.isArray(a) && Array.isArray(b)) {
    for (const item of b) a.push(item);
    return a;
  }
  if (typeof a === "object" && a !== null) return a;
  if (typeof b === "object" && b !== null) return b;
  const first = wordIn(a);
  const second = wordIn(b);
  return first && (!second || worse(first.status, second.status) === first.status) ? a : b;
}

function wordIn(value: unknown): Word | null {
  if (typeof value === "boolean") return { status: value ? "up" : "down" };
  return typeof value === "string" ? readWord(value) : null;
}
