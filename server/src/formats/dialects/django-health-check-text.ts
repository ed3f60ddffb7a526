import type { Dialect } from "../dialect.ts";
import { addVerdict, readingOf } from "../django.ts";
import { linesOf } from "../lines.ts";

const LINE = /^(.+): (OK|working|(?:Unavailable|Warning|Unexpected Result|Unknown Error): .*)$/i;

/** django-health-check 4 as text: `repr(check): verdict`, where the verdict has a colon of its own. */
export const djangoText: Dialect = {
  name: "django-health-check-text",
  title: "django-health-check 4 (text)",
  recognised: "text whose lines all end in `: OK`, or in `: Unavailable: …` and the like",
  mapped: "split at the last colon before the verdict; otherwise as the JSON form",
  kinds: ["text"],
  matches: (doc) => {
    const lines = linesOf(doc);
    return (
      lines.length > 0 &&
      lines.every((line) => LINE.test(line)) &&
      lines.some((line) => /\(.*\): |: (?:Unavailable|Warning|Unexpected Result|Unknown Error): /.test(line))
    );
  },
  normalise(doc) {
    for (const line of linesOf(doc)) {
      const match = LINE.exec(line);
      if (match?.[1]) addVerdict(doc, match[1], match[2] ?? "");
    }
    return readingOf(doc);
  },
};
