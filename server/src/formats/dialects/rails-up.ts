import type { Dialect } from "../dialect.ts";

const PAGE =
  /^<!doctype html>\s*<html>(?:\s*<head>.{0,400}<\/head>)?\s*<body style="background-color:\s?(green|red);?">\s*<\/body>\s*<\/html>$/is;

/** Rails' `/up`, the one HTML page that counts. */
export const railsUp: Dialect = {
  name: "rails-up",
  title: "Rails `/up`",
  recognised: "exactly its page: an empty body with a green or red background",
  mapped: "green healthy, red unhealthy",
  kinds: ["html"],
  matches: ({ text }) => text.length < 1_000 && PAGE.test(text),
  normalise({ text }) {
    const colour = PAGE.exec(text)?.[1]?.toLowerCase();
    return colour ? { word: { status: colour === "green" ? "up" : "down" } } : null;
  },
};
