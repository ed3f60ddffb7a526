import type { Dialect } from "../dialect.ts";
import { linesOf } from "../lines.ts";

const CHECK = /^\[([+-])\](\S.*?) (ok|excluded: ok|failed(?:: (.*))?)$/;
const VERDICT = /^(?:\S+ )?check (passed|failed)$/;

/** Kubernetes' own healthz, livez and readyz, verbose. */
export const k8sHealthz: Dialect = {
  name: "k8s-healthz",
  title: "Kubernetes healthz, livez, readyz (verbose)",
  recognised: "text whose lines begin with `[+]` or `[-]`",
  mapped: "`[+]` up, `[-]` down, excluded checks unknown; the last line is the service's word; `warn:` lines are none of them",
  kinds: ["text"],
  matches: ({ text }) => /^\[[+-]\]\S/.test(text),
  normalise(doc) {
    let word: "up" | "down" | null = null;
    for (const line of linesOf(doc)) {
      const verdict = VERDICT.exec(line);
      if (verdict) word = verdict[1] === "passed" ? "up" : "down";
      const check = CHECK.exec(line);
      if (!check?.[2]) continue;
      const status = check[1] === "-" ? "down" : check[3] === "ok" ? "up" : "unknown";
      doc.components.add({ name: check[2], status, error: check[4] });
    }
    return { word: word && { status: word } };
  },
};
