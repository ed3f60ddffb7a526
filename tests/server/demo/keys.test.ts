import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import type { Director } from "../../../server/src/demo/director.ts";
import { bindKeys, keyHelp } from "../../../server/src/demo/keys.ts";

function stage(isTTY: boolean) {
  const calls: string[] = [];
  const director = {
    script: [
      { title: "First", watch: "", faults: [], lastsMs: 1 },
      { title: "Second", watch: "", faults: [], lastsMs: 1 },
    ],
    state: () => ({ auto: true, act: null }),
    setAuto: async (on: boolean) => void calls.push(`auto ${on}`),
    play: async (act: number) => void calls.push(`play ${act}`),
    healAll: async () => void calls.push("heal"),
  } as unknown as Director;
  const raw: boolean[] = [];
  const input = Object.assign(new PassThrough(), { isTTY, setRawMode: (on: boolean) => raw.push(on) });
  const unbind = bindKeys(input as unknown as NodeJS.ReadStream, director, () => calls.push("quit"));
  return { calls, director, raw, unbind, press: (keys: string) => input.emit("data", Buffer.from(keys)) };
}

test("each key does what the help says, and raw mode ends with it", () => {
  const { calls, director, raw, unbind, press } = stage(true);
  press("2h");
  press("sxq\u0003");
  expect(calls).toEqual(["play 1", "heal", "auto false", "quit", "quit"]);
  expect(keyHelp(director)).toContain("  2  Second");
  unbind();
  press("1");
  expect(calls).toHaveLength(5);
  expect(raw).toEqual([true, false]);
});

test("without a terminal no key is listened to", () => {
  const { calls, raw, press } = stage(false);
  press("q");
  expect([calls, raw]).toEqual([[], []]);
});
