import type { ComponentStatus, Criticality } from "../domain/status.ts";
import { type Check, type Habits, nameOf, readCheck, statusOf } from "./check.ts";
import { type Child, childrenOf, members, verdictsIn } from "./children.ts";
import type { Document } from "./dialect.ts";
import { isObject, type Json } from "./json.ts";
import { type Word, worse } from "./vocabulary.ts";
import { moreThanWord, wordOf } from "./word.ts";

/** Levels of named composites; what lies below is folded into the last one. */
const MAX_LEVELS = 8;
/** Levels that are looked at all. */
const MAX_LOOK = 64;

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

  /** The fields of the whole answer, with all checks found in it added, but for those below the key that a dialect has read itself. */
  root(object: Json, done: string | null = null): Check {
    const check = readCheck(object, this.habits);
    if (done !== null) check.sources = check.sources.filter(({ key }) => key !== done);
    // What alone holds anything, where nothing else speaks, is the answer in its envelope and no check.
    const wrapped = check.word === null && check.raw === null && check.sources.length === 1 && check.sources[0]?.role === "envelope";
    for (const { key, value } of wrapped ? [] : childrenOf(check.sources, true)) this.add(key, value, 1);
    return check;
  }

  /** Adds every member of a map, or every item of a list, as a check; `singular` names the nameless. */
  all(container: unknown, singular: string): void {
    if (typeof container !== "object" || container === null) return;
    for (const { key, value } of members(container, singular, true)) this.add(key, value, 1);
  }

  /**
   * Adds one check with its children, which take over the criticality of their parent unless they state their own. Gives
   * what it comes to, or null when the value is data and no check.
   */
  add(name: string, value: unknown, level: number, above: Criticality | null = null): ComponentStatus | null {
    if (typeof value === "number" || value === undefined) return null;
    if (Array.isArray(value)) return this.addList(name, value, level, above);
    if (isObject(value)) return this.addObject(name, value, level, above);
    const word = wordOf(value);
    const status = word?.status ?? "unknown";
    this.doc.components.add({
      name,
      status,
      criticality: above ?? this.habits.common,
      lastChecked: this.time(this.habits.commonTime, name),
      error: moreThanWord(value),
      raw: word || typeof value !== "string" ? null : value,
    });
    return status;
  }

  /** A list under one name: items with names or children are children, others are witnesses of the same thing and merged. */
  private addList(name: string, list: readonly unknown[], level: number, above: Criticality | null): ComponentStatus | null {
    const items = list.filter(isObject).map((item) => ({ item, check: readCheck(item, this.habits) }));
    if (items.some(({ item, check }) => nameOf(item) !== null || childrenOf(check.sources, false).length > 0)) {
      const children = items.map(({ item }, index) => ({ key: nameOf(item) ?? String(index + 1), value: item }));
      return this.addAll(name, children, level, above);
    }
    let worst: { check: Check; status: ComponentStatus } | null = null;
    for (const { check } of items) {
      const status = statusOf(check);
      if (worst === null || worse(worst.status, status) !== worst.status) worst = { check, status };
    }
    if (worst === null) return null;
    worst.check.criticality ??= above;
    this.leaf(name, worst.check, worst.status);
    return worst.status;
  }

  private addAll(name: string, children: readonly Child[], level: number, above: Criticality | null): ComponentStatus | null {
    let worst: ComponentStatus | null = null;
    for (const child of children) {
      const status = this.add(`${name}/${child.key}`, child.value, level + 1, above);
      if (status) worst = worst ? worse(worst, status) : status;
    }
    return worst;
  }

  private addObject(name: string, value: Json, level: number, above: Criticality | null): ComponentStatus {
    const check = readCheck(value, this.habits);
    if (this.habits.error) check.error = this.habits.error(value, name);
    check.criticality ??= above;
    const own = statusOf(check);
    const listed = childrenOf(check.sources, false);
    const children = listed.length === 0 && isSilent(check) ? verdictsIn(value) : listed;
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
    const worst = this.addAll(name, children, level, check.criticality);
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

/** True for what stands among checks and says nothing of itself: it may be a group of checks. */
function isSilent({ word, raw, failed, error }: Check): boolean {
  return word === null && raw === null && !failed && error === null;
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

/** The reading of a whole answer whose word is the root's own. */
export function rootWord(check: Check): { word: Word | null; rawWord?: string } {
  if (check.raw !== null) return check.word && check.word.status !== "up" ? { word: check.word } : { word: null, rawWord: check.raw };
  return { word: check.word };
}
