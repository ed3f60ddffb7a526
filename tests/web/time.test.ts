import { describe, expect, test } from "vitest";
import { age, duration, latency, makeClock, offset, setting } from "../../web/src/model/time.ts";

describe("durations", () => {
  test.each([
    [-5, "0 s"],
    [999, "0 s"],
    [59_999, "59 s"],
    [60_000, "1 m 00 s"],
    [252_000, "4 m 12 s"],
    [3_599_999, "59 m 59 s"],
    [11_100_000, "3 h 05 m"],
    [273_600_000, "3 d 4 h"],
    [86_400_000 * 4 + 3_600_000, "4 d"],
  ])("%d ms last %s", (ms, words) => expect(duration(ms)).toBe(words));

  test.each([
    [4_999, "4 s"],
    [185_000, "3 m"],
    [7_300_000, "2 h"],
    [86_400_000 * 6, "6 d"],
  ])("%d ms are %s old", (ms, words) => expect(age(ms)).toBe(words));

  test.each([
    [0.4, "0.4 ms"],
    [3, "3 ms"],
    [212.4, "212 ms"],
    [1_200, "1.20 s"],
    [12_440, "12.4 s"],
  ])("%d ms of latency read %s", (ms, words) => expect(latency(ms)).toBe(words));

  test.each([
    [250, "250 ms"],
    [10_000, "10 s"],
    [90_000, "1 m 30 s"],
    [3_600_000, "1 h"],
  ])("%d ms configured read %s", (ms, words) => expect(setting(ms)).toBe(words));

  test("a time before the first sign has a minus sign", () => {
    expect(offset(15_000)).toBe("+15 s");
    expect(offset(-233_000)).toBe("−3 m 53 s");
  });
});

describe("the clock", () => {
  const at = Date.parse("2026-10-24T13:02:11.000Z");

  test("tells UTC by name", () => {
    const clock = makeClock(true, at, "Europe/Berlin");
    expect([clock.time(at), clock.minute(at), clock.zone]).toEqual(["13:02:11", "13:02", "UTC"]);
  });

  test("tells local time otherwise", () => expect(makeClock(false, at, "Europe/Berlin").time(at)).toBe("15:02:11"));

  test("names the zone as it is called at that time of the year", () => {
    const winter = Date.UTC(2026, 11, 24);
    expect([makeClock(false, at, "Europe/Berlin").zone, makeClock(false, winter, "Europe/Berlin").zone]).toEqual(["CEST", "CET"]);
  });

  test("puts the day in front when it is another day", () => {
    const clock = makeClock(true, at);
    expect(clock.time(at, at + 3_600_000)).toBe("13:02:11");
    expect(clock.time(at, at + 86_400_000)).toBe("24 Oct 13:02:11");
  });
});
