import type { ComponentStatus } from "../domain/status.ts";
import { type Check, type Habits, moreThanWord, readCheck, type Source, wordOf } from "./check.ts";
import type { Document } from "./dialect.ts";
import { isObject, type Json, textOf } from "./json.ts";
import { fold, type Word, worse } from "./vocabulary.ts";

/** Levels of named composites; what lies below is folded into the last one. */
const MAX_LEVELS = 8;
/** Levels that are looked at all. */
const MAX_LOOK = 64;

/** One child as it stands in its parent. */
interface Child {
  key: string;
  value: unknown;
}

/**
 * Reads the checks of an answer into `doc.components`: composites become leaves named `parent/child`, and a composite that is
 * worse than all its leaves is kept too.
 */
export class Tree {
  private readonly doc: Document;
  private readonly habits: Habits;

  constructor(doc: Document, habits: Habits = {}) {
    this.doc = doc;
    this.habits = habits;
  }

  /** The fields of the whole answer, with all checks found in it added. */
  root(object: Json): Check {
    const check = readCheck(object, this.habits);
    for (const { key, value } of childrenOf(check.sources, true)) this.add(key, value, 1);
    return check;
  }

  /** Adds every member of a map, or every item of a list, as a check; `singular` names the nameless. */
  all(container: unknown, singular: string): void {
    if (typeof container !== "object" || container === null) return;
    for (const { key, value } of members(container, singular, true)) this.add(key, value, 1);
  }

  /** Adds one check with its children; what it comes to, or null when the value is data and no check. */
  add(name: string, value: unknown, level: number): ComponentStatus | null {
    if (typeof value === "number" || value === undefined) return null;
    if (Array.isArray(value)) return this.addList(name, value, level);
    if (isObject(value)) return this.addObject(name, value, level);
    const word = wordOf(value);
    const status = word?.status ?? "unknown";
    this.doc.components.add({
      name,
      status,
      criticality: this.habits.common,
      lastChecked: this.time(this.habits.commonTime, name),
      error: moreThanWord(value),
      raw: word || typeof value !== "string" ? null : value,
    });
    return status;
  }

  /** A list under one name: its named items are children, nameless ones are witnesses of the same thing and merged. */
  private addList(name: string, list: readonly unknown[], level: number): ComponentStatus | null {
    const checks = list.filter(isObject).map((item) => readCheck(item, this.habits));
    if (checks.length === 0) return null;
    if (checks.every((check) => check.name !== null)) {
      let worst: ComponentStatus | null = null;
      for (const [index, item] of list.filter(isObject).entries()) {
        const status = this.add(`${name}/${checks[index]?.name}`, item, level + 1);
        if (status) worst = worst ? worse(worst, status) : status;
      }
      return worst;
    }
    const rated = checks.map((check) => ({ check, status: statusOf(check) }));
    const status = rated.reduce<ComponentStatus>((worst, one) => worse(worst, one.status), "up");
    const bad = rated.find((one) => one.status === status)?.check;
    this.leaf(name, { ...(bad ?? checks[0] ?? readCheck({})), sources: [] }, status);
    return status;
  }

  private addObject(name: string, value: Json, level: number): ComponentStatus {
    const check = readCheck(value, this.habits);
    if (this.habits.error) check.error = this.habits.error(value, name);
    const own = statusOf(check);
    const children = childrenOf(check.sources, false);
    if (children.length === 0) {
      this.leaf(name, check, own);
      return own;
    }
    if (level >= MAX_LEVELS) {
      this.doc.warn("too_deep", `checks below "${name}" were folded into it`);
      const status = worse(own, worstBelow(children, level, this.habits));
      this.leaf(name, check, status);
      return status;
    }
    let worst: ComponentStatus | null = null;
    for (const child of children) {
      const status = this.add(`${name}/${child.key}`, child.value, level + 1);
      if (status) worst = worst ? worse(worst, status) : status;
    }
    if (worst === null || ((own === "down" || own === "degraded") && worse(own, worst) !== worst)) this.leaf(name, check, own);
    return worst ? worse(worst, own) : own;
  }

  private leaf(name: string, check: Check, status: ComponentStatus): void {
    this.doc.components.add({
      name,
      status,
      criticality: check.criticality,
      latencyMs: check.latencyMs,
      lastChecked: this.time(check.time ?? this.habits.commonTime, name),
      ageMs: check.ageMs,
      error: check.error,
      raw: check.raw,
    });
  }

  private time(value: unknown, name: string): number | null {
    return this.doc.checkedAt(value, name);
  }
}

