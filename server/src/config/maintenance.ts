import type { Maintenance } from "../domain/map.ts";
import { type Context, undeclared } from "./context.ts";
import { items, type MapNodeTree, placeOf, scalar, text, textOf } from "./tree.ts";

/** Checks the announced windows: nodes that exist, a known zone, an end after the start. */
export function checkMaintenance(context: Context): void {
  for (const window of context.all.maintenance) {
    const zone = scalar(window, "zone");
    if (zone && !zone.opaque && formatter(textOf(zone)) === null) {
      const hint = context.suggester.hint(textOf(zone), Intl.supportedValuesOf("timeZone"));
      context.findings.error(placeOf(zone), "unknown-zone", `zone ${JSON.stringify(zone.source)} is no IANA time zone${hint}`);
    }
    for (const node of items(window, "nodes")) {
      if (node.kind !== "scalar" || context.all.nodes.has(textOf(node))) continue;
      const id = textOf(node);
      if (context.all.systems.has(id)) {
        context.findings.error(
          placeOf(node),
          "names-a-system",
          `${JSON.stringify(id)} is a system, not a node: name the services or resources that are worked on`,
        );
      } else undeclared(context, node, id, "node", context.all.nodes.keys());
    }
    checkOrder(context, window);
  }
}

function checkOrder(context: Context, window: MapNodeTree): void {
  const to = scalar(window, "to");
  const [from, end] = [text(window, "from"), to ? textOf(to) : null];
  if (!to || from === null || end === null || from.includes("$") || end.includes("$")) return;
  const zone = knownZone(text(window, "zone"));
  if (instant(end, zone, "last") <= instant(from, zone, "first")) {
    context.findings.error(placeOf(to), "window-order", "the window ends before it starts, or as it starts: `to` must be after `from`");
  }
}

function knownZone(zone: string | null): string {
  return zone !== null && formatter(zone) !== null ? zone : "UTC";
}

/** A checked window with its times as instants. */
export function maintenanceOf(window: MapNodeTree): Maintenance {
  const zone = knownZone(text(window, "zone"));
  const nodes = items(window, "nodes").flatMap((node) => (node.kind === "scalar" ? [textOf(node)] : []));
  return {
    nodes,
    from: instant(text(window, "from") ?? "", zone, "first"),
    to: instant(text(window, "to") ?? "", zone, "last"),
    reason: text(window, "reason") ?? "",
  };
}

function formatter(zone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
  } catch {
    return null;
  }
}

/** Milliseconds by which the zone's clocks are ahead of UTC at an instant. */
function offset(at: number, zone: Intl.DateTimeFormat): number {
  const parts: Record<string, number> = {};
  for (const { type, value } of zone.formatToParts(at)) parts[type] = Number(value);
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) - at;
}

/**
 * The instant of a local time. An hour that the clocks repeat is read so that the window is the longer one; an hour
 * that they skip is read by the offset before it, and so lands just behind the gap.
 */
function instant(local: string, zone: string, which: "first" | "last"): number {
  const wall = Date.parse(`${local}Z`);
  const clock = formatter(zone);
  if (Number.isNaN(wall) || clock === null) return Number.NaN;
  const offsets = [offset(wall - 86_400_000, clock), offset(wall + 86_400_000, clock)];
  const candidates = offsets.map((ahead) => wall - ahead);
  const real = candidates.filter((at) => at + offset(at, clock) === wall);
  if (real.length === 0) return candidates[0] ?? Number.NaN;
  return which === "first" ? Math.min(...real) : Math.max(...real);
}
