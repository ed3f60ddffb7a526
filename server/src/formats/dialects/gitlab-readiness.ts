import { isObject, textOf } from "../json.ts";
import { structured } from "../structured.ts";
import { Tree } from "../tree.ts";

/** GitLab's readiness with `?all=1`: each check is a list of probes, one a shard. */
export const gitlab = structured({
  name: "gitlab-readiness",
  title: "GitLab readiness and liveness",
  recognised: "`status`, and members named `…_check` that are lists of objects",
  mapped: "a check is the worst of its probes; the error is that probe's `message`",
  matches: (value) => textOf(value.status) !== null && Object.entries(value).some(isProbes),
  adjust(reading, value, doc) {
    const tree = new Tree(doc);
    for (const member of Object.entries(value)) if (isProbes(member)) tree.add(member[0], member[1], 1);
    return reading;
  },
});

function isProbes([key, member]: [string, unknown]): boolean {
  return key.endsWith("_check") && Array.isArray(member) && member.every(isObject);
}