/** A check's status: its word; unknown for a word nobody knows; down when there is only an error. */
export function statusOf(check: Check): ComponentStatus {
  if (check.raw !== null) return check.word ? worse(check.word.status, "unknown") : "unknown";
  return check.word?.status ?? (check.failed ? "down" : "unknown");
}

function worstBelow(children: readonly Child[], level: number, habits: Habits): ComponentStatus {
  let worst: ComponentStatus = "up";
  for (const { value } of children) {
    if (level >= MAX_LOOK) return worse(worst, "unknown");
    if (Array.isArray(value)) worst = worse(worst, worstBelow(members(value, "", true), level + 1, habits));
    else if (isObject(value)) {
      const check = readCheck(value, habits);
      const below = childrenOf(check.sources, false);
      worst = worse(worse(worst, statusOf(check)), below.length > 0 ? worstBelow(below, level + 1, habits) : "up");
    } else worst = worse(worst, wordOf(value)?.status ?? "up");
  }
  return worst;
}

/**
 * The children among an object's values. Containers named for it hold anything that can be a check; `details`, `info` and
 * `data`, and any other object, only what says so itself. A name that two containers list is taken once, from the worse.
 */
function childrenOf(sources: readonly Source[], root: boolean): Child[] {
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
    if (role === "strong" || ((role === "word" || role === "flag") && root && wordOf(value) === null)) {
      const inner = members(value, singular(key), root && (role !== "strong" || PRIMARY.has(fold(key))));
      if (isObject(value) && textOf(value.status) && !inner.some((child) => child.key !== "status" && mayBeCheck(child.value)))
        push(source, { key, value });
      else for (const child of inner) push(source, child);
    } else if (role === "weak" || role === "error") {
      if (isObject(value)) for (const child of weakMembers(value, root && key === "details")) push(source, child);
      else if (root && isListOfChecks(value)) for (const child of members(value, singular(key), true)) push(source, child);
    } else if (isListOfChecks(value)) push(source, { key, value });
    else if (isObject(value) && role !== "word" && role !== "hint" && (saysStatus(value) || isGroup(value) || (root && saysFlag(value))))
      push(source, { key, value });
  }
  return children;
}

/** Containers whose members are checks even when they state no status, at the top of an answer. */
const PRIMARY = new Set(
  "checks components services dependencies entries indicators healthchecks checkresults subsystems results probes".split(" "),
);

/** The members of a container: all but numbers where `lenient`, else only what states a status. */
function members(container: object, nameless: string, lenient: boolean): Child[] {
  const children: Child[] = [];
  if (Array.isArray(container)) {
    for (const [index, value] of container.entries()) {
      if (!isObject(value) || !(lenient || saysStatus(value) || saysFlag(value))) continue;
      children.push({ key: readCheck(value).name ?? `${nameless}-${index + 1}`, value });
    }
    return children;
  }
  for (const [key, value] of Object.entries(container)) {
    if (typeof value === "number" || !(lenient || isCheckLike(value))) continue;
    children.push({ key, value });
  }
  return children;
}

function isCheckLike(value: unknown): boolean {
  if (typeof value === "string") return wordOf(value) !== null;
  if (Array.isArray(value)) return value.some((item) => isObject(item) && saysStatus(item));
  return isObject(value) && (saysStatus(value) || saysFlag(value) || isGroup(value));
}

function weakMembers(container: Json, words: boolean): Child[] {
  const children: Child[] = [];
  for (const [key, value] of Object.entries(container)) {
    if (
      isObject(value)
        ? saysStatus(value)
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
  for (const key of ["healthy", "ok", "isHealthy", "Healthy", "IsHealthy"]) if (typeof value[key] === "boolean") return true;
  return false;
}

/** True for an object that is nothing but checks, though it states no status of its own. */
function isGroup(value: Json): boolean {
  const members = Object.values(value);
  return members.length > 0 && members.every((member) => isObject(member) && saysStatus(member) && readCheck(member).word !== null);
}

/** True for a list whose items are all named and state a status that we know. */
function isListOfChecks(value: object): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  return value.every((item) => {
    const check = isObject(item) && saysStatus(item) ? readCheck(item) : null;
    return check !== null && check.name !== null && check.word !== null;
  });
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

/** The reading of a whole answer whose word is the root's own. */
export function rootWord(check: Check): { word: Word | null; rawWord?: string } {
  if (check.raw !== null) return check.word && check.word.status !== "up" ? { word: check.word } : { word: null, rawWord: check.raw };
  return { word: check.word };
}
