import { describe, expect, it } from "vitest";
import type { SystemMap } from "../../../server/src/domain/map.ts";
import { estimateSize } from "../../../server/src/store/estimate.ts";

const DAY = 86_400_000;
const KEEP = { raw: DAY, minutes: 7 * DAY, hours: 90 * DAY, changes: 90 * DAY };

/** A fleet of services with so many dependencies each, on a fifth as many resources. */
function fleet(services: number, dependencies: number, interval: number): SystemMap {
  const nodes = new Map<string, unknown>();
  for (let i = 0; i < services; i++)
    nodes.set(`service-${i}`, { kind: "service", interval, instances: [{}], edges: Array.from({ length: dependencies }, () => ({})) });
  for (let i = 0; i < services / 5; i++) nodes.set(`resource-${i}`, { kind: "resource" });
  return { nodes, systems: new Map(), teams: new Map(), maintenance: [] } as unknown as SystemMap;
}

describe("the size that history will take", () => {
  it("is near what a generated history of that shape took", () => {
    const estimate = estimateSize(fleet(500, 8, 10_000), KEEP) / 1e6;
    expect(estimate).toBeGreaterThan(650);
    expect(estimate).toBeLessThan(900);
  });

  it("grows with the fleet and with what is kept, and with the polls only as far as they are kept singly", () => {
    const size = estimateSize(fleet(100, 8, 10_000), KEEP);
    expect(estimateSize(fleet(200, 8, 10_000), KEEP)).toBe(2 * size);
    expect(estimateSize(fleet(100, 8, 10_000), { ...KEEP, hours: 30 * DAY })).toBeLessThan(size * 0.6);
    expect(estimateSize(fleet(100, 8, 1_000), KEEP)).toBeLessThan(2.5 * size);
    expect(estimateSize(fleet(0, 0, 10_000), KEEP)).toBe(0);
  });
});
