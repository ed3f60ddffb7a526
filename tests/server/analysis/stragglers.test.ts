import { describe, expect, it } from "vitest";
import { momentOf } from "../../../server/src/analysis/replay.ts";
import { withStragglers } from "../../../server/src/analysis/stragglers.ts";
import type { Verdict } from "../../../server/src/domain/incident.ts";
import { Life } from "../../support/life.ts";
import { mapOf, type Said } from "../../support/scene.ts";

const IDS = [..."abcdefghijkl"];
const DB: Said = { down: ["db"] };

/** Nodes in trouble, as the board shows them in this second, that have no role. */
function withoutRole(life: Life): string[] {
  const { evidence, verdict } = momentOf(life.map, life.state, life.now - 1_000);
  const { roles } = withStragglers(verdict, life.incidents, evidence);
  const troubled = [...evidence.state.nodes].filter(([, { status }]) => status === "unhealthy" || status === "degraded");
  return troubled.flatMap(([id]) => (roles.has(id) ? [] : [id]));
}

describe("what a cause carries on while it goes", () => {
  it("keeps its role until it is fine, whoever notices first and last", () => {
    const needs = Object.fromEntries(IDS.map((id) => [id, "db!"]));
    const life = new Life(mapOf({ ...needs, web: "a!" }), (service) => IDS.indexOf(service) * 800);
    life.run(60).run(60, { ...Object.fromEntries(IDS.map((id) => [id, DB])), web: { down: ["a"] } });
    expect(life.open()).toEqual(["cause db open"]);
    let between = 0;
    for (let second = 0; second < 60; second++) {
      life.run(1);
      const [incident] = life.incidents;
      if (incident?.status === "open" && life.verdict?.causes.length === 0) between++;
      expect([second, withoutRole(life)]).toEqual([second, []]);
    }
    expect(between).toBeGreaterThan(0);
    expect(life.of("db").status).toBe("resolved");
  });

  it("keeps it for as long as stragglers may take, and no longer, where the verdict names the cause no more", () => {
    const life = new Life(mapOf(Object.fromEntries(IDS.map((id) => [id, "db!"])))).run(60);
    life.run(60, Object.fromEntries(IDS.map((id) => [id, DB])));
    const { evidence, verdict } = momentOf(life.map, life.state, life.now - 1_000);
    const unnamed = { ...verdict, causes: [], roles: new Map() };
    const rolesAfter = (ms: number) => {
      const waiting = life.incidents.map((one) => ({ ...one, unnamedSince: evidence.now - ms }));
      return withStragglers(unnamed, waiting, evidence).roles;
    };
    expect(rolesAfter(179_000).get("db")).toEqual({ role: "root_cause", cause: -1 });
    expect(rolesAfter(179_000).get("a")).toEqual({ role: "impacted", cause: -1 });
    expect(rolesAfter(180_000).size).toBe(0);
  });

  it("leaves a victim impacted that the verdict calls a cause for a moment, unless that has an incident of its own", () => {
    const life = new Life(mapOf(Object.fromEntries(IDS.map((id) => [id, "db!"])))).run(60);
    life.run(60, Object.fromEntries(IDS.map((id) => [id, DB])));
    const { evidence, verdict } = momentOf(life.map, life.state, life.now - 1_000);
    const [cause] = verdict.causes;
    const roles: Verdict["roles"] = new Map([["a", { role: "root_cause", cause: 0 }]]);
    const blamed = { ...verdict, causes: cause ? [{ ...cause, node: "a" }] : [], roles };
    expect(withStragglers(blamed, life.incidents, evidence).roles.get("a")).toEqual({ role: "impacted", cause: -1 });
    const own = { ...life.of("db"), id: 2, anchor: "a", impacted: [] };
    expect(withStragglers(blamed, [...life.incidents, own], evidence).roles.get("a")).toEqual({ role: "root_cause", cause: 0 });
  });
});
