import type { ComponentStatus } from "../domain/status.ts";
import { nameOf } from "./check.ts";
import type { Document } from "./dialect.ts";
import { errorText } from "./error-text.ts";
import { isObject, type Json } from "./json.ts";
import { fold } from "./vocabulary.ts";

/** Keys that say how the checks are that they list; plain words such as `errors` and `connected` list other things. */
const KEY =
  /^(?:(passing|passed|healthy|up)|(degraded|warning)|(failing|failed|unhealthy|down))(?:checks|services|components|dependencies)?$/;
/** What could be the name of a check, and no sentence. */
const NAME = /^[\w .:/-]{1,60}$/;
const MAX_ITEMS = 500;

/** Lists whose key is the verdict of all they name: `{ failing: ["search"], passing: ["db"] }`. Anything else in them is data. */
export function addVerdictLists(doc: Document, value: Json): void {
  for (const key of Object.keys(value)) {
    const list = value[key];
    if (!Array.isArray(list) || list.length === 0 || list.length > MAX_ITEMS) continue;
    const match = KEY.exec(fold(key));
    if (!match) continue;
    const status: ComponentStatus = match[1] ? "up" : match[2] ? "degraded" : "down";
    const names = list.map((item) => (isObject(item) ? nameOf(item) : typeof item === "string" && NAME.test(item) ? item : null));
    if (!names.every((name) => name !== null)) continue;
    for (const [index, name] of names.entries()) {
      const item: unknown = list[index];
      doc.components.add({ name, status, error: isObject(item) ? errorText(item) : null });
    }
  }
}
