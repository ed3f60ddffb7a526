import type { Dialect } from "../dialect.ts";
import { wordOf } from "../word.ts";

const WORDS = /^(?:passing|warning|critical)$/;

/** Consul's agent health in the one-word form that `?format=text` gives. */
export const consulText: Dialect = {
  name: "consul-agent-text",
  title: "Consul agent health as text",
  recognised: "text that is exactly passing, warning or critical",
  mapped: "healthy, degraded, unhealthy; 429 comes with warning and is no rate limit",
  kinds: ["text"],
  matches: ({ text }) => WORDS.test(text),
  normalise: ({ text }) => ({ word: wordOf(text), clientErrorSpeaks: true }),
};
