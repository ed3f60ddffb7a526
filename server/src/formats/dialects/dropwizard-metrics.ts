import type { Dialect } from "../dialect.ts";
import { everyCheck } from "../structured.ts";
import { Tree } from "../tree.ts";

/** Dropwizard metrics, Sonatype Nexus too: a map from name to result. */
export const dropwizardMetrics: Dialect = {
  name: "dropwizard-metrics",
  title: "Dropwizard metrics health checks, Sonatype Nexus",
  recognised: "a map whose members all have `healthy` as a boolean",
  mapped: "`duration` in milliseconds; the error is `error.message`, else `message`; details beside them are left out",
  kinds: ["object"],
  matches: (doc) => everyCheck(doc, (check) => typeof check.healthy === "boolean"),
  normalise(doc) {
    new Tree(doc, { unit: "ms" }).all(doc.value, "check");
    return { word: null };
  },
};
