import type { ComponentStatus } from "../../domain/status.ts";
import { everyItem, structured } from "../structured.ts";
import { wordOf } from "../word.ts";

/** By number, where `status_name` is missing: here 0 is fine. */
const NUMBERS: readonly ComponentStatus[] = ["up", "degraded", "unknown", "down"];

/** LiipMonitorBundle: always 200; KO is said for warnings too. */
export const liipMonitor = structured({
  name: "liip-monitor",
  title: "LiipMonitorBundle (laminas-diagnostics)",
  recognised: "`checks` is a list of objects with `checkName`",
  mapped: "`status_name`, else 0 up, 1 degraded, 2 unknown, 3 down; `duration` in seconds; KO with warnings alone is degraded",
  matches: (value) => everyItem(value.checks, (check) => typeof check.checkName === "string"),
  habits: {
    unit: "s",
    word(entry) {
      if (!("checkName" in entry)) return "globalStatus" in entry ? wordOf(entry.globalStatus) : undefined;
      if (typeof entry.status === "string") return wordOf(entry.status);
      if (typeof entry.status_name === "string") return wordOf(entry.status_name);
      const status = typeof entry.status === "number" ? NUMBERS[entry.status] : undefined;
      return status ? { status } : null;
    },
  },
  adjust(reading, _value, doc) {
    const statuses = new Set(doc.components.items.map(({ status }) => status));
    const mild = reading.word?.status === "down" && statuses.has("degraded") && !statuses.has("down");
    return mild ? { ...reading, word: { status: "degraded" } } : reading;
  },
});
