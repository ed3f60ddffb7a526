import { expect, it, test } from "vitest";
import { advanceBook, EMPTY_BOOK } from "../../../server/src/alerts/book.ts";
import { backoff, enqueue, verdictOn, worthRepeating } from "../../../server/src/alerts/queue.ts";
import { incident, mapOf, NOW } from "../../support/live.ts";

const facts = { site: "eu-1", map: mapOf([]), now: NOW };
const fire = (id: number) => advanceBook(EMPTY_BOOK, [incident(id, `n${id}`)], facts).alerts;
const end = (id: number) =>
  advanceBook(EMPTY_BOOK, [incident(id, `n${id}`, { status: "resolved", resolvedAt: NOW, end: "cleared" })], facts).alerts;
const words = (alerts: ReturnType<typeof fire>) =>
  alerts.map(({ incident: { id }, endsAt }) => `${endsAt === null ? "+" : "-"}${id}`).join(" ");

test.each([
  ["with room", [fire(1)], [end(1)], 5, "+1 -1", 0],
  ["full: the oldest that fires goes first", [fire(1), end(1), fire(2)], [fire(3)], 3, "-1 +2 +3", 1],
  ["full of ends: the oldest of them", [end(1), end(2)], [end(3)], 2, "-2 -3", 1],
  ["more than fits at once", [], [fire(1), fire(2), fire(3), end(4)], 2, "+3 -4", 2],
])("a queue %s", (_what, waiting, more, limit, expected, dropped) => {
  const queue = enqueue(waiting.flat(), more.flat(), limit);
  expect([words(queue.waiting), queue.dropped]).toEqual([expected, dropped]);
});

test.each([
  ["what already waits is not repeated", [fire(1)], [fire(1), fire(2)], "+2"],
  ["an end is not repeated behind what fires the same labels", [fire(1)], [end(1)], ""],
  ["an end that waits does not keep a new alert back", [end(1)], [fire(1)], "+1"],
])("%s", (_what, waiting, repeated, expected) => {
  expect(words(worthRepeating(waiting.flat(), repeated.flat()))).toBe(expected);
});

it("waits longer with each failure, and never longer than half a minute", () => {
  expect([1, 2, 3, 4, 5, 6, 50, 5_000].map(backoff)).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test.each([
  [200, "taken"],
  [202, "taken"],
  [301, "again"],
  [400, "refused"],
  [401, "again"],
  [404, "again"],
  [413, "refused"],
  [422, "refused"],
  [429, "again"],
  [500, "again"],
  [503, "again"],
])("an answer with status %i means %s", (status, verdict) => {
  expect(verdictOn(status)).toBe(verdict);
});
