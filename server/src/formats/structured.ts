import type { Habits } from "./check.ts";
import type { Dialect, Document, Reading } from "./dialect.ts";
import { roleOf } from "./fields.ts";
import { isObject, type Json } from "./json.ts";
import { rootWord, Tree } from "./tree.ts";

interface Shape extends Pick<Dialect, "name" | "title" | "recognised" | "mapped"> {
  matches(value: Json, doc: Document): boolean;
  habits?: Habits | ((value: Json) => Habits);
  /** What differs from the common reading, once that is done. */
  adjust?: (reading: Reading, value: Json, doc: Document) => Reading;
}

/** A dialect that is a JSON object with a word and checks in the common places, read by `Tree` with some habits of its own. */
export function structured({ matches, habits, adjust, ...rest }: Shape): Dialect {
  return {
    ...rest,
    kinds: ["object"],
    matches: (doc) => isObject(doc.value) && matches(doc.value, doc),
    normalise(doc) {
      if (!isObject(doc.value)) return null;
      const tree = new Tree(doc, typeof habits === "function" ? habits(doc.value) : habits);
      const reading = rootWord(tree.root(doc.value));
      return adjust ? adjust(reading, doc.value, doc) : reading;
    },
  };
}

/** True when the answer is an object with members, and every one of them is an object that passes; a `status` is none. */
export function everyCheck({ keys, values }: Document, test: (member: Json) => boolean): boolean {
  return values.length > 0 && values.every((member) => isObject(member) && test(member)) && !keys.includes("status");
}

/** False when the answer has containers of checks beside its own: it is not what it looks like then, and they must count. */
export function hasNoOther({ value, keys }: Document, ...own: string[]): boolean {
  return isObject(value) && !keys.some((key) => roleOf(key) === "strong" && !own.includes(key) && typeof value[key] === "object");
}

/** True when the object has members, and every one of them is an object that passes. */
export function everyMember(value: unknown, test: (member: Json) => boolean): value is { [key: string]: Json } {
  if (!isObject(value)) return false;
  const members = Object.values(value);
  return members.length > 0 && members.every((member) => isObject(member) && test(member));
}

/** True when it is a list of at least one object, and every one of them passes. */
export function everyItem(value: unknown, test: (item: Json) => boolean): value is Json[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => isObject(item) && test(item));
}
