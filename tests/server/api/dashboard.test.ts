import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { appOn, closeApps } from "../../support/app.ts";
import { type Panel, panelsOf } from "../../support/dashboard.ts";
import { TestLive } from "../../support/live.ts";

afterAll(closeApps);

const { panels, text } = panelsOf();
const named = panels.map((panel) => [panel.title, panel] as const);
const drawn = named.filter(([, { type }]) => type !== "row");

/** Names of the metrics, with the labels of their first series. */
async function metrics(): Promise<Map<string, string>> {
  const receivers = new Map([["webhook", { sent: 1, dropped: 0, waiting: 0, failures: 0 }]]);
  const { body } = await (await appOn(new TestLive(), { alerts: () => receivers })).inject("/metrics");
  const lines = body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(lines.reverse().map((line) => [/^\w+/.exec(line)?.[0] ?? "", line]));
}

describe("the dashboard for Grafana", () => {
  it("asks for metrics and labels that there are, and for each that matters", async () => {
    const known = await metrics();
    const asked = new Set<string>();
    for (const [, name = "", labels = ""] of text.matchAll(/\b((?:headwater|process)_\w+)\{([^}]*)\}/g)) {
      const line = known.get(name);
      expect(line, name).toBeDefined();
      asked.add(name);
      for (const [, label = ""] of labels.matchAll(/(\w+)\s*=/g))
        if (label !== "job" && label !== "instance") expect(line, name).toContain(`${label}="`);
    }
    const left = [...known.keys()].filter((name) => !asked.has(name) && !/_(?:sum|count)$|^headwater_blind$/.test(name));
    expect(left).toEqual([]);
  });

  it.each(drawn)("%s has a unit, a question, and the chosen source", (_title, panel: Panel) => {
    expect(panel.fieldConfig?.defaults.unit).toMatch(/^\w+$/);
    expect(panel.targets?.length).toBeGreaterThan(0);
    for (const { expr, datasource } of panel.targets ?? []) {
      expect(datasource.uid).toBe("$" + "{datasource}");
      expect(expr).toContain('job="$job", instance="$instance"');
    }
  });

  it("has each id once and no panel over another", () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  });

  it("is named in the guide that says how to use it", () => {
    expect(readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8")).toContain("grafana-dashboard.json");
  });
});
