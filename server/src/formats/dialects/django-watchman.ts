import type { Dialect } from "../dialect.ts";
import { isObject } from "../json.ts";
import { everyMember } from "../structured.ts";
import { Tree } from "../tree.ts";

/** django-watchman: `{ caches: [{ default: { ok } }], storage: { ok } }`. */
export const djangoWatchman: Dialect = {
  name: "django-watchman",
  title: "django-watchman",
  recognised: "every member is an object with `ok`, or a list of objects from an alias to such an object, and one is a list",
  mapped: "aliases to `caches/default`; stack traces are left out",
  kinds: ["object"],
  matches: ({ values }) => values.some(isAliases) && values.every((member) => isAliases(member) || isVerdict(member)),
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    const tree = new Tree(doc);
    for (const [name, member] of Object.entries(doc.value)) addMember(tree, name, member);
    return { word: null };
  },
};

function addMember(tree: Tree, name: string, member: unknown): void {
  if (!Array.isArray(member)) {
    tree.add(name, member, 1);
    return;
  }
  for (const aliases of member) {
    for (const [alias, verdict] of Object.entries(isObject(aliases) ? aliases : {})) tree.add(`${name}/${alias}`, verdict, 2);
  }
}

function isVerdict(value: unknown): boolean {
  return isObject(value) && typeof value.ok === "boolean";
}

function isAliases(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => everyMember(item, isVerdict));
}
