import { formatDuration, parseDuration } from "../domain/duration.ts";
import type { Place } from "../domain/map.ts";
import type { CheckCode } from "./codes.ts";
import type { Context } from "./context.ts";
import { parseSize } from "./size.ts";
import { type MapNodeTree, placeOf, type ScalarNode, textOf } from "./tree.ts";

/** How a service is polled and damped: its own keys over the map's defaults over Headwater's. Milliseconds and bytes. */
export interface Timing {
  interval: number;
  timeout: number;
  flipAfter: number;
  downAfter: number;
  upAfter: number;
  maxAge: number;
  componentMaxAge: number;
  format: string;
  maxBody: number;
}

const INTERVAL = 10_000;
const TIMEOUT = 2_000;
const FLIP_AFTER = 3;
const MAX_BODY = 262_144;
/** Shorter would be a flood by mistake, longer overflows a timer. */
const SHORTEST_INTERVAL = 10;
const LONGEST_INTERVAL = 86_400_000;

/** The node that says a setting, and whether the service itself does; null where nobody does or what is said is wrong. */
function setting(service: MapNodeTree | null, defaults: MapNodeTree | null, key: string): { node: ScalarNode; own: boolean } | null {
  const own = service?.entries.get(key);
  const entry = own ?? defaults?.entries.get(key);
  if (!entry || entry.node.bad || entry.node.kind !== "scalar" || entry.node.value === null || entry.node.opaque) return null;
  return { node: entry.node, own: own !== undefined };
}

/** Settings in effect; what is wrong counts as not said. */
export function timingOf(service: MapNodeTree | null, defaults: MapNodeTree | null): Timing {
  const said = (key: string) => setting(service, defaults, key)?.node;
  const duration = (key: string) => {
    const node = said(key);
    return node ? parseDuration(textOf(node)) : null;
  };
  const count = (key: string) => {
    const value = said(key)?.value;
    return typeof value === "number" ? value : null;
  };
  const interval = duration("interval") ?? INTERVAL;
  const timeout = duration("timeout") ?? TIMEOUT;
  const flipAfter = count("flip_after") ?? FLIP_AFTER;
  const downAfter = count("down_after") ?? flipAfter;
  const upAfter = count("up_after") ?? flipAfter;
  const usualAge = Math.max(60_000, (Math.max(flipAfter, downAfter, upAfter) + 1) * interval + timeout);
  const format = said("format");
  const body = said("max_body");
  return {
    interval,
    timeout,
    flipAfter,
    downAfter,
    upAfter,
    maxAge: duration("max_age") ?? usualAge,
    componentMaxAge: duration("component_max_age") ?? usualAge,
    format: format ? textOf(format) : "auto",
    maxBody: (body ? parseSize(textOf(body)) : null) ?? MAX_BODY,
  };
}

/** Checks durations against each other: once for the defaults, then for each service that says one of the two itself. */
export function checkTiming(context: Context): void {
  const { defaults, nodes } = context.all;
  if (defaults) checkOne(context, null, defaults, placeOf(defaults));
  for (const node of nodes.values()) if (node.section === "services") checkOne(context, node.body, defaults, node.place);
}

function checkOne(context: Context, service: MapNodeTree | null, defaults: MapNodeTree | null, fallback: Place): void {
  const timing = timingOf(service, defaults);
  const { interval, timeout, maxAge } = timing;
  const [every, most] = [formatDuration(interval), formatDuration(timeout)];
  const conflict = (keys: readonly string[], code: CheckCode, message: string) => {
    const place = culprit(service, defaults, keys, fallback);
    if (place) context.findings.error(place, code, message);
  };
  if (timeout >= interval)
    conflict(["timeout", "interval"], "timeout-not-below-interval", `timeout ${most} is not below interval ${every}`);
  if (maxAge < interval)
    conflict(["max_age", "interval"], "max-age-below-interval", `max_age ${formatDuration(maxAge)} is below interval ${every}`);
  if (interval < SHORTEST_INTERVAL || interval > LONGEST_INTERVAL)
    conflict(["interval"], "out-of-range", `interval ${every} is not between 10ms and 1d`);
}

/** Where a conflict was caused: the first of the keys that is said here; null when none is, or one of them is wrong by itself. */
function culprit(service: MapNodeTree | null, defaults: MapNodeTree | null, keys: readonly string[], fallback: Place): Place | null {
  const here = service ?? defaults;
  const said = keys.map((key) => ({ key, entry: here?.entries.get(key) }));
  const wrong = keys.some((key) => (service?.entries.get(key) ?? defaults?.entries.get(key)) && !setting(service, defaults, key));
  if (wrong || said.every(({ entry }) => !entry)) return null;
  const entry = said.find(({ entry }) => entry && !entry.merged)?.entry;
  return entry ? placeOf(entry.node) : fallback;
}
