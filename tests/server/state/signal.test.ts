import { describe, expect, test } from "vitest";
import { STALE_CODES } from "../../../server/src/domain/live.ts";
import { countInstances, type PolledInstance, type SignalInput, stalenessSignal } from "../../../server/src/state/signal.ts";

const instance = (more: Partial<PolledInstance> = {}): PolledInstance => ({
  interval: 10_000,
  timeout: 2_000,
  maxAge: 60_000,
  reportAgeMs: 3_000,
  reports: true,
  dueAgeMs: null,
  completedAgeMs: 3_000,
  ...more,
});

type Given = Partial<Omit<SignalInput, "instances"> & { instances: PolledInstance[] }>;

const input = ({ instances = Array.from({ length: 10 }, () => instance()), ...more }: Given = {}): SignalInput => ({
  limits: { limit: null, overdueLimit: 0.1, writeLimit: 60_000 },
  instances: countInstances(instances),
  limitBefore: null,
  lastAnswerAt: 1_790_000_000_000,
  answerAgeMs: 3_000,
  blind: false,
  unpublishedMs: null,
  lastWriteAt: 1_790_000_000_000,
  writeAgeMs: 2_000,
  uptimeMs: 3_600_000,
  ...more,
});

const ten = (first: Partial<PolledInstance>, rest: Partial<PolledInstance> = {}): PolledInstance[] =>
  Array.from({ length: 10 }, (_, n) => instance(n === 0 ? first : rest));

test("a fleet that answers, is published and written down is fresh", () => {
  expect(stalenessSignal(input())).toEqual({
    stale: false,
    because: [],
    lastAnswerAt: 1_790_000_000_000,
    ageMs: 3_000,
    limitMs: 22_000,
    reporting: 10,
    instances: 10,
    overdue: 0,
    lastWriteAt: 1_790_000_000_000,
    writeAgeMs: 2_000,
  });
});

describe("each code, just before and just after it holds", () => {
  const cases: [(typeof STALE_CODES)[number], Given, Given][] = [
    ["no_answers", { answerAgeMs: 22_000 }, { answerAgeMs: 22_001 }],
    [
      "few_reporting",
      { instances: [instance(), instance({ reportAgeMs: 60_001 })] },
      { instances: [instance(), instance({ reportAgeMs: 60_001 }), instance({ reportAgeMs: null })] },
    ],
    [
      "overdue",
      { instances: ten({ dueAgeMs: 7_001 }) },
      { instances: [...ten({ dueAgeMs: 7_001 }).slice(0, 5), ...ten({ dueAgeMs: 7_001 }).slice(0, 5)] },
    ],
    [
      "overdue",
      { instances: ten({ dueAgeMs: 40_000, completedAgeMs: 50_000 }) },
      { instances: ten({ dueAgeMs: 40_000, completedAgeMs: 50_001 }) },
    ],
    ["blind", { blind: false }, { blind: true }],
    ["frozen", { unpublishedMs: 15_000 }, { unpublishedMs: 15_001 }],
    ["history", { writeAgeMs: 60_000 }, { writeAgeMs: 60_001 }],
    ["history", { writeAgeMs: null, uptimeMs: 60_000 }, { writeAgeMs: null, uptimeMs: 60_001 }],
    ["starting", { answerAgeMs: 0 }, { answerAgeMs: null, lastAnswerAt: null }],
    ["nothing_to_poll", { instances: [instance()] }, { instances: [] }],
  ];
  test.each(cases)("%s: %j is fresh, %j is not", (code, before, after) => {
    expect(stalenessSignal(input(before)).because).toEqual([]);
    expect(stalenessSignal(input(after))).toMatchObject({ stale: true, because: [code] });
  });
  test("every code has a case", () => {
    expect([...new Set(cases.map(([code]) => code))].sort()).toEqual([...STALE_CODES].sort());
  });
});

describe("the limit for answers", () => {
  test.each([
    ["is 15 s at least", { instances: [instance({ interval: 2_000, timeout: 1_000 })] }, 15_000],
    ["follows the shortest interval that reports", { instances: [instance({ interval: 30_000 }), instance({ interval: 60_000 })] }, 62_000],
    [
      "leaves out a fast instance whose last poll brought no report",
      { instances: [instance({ interval: 30_000 }), instance({ reports: false })] },
      62_000,
    ],
    ["stays as it was when none reports", { instances: [instance({ reports: false })], limitBefore: 62_000 }, 62_000],
    ["is the configured one where there is one", { limits: { limit: 5_000, overdueLimit: 0.1, writeLimit: 60_000 } }, 5_000],
    ["has a default without instances", { instances: [] }, 15_000],
  ])("%s", (_, more, expected) => {
    expect(stalenessSignal(input(more)).limitMs).toBe(expected);
  });
});

test("several reasons each give their code, in a fixed order", () => {
  const worst = input({
    instances: ten({}, { reportAgeMs: null, dueAgeMs: 60_000, reports: false }),
    answerAgeMs: 90_000,
    blind: true,
    unpublishedMs: 20_000,
    writeAgeMs: 90_000,
  });
  expect(stalenessSignal(worst).because).toEqual(["no_answers", "few_reporting", "overdue", "blind", "frozen", "history"]);
});

describe("a count of instances", () => {
  test.each<[string, Partial<PolledInstance>, number]>([
    ["holds for five seconds where nothing is near its limit", {}, 5_000],
    ["holds until the oldest report is too old", { reportAgeMs: 58_500 }, 1_500],
    ["holds until the first poll is overdue", { dueAgeMs: 4_000 }, 3_000],
    ["holds until the first instance has not completed a poll for five intervals", { interval: 1_000, completedAgeMs: 1_200 }, 3_800],
    ["does not hold where something is past its limit", { dueAgeMs: 60_000 }, 0],
  ])("%s", (_name, first, holdsMs) => {
    const all = ten(first);
    const counted = countInstances(all);
    expect(counted.holdsMs).toBe(holdsMs);
    const later = (ms: number): PolledInstance[] =>
      all.map((one) => ({
        ...one,
        reportAgeMs: (one.reportAgeMs ?? 0) + ms,
        dueAgeMs: (one.dueAgeMs ?? 0) + ms,
        completedAgeMs: (one.completedAgeMs ?? 0) + ms,
      }));
    expect({ ...countInstances(later(Math.max(0, holdsMs - 1))), holdsMs }).toEqual(counted);
  });
});
