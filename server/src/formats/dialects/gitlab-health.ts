import type { Dialect } from "../dialect.ts";

/** GitLab's `/-/health`, which answers in its own name. */
export const gitlabHealth: Dialect = {
  name: "gitlab-health",
  title: "GitLab `/-/health`",
  recognised: "text that is exactly GitLab OK",
  mapped: "healthy, no components",
  kinds: ["text"],
  matches: ({ text }) => text === "GitLab OK",
  normalise: ({ text }) => (text === "GitLab OK" ? { word: { status: "up" } } : null),
};
