import { type Direction, MOST_DRAWN } from "./graph.ts";

export type MapKind = "path" | "all" | "focus" | "team" | "system";

export const MAP_WORDS = [
  ["path", "Failure path"],
  ["all", "Everything"],
  ["team", "By team"],
  ["system", "By system"],
  ["focus", "Around a node"],
] as const satisfies readonly (readonly [MapKind, string])[];

export const DEPTHS = ["1", "2", "3", "all"] as const;
export const DIRECTIONS = [
  ["both", "both ways"],
  ["needs", "what it needs"],
  ["needed", "what needs it"],
] as const satisfies readonly (readonly [Direction, string])[];

/** What the map shows; all of it is in the URL. */
export interface MapQuery {
  view: MapKind;
  /** The node in the middle. */
  focus: string | null;
  depth: (typeof DEPTHS)[number];
  direction: Direction;
  /** As a list in place of the picture. */
  listed: boolean;
  /** The incident that is replayed. */
  incident: number | null;
}

/** What there is to show: whether something fails, how many nodes, teams and systems, and whether the screen is a phone's. */
interface MapGiven {
  trouble: boolean;
  nodes: number;
  teams: number;
  systems: number;
  narrow: boolean;
}

/** Reads the search part of the map's URL; where it says nothing, what serves best: the failure, else as much as can be drawn. */
export function parseMapQuery(params: URLSearchParams, given: MapGiven): MapQuery {
  const focus = params.get("focus");
  const whole: MapKind = given.nodes <= MOST_DRAWN ? "all" : given.teams > MOST_DRAWN && given.systems > 0 ? "system" : "team";
  const fallback: MapKind = focus ? "focus" : given.trouble ? "path" : whole;
  const incident = Number(params.get("incident") ?? Number.NaN);
  return {
    view: MAP_WORDS.find(([key]) => key === params.get("view"))?.[0] ?? fallback,
    focus,
    depth: DEPTHS.find((one) => one === params.get("depth")) ?? "2",
    direction: DIRECTIONS.find(([key]) => key === params.get("direction"))?.[0] ?? "both",
    listed: params.has("list") ? params.get("list") !== "0" : given.narrow,
    incident: Number.isFinite(incident) ? incident : null,
  };
}
