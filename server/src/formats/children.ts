import type { ComponentStatus } from "../domain/status.ts";
import { nameOf, readCheck, type Source, statusOf } from "./check.ts";
import { pick, roleOf, tellsOfChecks } from "./fields.ts";
import { isObject, type Json, textOf } from "./json.ts";
import { fold, readSentence, worse } from "./vocabulary.ts";
import { wordOf } from "./word.ts";

/** One child as it stands in its parent. */
export interface Child {
  key: string;
  value: unknown;
}

/**
 * The children among an object's values. Containers named for it hold anything that can be a check; `details`, `info` and
 * `data`, and any other object, only what says so itself. A name that two containers list is taken once, from the worse.
 */
export function childrenOf(sources: readonly Source[], root: boolean): Child[] {
  const children: Child[] = [];
  const from = new Map<string, { source: Source; at: number }>();
  const push = (source: Source, child: Child) => {
    const known = from.get(child.key);
    if (known && known.source !== source) {
      const before = children[known.at];
      if (before && worse(glance(before.value), glance(child.value)) === glance(before.value)) return;
      children[known.at] = child;
      return;
    }
    if (!known) from.set(child.key, { source, at: children.length });
    children.push(child);
  };
  for (const source of sources) {
    const { key, role, value } = source;
    if ((role === "word" || role === "flag") && root && isObject(value) && wordOf(value) !== null) {
      const containers = readCheck(value).sources.filter((inner) => inner.role === "strong");
      for (const child of [...weakMembers(value, false), ...childrenOf(containers, true)]) push(source, child);
    } else if (role === "strong" || ((role === "word" || role === "flag") && root)) {
      const inner = members(value, singular(key), root && (role !== "strong" || PRIMARY.has(fold(key))));
      if (isObject(value) && textOf(value.status) && !inner.some((child) => child.key !== "status" && mayBeCheck(child.value)))
        push(source, { key, value });
      else for (const child of inner) push(source, child);
    } else if (role === "weak" || role === "error") {
      if (isObject(value)) for (const child of weakMembers(value, root && key === "details")) push(source, child);
      else if (root && isListOfVerdicts(value)) for (const child of members(value, singular(key), true)) push(source, child);
    } else if (isListOfChecks(value)) {
      // Without names they are witnesses of one thing.
      if (!root || !isListOfVerdicts(value)) push(source, { key, value });
      // A bare number names nothing without its list.
      else
        for (const child of members(value, singular(key), true))
          push(source, /^\d+$/.test(child.key) ? { ...child, key: `${key}/${child.key}` } : child);
    } else if (
      isObject(value) &&
      role !== "word" &&
      role !== "hint" &&
      (saysStatus(value) || isGroup(value) || (root && (saysFlag(value) || (tellsOfChecks(key) && verdictsIn(value).length > 0))))
    )
      push(source, { key, value });
  }
  return children;
}

/** Levels that are looked at for the checks of what says nothing of itself. */
const MAX_LISTED = 8;

/** Containers whose members are checks even when they state no status, at the top of an answer. */
const PRIMARY = new Set(
  "checks components services dependencies entries indicators healthchecks checkresults subsystems results probes".split(" "),
);

/** The members of a container: all but numbers where `lenient`, else only what states a status. */
export function members(container: object, nameless: string, lenient: boolean): Child[] {
  const children: Child[] = [];
  if (Array.isArray(container)) {
    for (const [index, value] of container.flat().entries()) {
      if (!isObject(value)) continue;
      const pairs = isListedPairs(value) ? Object.entries(value) : [];
      for (const [key, verdict] of pairs) children.push({ key, value: verdict });
      if (pairs.length > 0 || !(lenient || saysAnything(value))) continue;
      // A map that was written as a list of its pairs.
      const pair = saysAnything(value) ? null : pick(value, "value");
      children.push({ key: nameOf(value) ?? `${nameless}-${index + 1}`, value: isObject(pair) ? pair : value });
    }
    return children;
  }
  for (const [key, value] of Object.entries(container)) {
    if (typeof value === "number" || !(lenient || isCheckLike(value))) continue;
    children.push({ key, value });
  }
  return children;
}

