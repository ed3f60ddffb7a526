import { readFileSync } from "node:fs";

export interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { expr: string; datasource: { uid: string } }[];
}

/** The shipped dashboard's panels, and its expressions as one text. */
export function panelsOf(): { panels: Panel[]; text: string } {
  const file = new URL("../../config/monitors/grafana-dashboard.json", import.meta.url);
  const { panels } = JSON.parse(readFileSync(file, "utf8")) as { panels: Panel[] };
  return { panels, text: panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join("\n") };
}
