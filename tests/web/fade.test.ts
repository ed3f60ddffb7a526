import { afterEach, expect, test, vi } from "vitest";

afterEach(() => vi.unstubAllGlobals());

test("only the animations of marked elements are kept from those who listen", async () => {
  const listeners = new Map<string, (event: object) => void>();
  vi.stubGlobal("addEventListener", (type: string, listener: (event: object) => void) => listeners.set(type, listener));
  await import("../../web/src/effects/fade.ts");
  expect([...listeners.keys()]).toEqual(["animationstart", "animationend"]);
  const isKept = (type: string, target: object): boolean => {
    const stopPropagation = vi.fn();
    listeners.get(type)?.({ target, stopPropagation });
    return stopPropagation.mock.calls.length > 0;
  };
  for (const type of listeners.keys()) {
    expect(isKept(type, { dataset: { turn: "0" } })).toBe(true);
    expect(isKept(type, { dataset: { turn: "1" } })).toBe(true);
    expect(isKept(type, { dataset: {} })).toBe(false);
    expect(isKept(type, {})).toBe(false);
  }
});
