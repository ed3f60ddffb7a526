import type { Dialect } from "../dialect.ts";
import { addClusters, countHost, type Hosts } from "../envoy.ts";
import { linesOf } from "../lines.ts";

/** Envoy's admin `/clusters` as text. */
export const envoyText: Dialect = {
  name: "envoy-clusters-text",
  title: "Envoy `/clusters` (text)",
  recognised: "text whose lines are `cluster::…::key::value`",
  mapped: "a component per cluster, from the `health_flags` of its hosts",
  kinds: ["text"],
  matches: ({ text }) => /^[^\s:]+::[^\n]+::[^\n]*$/m.test(text) && /^[^\n]*::health_flags::|^[^\n]*::added_via_api::/m.test(text),
  normalise(doc) {
    const clusters = new Map<string, Hosts>();
    for (const line of linesOf(doc)) {
      const parts = line.split("::");
      const name = parts[0] ?? "";
      if (parts.length < 3 || name === "") continue;
      countHost(clusters, name, parts.at(-2) === "health_flags" ? parts.at(-1) === "healthy" : null);
    }
    addClusters(doc, clusters);
    return { word: null };
  },
};
