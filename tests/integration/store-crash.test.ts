import { describe, expect, it } from "vitest";
import { killOnce } from "../support/kills.ts";
import { folder, HOUR, openRaw, random, T0 } from "./store-support.ts";

describe("kill -9", () => {
  it("at any instant leaves a history that opens, with all that was shown", async () => {
    const path = folder();
    const next = random(7);
    for (let i = 0; i < 6; i++) {
      const kill = await killOnce(path, T0 + i * 24 * HOUR, 20 + next(300));
      expect(kill).toMatchObject({ missing: [], errors: [], gap: true, nextIncidentIsNew: true, stateIsAsShown: true });
      expect(kill.kept).toBeGreaterThanOrEqual(kill.flushed);
    }
    const db = openRaw(`${path}/headwater.db`);
    expect(db.pragma("integrity_check", { simple: true })).toBe("ok");
    db.close();
  });
});
