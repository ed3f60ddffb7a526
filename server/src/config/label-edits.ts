import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Pair, type YAMLMap, type YAMLSeq } from "yaml";
import type { LabelEdit } from "../domain/label.ts";
import type { TextEdit } from "./unified.ts";

/** A file as text and as the parser's document, which knows where each of its parts begins and ends. */
export interface EditedFile {
  text: string;
  document: Document;
  /** The node itself; throws `ByHand` where it is an alias, or others refer to it. */
  own<T extends Node>(node: T): T;
}

/** Why a person has to make a change. */
export class ByHand extends Error {}

export const SHARED = "it is shared through an anchor, and others would change with it";
export const UNUSUAL = "it stands in a form that only a person should change";

// --- where the dependency stands ----------------------------------------------------------------------------------

type AnyPair = Pair<Node | null, Node | null>;

const pairs = (map: YAMLMap): AnyPair[] => map.items as AnyPair[];
const keyOf = ({ key }: AnyPair): string | null => (isScalar(key) ? String(key.value) : null);

function pairIn(map: YAMLMap, key: string): AnyPair | null {
  return pairs(map).find((pair) => keyOf(pair) === key) ?? null;
}

/** The mapping under a key; fails where it is not there, or came from elsewhere. */
function mapIn(open: EditedFile, map: YAMLMap, key: string): YAMLMap {
  const node = pairIn(map, key)?.value;
  if (node && (isAlias(node) || isMap(node))) {
    const own = open.own(node);
    if (isMap(own)) return own as YAMLMap;
  }
  throw new ByHand(pairIn(map, "<<") ? SHARED : UNUSUAL);
}

function targetsOf(item: unknown): string[] {
  const on = isMap(item) ? pairIn(item as YAMLMap, "on")?.value : null;
  return (isSeq(on) ? (on.items as unknown[]) : [on]).flatMap((one) => (isScalar(one) ? [String(one.value)] : []));
}

/** The changes of the text that make an edit of one dependency; throws `ByHand` where there are none. */
export function editsFor(open: EditedFile, from: string, to: string | null, edit: LabelEdit): TextEdit[] {
  const root = open.document.contents;
  if (!isMap(root)) throw new ByHand(UNUSUAL);
  const service = mapIn(open, mapIn(open, root as YAMLMap, "services"), from);
  const pair = pairIn(service, "dependencies");
  if (!pair && pairIn(service, "<<")) throw new ByHand(SHARED);
  const list = pair?.value ?? null;
  const dependencies = list === null || (isScalar(list) && list.value === null) ? null : open.own(list);
  if (dependencies !== null && !isSeq(dependencies)) throw new ByHand(UNUSUAL);
  if (edit.kind === "add") {
    const item = `{ on: ${quoted(edit.on)}${edit.component === null ? "" : `, component: ${quoted(edit.component)}`}, criticality: ${edit.criticality} }`;
    const added = addItem(open.text, service, pair, dependencies as YAMLSeq | null, item);
    return edit.isNew ? [...addResource(open, root as YAMLMap, edit.on), ...added] : added;
  }
  const items = (dependencies?.items ?? []) as Node[];
  const item = items.find((one) => to !== null && targetsOf(one).includes(to));
  if (!item) throw new ByHand(items.some(isAlias) ? SHARED : UNUSUAL);
  const body = open.own(item);
  if (!isMap(body)) throw new ByHand(UNUSUAL);
  if (edit.kind === "set") return setKey(open, body as YAMLMap, edit.key, edit.key === "reviewed" ? edit.value : quoted(edit.value));
  if (targetsOf(body).length > 1) throw new ByHand("it is one of several alternatives that are declared together");
  if (edit.kind === "components") return setKey(open, body as YAMLMap, "component", listed(edit.names));
  return removeItem(open.text, service, pair as AnyPair, dependencies as YAMLSeq, body);
}

// --- the changes themselves ---------------------------------------------------------------------------------------

function rangeOf(node: Node): [start: number, end: number] {
  if (!node.range) throw new ByHand(UNUSUAL);
  return [node.range[0], node.range[1]];
}

const lineStart = (text: string, at: number): number => text.lastIndexOf("\n", at - 1) + 1;
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
};
const isFlow = (node: Node): boolean => (node as { flow?: boolean }).flow === true;
/** Spaces that stand for the text before an offset of its line, so that what begins there can go on below. */
const indentAt = (text: string, at: number): string => " ".repeat(at - lineStart(text, at));
const newlineOf = (text: string): string => (/\r\n/.test(text) ? "\r\n" : "\n");

/** A line of its own after the one that holds `at`. */
function lineAfter(text: string, at: number, line: string): TextEdit {
  const end = lineEnd(text, at);
  const newline = newlineOf(text);
  return text[end - 1] === "\n" ? { start: end, end, text: `${line}${newline}` } : { start: end, end, text: `${newline}${line}` };
}

function setKey(open: EditedFile, item: YAMLMap, key: string, value: string): TextEdit[] {
  const { text } = open;
  const pair = pairIn(item, key);
  const node = pair?.value ?? null;
  if (pair && node && !(isScalar(node) && node.source === "")) {
    if (isSeq(node) && !isFlow(node)) throw new ByHand(UNUSUAL);
    const [start, end] = rangeOf(node);
    return [{ start, end, text: value }];
  }
  if (pair) {
    const [, end] = rangeOf(pair.key as Node);
    const colon = text.indexOf(":", end) + 1;
    return [{ start: colon, end: colon, text: ` ${value}` }];
  }
  const criticality = pairIn(item, "criticality");
  if (!criticality?.value || !criticality.key) throw new ByHand(SHARED);
  const [, end] = rangeOf(criticality.value);
  if (isFlow(item)) return [{ start: end, end, text: `, ${key}: ${value}` }];
  return [lineAfter(text, end, `${indentAt(text, rangeOf(criticality.key)[0])}${key}: ${value}`)];
}

