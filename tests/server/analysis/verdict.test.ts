import { describe, expect, it } from "vitest";
import { judge } from "../../../server/src/analysis/verdict.ts";
import { mapOf, type Said, sceneOf } from "../../support/scene.ts";

const FLEET = mapOf({
  web: "orders! search~",
  orders: "orders-db! cache~",
  billing: "orders-db!",
  reports: "orders-db!",
  search: "index!",
  audit: "orders?",
});

function verdictOf(said: Record<string, Said>, map = FLEET) {
  const verdict = judge(sceneOf(map, said));
  const roles = (role: string) => [...verdict.roles].filter(([, held]) => held.role === role).map(([id]) => id);
  return { verdict, causes: verdict.causes.map(({ node }) => node), impacted: roles("impacted").sort(), atRisk: roles("at_risk").sort() };
}

describe("one cause", () => {
  it("names nothing while all is well", () => {
    const { verdict } = verdictOf({});
    expect(verdict).toEqual({ causes: [], roles: new Map(), paths: new Map(), unexplained: [], blind: false });
  });

  it("names a database that all its callers report down, and mutes its victims up to the edge of the trouble", () => {
    const down = { down: ["orders-db"] };
    const { verdict, causes, impacted, atRisk } = verdictOf({ orders: down, billing: down, reports: down });
    expect(causes).toEqual(["orders-db"]);
    expect(impacted).toEqual(["billing", "orders", "reports"]);
    expect(atRisk).toEqual(["web"]);
    expect(verdict.causes[0]).toMatchObject({ kind: "node", level: "confirmed", severity: "unhealthy" });
    expect(verdict.causes[0]?.why[0]).toMatch(/^3 of 3 dependents report it down \(timeout\)/);
    expect(verdict.paths.get("billing")).toEqual(["billing", "orders-db"]);
  });

  it("names the deepest observed failure of a chain", () => {
    const { causes, verdict } = verdictOf({
      web: { down: ["orders"] },
      orders: { down: ["orders-db"] },
      billing: { down: ["orders-db"] },
      reports: { down: ["orders-db"] },
    });
    expect(causes).toEqual(["orders-db"]);
    expect(verdict.paths.get("web")).toEqual(["web", "orders", "orders-db"]);
  });
});
