import { readCheck } from "../check.ts";
import type { Dialect } from "../dialect.ts";
import { isObject, textOf } from "../json.ts";
import { rootWord, Tree } from "../tree.ts";

/** GitLab's readiness with `?all=1`: each check is a list of probes, one a shard. */
export const gitlab: Dialect = {
  name: "gitlab-readiness",
  title: "GitLab readiness and liveness",
  recognised: "`status`, and members named `…_check` that are lists of objects or such objects",
  mapped: "a check is the worst of its probes; the error is that probe's `message`",
  kinds: ["object"],
  matches: ({ value }) =>
    isObject(value) &&
    textOf(value.status) !== null &&
    Object.entries(value).some(([key, member]) => key.endsWith("_check") && Array.isArray(member) && member.every(isObject)),
  normalise(doc) {
    if (!isObject(doc.value)) return null;
    const tree = new Tree(doc);
    for (const [key, member] of Object.entries(doc.value)) if (key.endsWith("_check")) tree.add(key, member, 1);
    return rootWord(readCheck({ status: doc.value.status }));
  },
};