/** True for an item that is nothing but names with their verdicts: `[{ "db": "ok" }, { "cache": { "status": "fail" } }]`. */
function isListedPairs(item: Json): boolean {
  const keys = Object.keys(item);
  return keys.length > 0 && keys.every((key) => roleOf(key) === undefined && (typeof item[key] === "boolean" || isCheckLike(item[key])));
}

function isCheckLike(value: unknown): boolean {
  if (typeof value === "string") return wordOf(value) !== null;
  if (Array.isArray(value)) return value.some((item) => isObject(item) && saysStatus(item));
  return isObject(value) && holdsCheck(value, 0);
}

/** True for an object that says how it is, or has checks below it: in itself, or in a container of checks or of others like it. */
function holdsCheck(value: Json, level: number): boolean {
  if (saysAnything(value) || isGroup(value)) return true;
  if (level >= MAX_LISTED) return false;
  return Object.entries(value).some(
    ([key, inner]) =>
      roleOf(key) === "strong" &&
      typeof inner === "object" &&
      inner !== null &&
      Object.values(inner).some((member) => isObject(member) && holdsCheck(member, level + 1)),
  );
}

/** True for an object that says how it is in any way that is known; in a container of checks that is enough. */
function saysAnything(value: Json): boolean {
  return saysStatus(value) || saysFlag(value) || readCheck(value).word !== null;
}

function weakMembers(container: Json, words: boolean): Child[] {
  const children: Child[] = [];
  const alone = !saysStatus(container) && Object.values(container).filter(isObject).length === 1;
  for (const [key, value] of Object.entries(container)) {
    if (
      isObject(value)
        ? saysStatus(value) && roleOf(key) !== "word" && !(alone && roleOf(key) === "envelope")
        : words && typeof value === "string" && value.length <= 40 && wordOf(value) !== null && Number.isNaN(Number(value))
    )
      children.push({ key, value });
  }
  return children;
}

/** True for an object that states its own status: a text, or one of the three unmistakable booleans. */
export function saysStatus(value: Json): boolean {
  for (const key of ["status", "state", "health", "Status", "State", "outcome", "level"]) if (textOf(value[key])) return true;
  if ("status" in value && value.status === null) return true;
  for (const key of ["healthy", "ok", "isHealthy", "Healthy", "IsHealthy", "health", "pass", "passed"])
    if (typeof value[key] === "boolean") return true;
  return false;
}

/** True for an object that is nothing but checks, though it states no status of its own. */
function isGroup(value: Json): boolean {
  const members = Object.values(value);
  return members.length > 0 && members.every((member) => isObject(member) && saysStatus(member) && readCheck(member).word !== null);
}

/** The members of an object that is nothing but verdicts: `{ paypal: true, stripe: false }`; none where anything else is in it. */
export function verdictsIn(value: Json): Child[] {
  const children: Child[] = [];
  for (const [key, member] of Object.entries(value)) {
    const isVerdict = typeof member === "boolean" || (typeof member === "string" && readSentence(member) !== null);
    if (!isVerdict || roleOf(key) !== undefined) return [];
    children.push({ key, value: member });
  }
  return children;
}

/** True for a list whose items all state a status that we know, by whatever key where they are named. */
function isListOfChecks(value: object): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  if (isListOfVerdicts(value)) return value.every((item) => saysStatus(item) || Object.keys(item).some((key) => roleOf(key) === "word"));
  return value.every((item) => isObject(item) && saysStatus(item) && readCheck(item).word !== null);
}

/** True for a list of objects with a name and a verdict that we know, wherever it stands. */
export function isListOfVerdicts(value: object): value is Json[] {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((item) => isObject(item) && nameOf(item) !== null && readCheck(item).word !== null);
}

function mayBeCheck(value: unknown): boolean {
  return typeof value === "object" ? value !== null : typeof value === "boolean" || (typeof value === "string" && wordOf(value) !== null);
}

function saysFlag(value: Json): boolean {
  for (const key of ["connected", "reachable", "available", "alive", "up", "success", "online", "operational"])
    if (typeof value[key] === "boolean") return true;
  return false;
}

/** A quick look at a child's status, for choosing between two that share a name. */
function glance(value: unknown): ComponentStatus {
  if (isObject(value)) return statusOf(readCheck(value));
  return wordOf(value)?.status ?? "unknown";
}

function singular(key: string): string {
  return key.replace(/(ie)?s$/, (_all, ie) => (ie ? "y" : ""));
}
