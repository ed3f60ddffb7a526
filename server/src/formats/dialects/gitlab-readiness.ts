import { isObject, textOf } from "../json.ts";
import { structured } from "../structured.ts";

/** GitLab's readiness with `?all=1`: each check is a list of probes, one a shard. */
export const gitlab = structured({
  name: "gitlab-readiness",
  title: "GitLab readiness and liveness",
  recognised: "`status`, and members named `…_check` that are lists of objects",
  mapped: "a check is the worst of its probes; the error is that probe's `message`",
  matches: (value, { keys }) => textOf(value.status) !== null && keys.some((key) => isProbes(key, value[key])),
});

function isProbes(key: string, member: unknown): boolean {
  return key.endsWith("_check") && Array.isArray(member) && member.every(isObject);
}
