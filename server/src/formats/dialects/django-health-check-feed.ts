import type { ComponentStatus } from "../../domain/status.ts";
import type { Dialect } from "../dialect.ts";
import { parseLength } from "../durations.ts";

const MAX_ITEMS = 500;

/** django-health-check as RSS or Atom, which always come with 200. */
export const djangoFeeds: Dialect = {
  name: "django-health-check-feed",
  title: "django-health-check 4 (RSS and Atom)",
  recognised: "a feed with the title Health Check Status",
  mapped: "each item is a component by its category healthy or unhealthy; warnings degraded; the response time is in seconds",
  kinds: ["html"],
  matches: ({ text }) => /^<\?xml[\s\S]{0,600}?<title>Health Check Status<\/title>/.test(text),
  normalise(doc) {
    for (const item of doc.text.split(/<(?:item|entry)>/, MAX_ITEMS).slice(1)) {
      const text = plain(/<(description|summary)[^>]{0,60}>([\s\S]*?)<\/\1>/.exec(item)?.[2] ?? "");
      const time = /Response time: (\d+(?:\.\d+)?)s/.exec(text);
      const error = (time ? text.slice(0, time.index) : text).trim();
      const name = plain(/<title>([\s\S]*?)<\/title>/.exec(item)?.[1] ?? "");
      doc.components.add({ name, status: statusOf(item, error), latencyMs: parseLength(time?.[1], "s"), error });
    }
    return { word: null };
  },
};

function statusOf(item: string, error: string): ComponentStatus {
  if (/^warning\b/i.test(error)) return "degraded";
  if (/[>"]unhealthy[<"]/.test(item)) return "down";
  return /[>"]healthy[<"]/.test(item) ? "up" : "unknown";
}

const ENTITIES: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", "#39": "'", "#x27": "'", amp: "&" };

function plain(xml: string): string {
  return xml.replace(/&(lt|gt|quot|apos|#39|#x27|amp);/g, (_all, name: string) => ENTITIES[name] ?? "");
}
