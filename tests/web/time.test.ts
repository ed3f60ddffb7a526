import { afterEach, describe, expect, test } from "vitest";
import { age, makeClock as clockOf, duration, latency, offset, parseMoment, pastMoment, setting } from "../../web/src/model/time.ts";

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

  test("what was unwell before the first sign did not follow it", () => {
    expect(offset(15_000)).toBe("+15 s");
    expect(offset(0)).toBe("+0 s");
    expect(offset(-233_000)).toBe("unwell before");
  });
});

describe("a moment in an address", () => {
  test.each([
    ["2026-10-24T13:02:11Z", Date.UTC(2026, 9, 24, 13, 2, 11)],
    ["1792846931000", 1_792_846_931_000],
    ["99999999999999999999", null],
    ["garbage", null],
    ["", null],
    [null, null],
  ])("%j is %j", (text, at) => expect(parseMoment(text)).toBe(at));
});

test("a moment that is yet to come cannot be shown", () => {
  const at = Date.UTC(2026, 9, 24);
  expect([pastMoment("2026-10-24T00:00:00Z", at), pastMoment("2026-10-24T00:00:01Z", at), pastMoment("soon", at)]).toEqual([
    at,
    null,
    null,
  ]);
});

describe("the clock", () => {
  const at = Date.parse("2026-10-24T13:02:11.000Z");
  const makeClock = (utc: boolean) => clockOf(utc, () => at);

  const zone = process.env.TZ;
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ;
    else process.env.TZ = zone;
  });

  test("tells UTC where that is asked for", () => {
    process.env.TZ = "Europe/Berlin";
    const clock = makeClock(true);
    expect([clock.time(at), clock.minute(at), clock.day(at), clock.zone(at)]).toEqual(["13:02:11", "13:02", "24 Oct 13:02", "UTC"]);
    expect(clock.zoned(at, at)).toBe("13:02:11 UTC");
  });

  test.each([
    ["Europe/Berlin", "24 Oct 15:02", "UTC+2", "2 Nov 00:30", "UTC+1"],
    ["America/St_Johns", "24 Oct 10:32", "UTC−2:30", "1 Nov 20:00", "UTC−3:30"],
    ["Pacific/Chatham", "25 Oct 02:47", "UTC+13:45", "2 Nov 13:15", "UTC+13:45"],
    ["Etc/GMT+12", "24 Oct 01:02", "UTC−12", "1 Nov 11:30", "UTC−12"],
    ["Europe/London", "24 Oct 14:02", "UTC+1", "1 Nov 23:30", "UTC"],
  ])("tells the time of %s, before and after the clocks change there", (where, summer, then, winter, later) => {
    process.env.TZ = where;
    const clock = makeClock(false);
    const after = Date.parse("2026-11-01T23:30:00Z");
    expect([clock.day(at), clock.zone(at), clock.day(after), clock.zone(after)]).toEqual([summer, then, winter, later]);
  });

  test("agrees with the formats of Intl in every hour of a year", () => {
    process.env.TZ = "Europe/London";
    let moment = at;
    const clock = clockOf(false, () => moment);
    const format = new Intl.DateTimeFormat("en-GB", {
      day: "numeric",
      month: "short",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
      hourCycle: "h23",
    });
    for (let hour = 0; hour < 366 * 24; hour++) {
      moment = at + hour * 3_600_000 + (hour % 3_600) * 1_000;
      expect(`${clock.date(moment)} ${clock.time(moment)}`).toBe(format.format(moment).replace(",", ""));
    }
  });

  test("puts the day in front when it is another day", () => {
    const clock = makeClock(true);
    expect(clock.time(at, at + 3_600_000)).toBe("13:02:11");
    expect(clock.time(at, at + 86_400_000)).toBe("24 Oct 13:02:11");
  });

  test("names the day of an end that is not today", () => {
    const clock = makeClock(true);
    expect(clock.until(at)).toBe("13:02");
    expect(clock.until(at + 86_400_000)).toBe("25 Oct 13:02");
  });

  test("tells the year of another year", () => {
    const clock = makeClock(true);
    const before = at - 365 * 86_400_000;
    expect([clock.date(before), clock.day(before)]).toEqual(["24 Oct 2025", "24 Oct 2025 13:02"]);
    expect([clock.time(before, at), clock.zoned(before, at)]).toEqual(["24 Oct 2025 13:02:11", "24 Oct 2025 13:02:11 UTC"]);
  });
});
