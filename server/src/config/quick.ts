import { plainValue, trimmed } from "./plain-scalar.ts";
import type { Entry, ListNode, MapNodeTree, Origin, ScalarNode, TreeNode } from "./tree.ts";

/** Anything that only the full parser should judge: tabs, control characters, odd line ends, byte order marks. */
const UNUSUAL = /[^\P{Cc}\n\r]|\uFEFF|\r(?!\n)/u;
const KEY = /([A-Za-z0-9_][A-Za-z0-9_./-]{0,199}):(?= |\r?\n|$)/y;
const FLOW_KEY = /([A-Za-z0-9_][A-Za-z0-9_./-]{0,199}): /y;
const QUOTED = /"([^"\\\r\n]*)"|'([^'\r\n]*)'(?!')/y;
/** What may follow a complete value on its line. */
const REST = /(?: +#[^\n]*| *)\r?(?=\n|$)/y;
const FIRST = /[A-Za-z0-9_$/.~+(<=^\u00a0-\uffff]|-(?=[A-Za-z0-9_./])/y;
const DEEPEST = 40;

interface Line {
  /** Offset of the line's first character, and of its first that is no space. */
  start: number;
  content: number;
}

/**
 * A parser for the plain part of YAML that nearly all of a map is: mappings, lists, one-line scalars and one-line flow
 * collections. It reads what it knows just as the full parser does, some ten times faster, and gives up on all else: an
 * anchor, a tag, a text of several lines, a mistake.
 */
class QuickReader {
  readonly #text: string;
  readonly #origin: Origin;
  readonly #resolve: (node: ScalarNode) => ScalarNode;
  #at = 0;

  constructor(text: string, origin: Origin, resolve: (node: ScalarNode) => ScalarNode) {
    this.#text = text;
    this.#origin = origin;
    this.#resolve = resolve;
  }

  /** The tree of the whole text; null where it is not plain. */
  read(): TreeNode | null {
    if (UNUSUAL.test(this.#text)) return null;
    const first = this.#line();
    if (first !== null && this.#text.startsWith("---", first.start) && !this.#restFrom(first.start + 3)) return null;
    const line = this.#line();
    if (line === null) return this.#scalar(null, "", 0);
    if (line.content !== line.start) return null;
    const tree = this.#block(line, 0);
    return tree !== null && this.#line() === null ? tree : null;
  }

  /** The next line with content, at or after the position; null at the end. Does not move on. */
  #line(): Line | null {
    const text = this.#text;
    let start = this.#at;
    while (start < text.length) {
      let content = start;
      while (text.charCodeAt(content) === 32) content++;
      const code = text.charCodeAt(content);
      if (content < text.length && code !== 10 && code !== 13 && code !== 35) {
        this.#at = start;
        return { start, content };
      }
      const end = text.indexOf("\n", content);
      if (end < 0) break;
      start = end + 1;
    }
    this.#at = text.length;
    return null;
  }

  /** A list or mapping that begins with the line. */
  #block(line: Line, depth: number): TreeNode | null {
    if (depth > DEEPEST) return null;
    const text = this.#text;
    if (text.startsWith("---", line.start) || text.startsWith("...", line.start)) return null;
    const indent = line.content - line.start;
    return this.#isItem(line.content) ? this.#list(indent, depth) : this.#map(line.content, indent, depth);
  }

  #isItem(at: number): boolean {
    const next = this.#text.charCodeAt(at + 1);
    return this.#text.charCodeAt(at) === 45 && (next === 32 || next === 10 || next === 13 || at + 1 === this.#text.length);
  }

  #list(indent: number, depth: number): ListNode | null {
    const items: TreeNode[] = [];
    let first = -1;
    for (let line = this.#line(); line !== null; line = this.#line()) {
      const at = line.content - line.start;
      if (at < indent || (at === indent && !this.#isItem(line.content))) break;
      if (at > indent) return null;
      if (first < 0) first = line.content;
      const item = this.#item(line, indent, depth);
      if (item === null) return null;
      items.push(item);
    }
    return { kind: "list", origin: this.#origin, at: first, bad: false, items };
  }

  #item(line: Line, indent: number, depth: number): TreeNode | null {
    let at = line.content + 1;
    while (this.#text.charCodeAt(at) === 32) at++;
    if (this.#restFrom(line.content + 1)) return this.#below(line.content + 1, indent, false, depth);
    if (this.#isItem(at)) return null;
    KEY.lastIndex = at;
    if (KEY.test(this.#text)) return this.#map(at, at - line.start, depth + 1);
    const value = this.#value(at);
    return value !== null && this.#ends(indent) ? value : null;
  }

  /** The mapping whose first key stands at `at`; its keys are indented by `indent`. */
  #map(at: number, indent: number, depth: number): MapNodeTree | null {
    if (depth > DEEPEST) return null;
    const entries = new Map<string, Entry>();
    for (let key = at; ; ) {
      KEY.lastIndex = key;
      const name = KEY.exec(this.#text)?.[1];
      if (name === undefined || entries.has(name)) return null;
      const after = key + name.length + 1;
      const node = this.#after(after, indent, depth);
      if (node === null) return null;
      entries.set(name, { at: key, node, merged: false });
      const line = this.#line();
      if (line === null || line.content - line.start < indent) break;
      if (line.content - line.start > indent || this.#text.startsWith("---", line.start) || this.#text.startsWith("...", line.start))
        return null;
      if (this.#isItem(line.content)) return null;
      key = line.content;
    }
    return { kind: "map", origin: this.#origin, at, bad: false, entries };
  }

  /** The value behind a key's colon: on the same line, or below. */
  #after(at: number, indent: number, depth: number): TreeNode | null {
    if (this.#restFrom(at)) return this.#below(at, indent, true, depth);
    let start = at;
    while (this.#text.charCodeAt(start) === 32) start++;
    const value = this.#value(start);
    return value !== null && this.#ends(indent) ? value : null;
  }

  /** The block below a key or dash that has nothing beside it; an empty value at `at` where there is none. */
  #below(at: number, indent: number, isKey: boolean, depth: number): TreeNode | null {
    const line = this.#line();
    const deeper = line === null ? -1 : line.content - line.start;
    if (line !== null && (deeper > indent || (isKey && deeper === indent && this.#isItem(line.content))))
      return this.#block(line, depth + 1);
    return this.#scalar(null, "", at);
  }

  /** Moves behind the line when nothing but a comment is left of it. */
  #restFrom(at: number): boolean {
    REST.lastIndex = at;
    if (!REST.test(this.#text)) return false;
    this.#at = REST.lastIndex + 1;
    return true;
  }

  /** Whether a value of one line really ends there: a deeper line below would go on with it. */
  #ends(indent: number): boolean {
    const line = this.#line();
    return line === null || line.content - line.start <= indent;
  }

  /** A value of one line in block context, and the rest of its line. */
  #value(at: number): TreeNode | null {
    const text = this.#text;
    const code = text.charCodeAt(at);
    if (code === 123 || code === 91) {
      this.#at = at;
      const value = this.#flow(0);
      return value !== null && this.#restFrom(this.#at) ? value : null;
    }
    if (code === 34 || code === 39) {
      const value = this.#quoted(at);
      return value !== null && this.#restFrom(this.#at) ? value : null;
    }
    FIRST.lastIndex = at;
    if (!FIRST.test(text)) return null;
    let end = text.indexOf("\n", at);
    if (end < 0) end = text.length;
    const comment = text.slice(at, end).indexOf(" #");
    const source = trimmed(text, at, comment < 0 ? end : at + comment);
    const value = /:(?: |$)/.test(source) ? null : this.#plain(source, at);
    this.#at = end + 1;
    return value;
  }

  /** A one-line flow value at the position; leaves the position behind it. */
  #flow(depth: number): TreeNode | null {
    const at = this.#at;
    const code = this.#text.charCodeAt(at);
    if (depth > DEEPEST) return null;
    if (code === 123) return this.#flowMap(at, depth);
    if (code === 91) return this.#flowList(at, depth);
    if (code === 34 || code === 39) return this.#quoted(at);
    FIRST.lastIndex = at;
    if (!FIRST.test(this.#text)) return null;
    let end = at;
    for (; end < this.#text.length; end++) {
      const here = this.#text.charCodeAt(end);
      if (here === 44 || here === 93 || here === 125) break;
      if (here === 10 || here === 91 || here === 123 || (here === 35 && this.#text.charCodeAt(end - 1) === 32)) return null;
    }
    this.#at = end;
    const source = trimmed(this.#text, at, end);
    return /:(?: |$)/.test(source) ? null : this.#plain(source, at);
  }

  #flowMap(at: number, depth: number): MapNodeTree | null {
    const entries = new Map<string, Entry>();
    for (this.#at = at + 1; ; ) {
      this.#spaces();
      if (this.#take(125)) break;
      FLOW_KEY.lastIndex = this.#at;
      const name = FLOW_KEY.exec(this.#text)?.[1];
      if (name === undefined || entries.has(name)) return null;
      const key = this.#at;
      this.#at = FLOW_KEY.lastIndex;
      this.#spaces();
      const node = this.#flow(depth + 1);
      if (node === null) return null;
      entries.set(name, { at: key, node, merged: false });
      this.#spaces();
      if (this.#take(44)) continue;
      if (!this.#take(125)) return null;
      break;
    }
    return { kind: "map", origin: this.#origin, at, bad: false, entries };
  }

  #flowList(at: number, depth: number): ListNode | null {
    const items: TreeNode[] = [];
    for (this.#at = at + 1; ; ) {
      this.#spaces();
      if (this.#take(93)) break;
      const node = this.#flow(depth + 1);
      if (node === null) return null;
      items.push(node);
      this.#spaces();
      if (this.#take(44)) continue;
      if (!this.#take(93)) return null;
      break;
    }
    return { kind: "list", origin: this.#origin, at, bad: false, items };
  }

  #spaces(): void {
    while (this.#text.charCodeAt(this.#at) === 32) this.#at++;
  }

  #take(code: number): boolean {
    if (this.#text.charCodeAt(this.#at) !== code) return false;
    this.#at++;
    return true;
  }

  #quoted(at: number): ScalarNode | null {
    QUOTED.lastIndex = at;
    const match = QUOTED.exec(this.#text);
    if (!match) return null;
    this.#at = QUOTED.lastIndex;
    const value = match[1] ?? match[2] ?? "";
    return this.#scalar(value, value, at);
  }

  #plain(source: string, at: number): ScalarNode | null {
    const value = plainValue(source);
    return value === undefined ? null : this.#scalar(value, source, at);
  }

  #scalar(value: ScalarNode["value"], source: string, at: number): ScalarNode {
    const node: ScalarNode = { kind: "scalar", origin: this.#origin, at, bad: false, value, source, references: [], opaque: false };
    return typeof value === "string" && value.includes("${") ? this.#resolve(node) : node;
  }
}

/**
 * The tree of a YAML text that is plain throughout, null for any other, which needs the full parser. `resolve` treats
 * scalars with references. Equal in all to what the full parser makes of the text.
 */
export function readPlainYaml(text: string, origin: Origin, resolve: (node: ScalarNode) => ScalarNode): TreeNode | null {
  return new QuickReader(text, origin, resolve).read();
}
