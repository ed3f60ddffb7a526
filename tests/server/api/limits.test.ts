import { describe, expect, it } from "vitest";
import { addressKey, createLimit } from "../../../server/src/api/limits.ts";

describe("a limit", () => {
  it("lets a burst through, then as many as come back with time, and says how long to wait", () => {
    let now = 0;
    const limit = createLimit({ burst: 5, perSecond: 5 / 60 }, () => now);
    const take = (count: number) => Array.from({ length: count }, () => limit.take("192.0.2.1"));
    expect(take(6)).toEqual([0, 0, 0, 0, 0, 12]);
    now += 11_000;
    expect(take(1)).toEqual([1]);
    now += 1_001;
    expect(take(2)).toEqual([0, 12]);
    now += 3_600_000;
    expect(take(6)).toEqual([0, 0, 0, 0, 0, 12]);
  });

  it("tells addresses apart, and keeps ten thousand of them", () => {
    const limit = createLimit({ burst: 1, perSecond: 1 }, () => 0);
    expect([limit.take("192.0.2.1"), limit.take("192.0.2.1"), limit.take("192.0.2.2")]).toEqual([0, 1, 0]);
    for (let i = 0; i < 10_000; i++) limit.take(`10.0.${i >> 8}.${i & 255}`);
    expect(limit.take("192.0.2.1")).toBe(0);
    expect(limit.take("10.0.39.15")).toBe(1);
  });
});

describe("what counts as one address", () => {
  it.each([
    ["192.0.2.1", "192.0.2.1"],
    ["::ffff:192.0.2.1", "192.0.2.1"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:DB8:1:2::9", "2001:db8:1:2"],
    ["2001:0db8::1", "2001:db8:0:0"],
    ["::1", "0:0:0:0"],
    ["fe80::", "fe80:0:0:0"],
  ])("%s is %s", (address, key) => {
    expect(addressKey(address)).toBe(key);
  });
});