function addItem(text: string, service: YAMLMap, pair: AnyPair | null, list: YAMLSeq | null, item: string): TextEdit[] {
  const newline = newlineOf(text);
  const last = list?.items.at(-1) as Node | undefined;
  if (list && isFlow(list)) {
    const at = last ? rangeOf(last)[1] : rangeOf(list)[0] + 1;
    return [{ start: at, end: at, text: last ? `, ${item}` : item }];
  }
  if (list && last) {
    const dash = lastDash(text, rangeOf(list.items[0] as Node)[0]);
    return [lineAfter(text, contentEnd(text, last), `${indentAt(text, dash)}- ${item}`)];
  }
  if (isFlow(service)) {
    if (pair) throw new ByHand(UNUSUAL);
    const end = lastEnd(service);
    return [{ start: end, end, text: `, dependencies: [${item}]` }];
  }
  const first = pair ?? pairs(service)[0];
  if (!first?.key) throw new ByHand(UNUSUAL);
  const [start, end] = rangeOf(first.key);
  const indent = indentAt(text, start);
  if (!pair) return [{ start, end: start, text: `dependencies:${newline}${indent}  - ${item}${newline}${indent}` }];
  // `dependencies:` with nothing, or null, behind it.
  const colon = text.indexOf(":", end) + 1;
  const until = pair.value && isScalar(pair.value) && pair.value.source ? rangeOf(pair.value)[1] : colon;
  return [{ start: colon, end: until, text: ` [${item}]` }];
}

function lastEnd(map: YAMLMap): number {
  const last = pairs(map).at(-1);
  const node = last?.value ?? last?.key;
  if (!node) throw new ByHand(UNUSUAL);
  return rangeOf(node)[1];
}

/** The dash before an item's content. */
function lastDash(text: string, at: number): number {
  const dash = text.lastIndexOf("-", at - 1);
  if (dash < lineStart(text, at)) throw new ByHand(UNUSUAL);
  return dash;
}

/** Offset of the last character of a node that is no space, line end or comment of lines below. */
function contentEnd(text: string, node: Node): number {
  if (isFlow(node) || isScalar(node)) return rangeOf(node)[1] - 1;
  if (isMap(node)) {
    const last = pairs(node as YAMLMap).at(-1);
    const inner = last?.value && !(isScalar(last.value) && last.value.source === "") ? last.value : last?.key;
    if (inner) return contentEnd(text, inner);
  }
  if (isSeq(node) && node.items.length > 0) return contentEnd(text, node.items.at(-1) as Node);
  return rangeOf(node)[1] - 1;
}

function removeItem(text: string, service: YAMLMap, pair: AnyPair, list: YAMLSeq, item: Node): TextEdit[] {
  const [start, end] = rangeOf(item);
  if (isFlow(list)) {
    const items = list.items as Node[];
    const at = items.indexOf(item);
    const next = items[at + 1];
    const before = items[at - 1];
    if (next) return [{ start, end: rangeOf(next)[0], text: "" }];
    if (before) return [{ start: rangeOf(before)[1], end, text: "" }];
    return [{ start, end, text: "" }];
  }
  if (isFlow(service)) throw new ByHand(UNUSUAL);
  const until = lineEnd(text, contentEnd(text, item));
  // Without its last entry the list would be null, which means the same, but says it less well.
  const only = list.items.length === 1 && pair.key && pairs(service).length > 1;
  const from = only ? rangeOf(pair.key as Node)[0] : lastDash(text, start);
  if (text.slice(lineStart(text, from), from).trim() !== "") throw new ByHand(UNUSUAL);
  return [{ start: lineStart(text, from), end: until, text: "" }];
}

/** A node that nobody has declared: it stands first among the resources of the file. */
function addResource(open: EditedFile, root: YAMLMap, id: string): TextEdit[] {
  const { text } = open;
  const newline = newlineOf(text);
  const pair = pairIn(root, "resources");
  const resources = pair?.value;
  if (isMap(resources) && resources.items.length > 0) {
    const first = pairs(open.own(resources) as YAMLMap)[0]?.key;
    if (!first) throw new ByHand(UNUSUAL);
    const [start] = rangeOf(first);
    return [{ start, end: start, text: isFlow(resources) ? `${quoted(id)}: {}, ` : `${quoted(id)}: {}${newline}${indentAt(text, start)}` }];
  }
  if (pair) throw new ByHand(UNUSUAL);
  const services = pairIn(root, "services")?.key;
  if (!services) throw new ByHand(UNUSUAL);
  const [start] = rangeOf(services);
  const block = `resources:${newline}  ${quoted(id)}: {}${newline}${newline}`;
  return [{ start, end: start, text: isFlow(root) ? `resources: { ${quoted(id)}: {} }, ` : block }];
}

/** A plain scalar where that is safe, else in quotes. */
function quoted(text: string): string {
  const safe = /^[A-Za-z][\w./-]*$/.test(text) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(text);
  return safe ? text : JSON.stringify(text);
}

const listed = (names: readonly string[]): string => (names.length === 1 ? quoted(names[0] ?? "") : `[${names.map(quoted).join(", ")}]`);
