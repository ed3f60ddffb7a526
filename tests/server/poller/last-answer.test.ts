import { describe, expect, test } from "vitest";
import { LastAnswer } from "../../../server/src/poller/last-answer.ts";
import { readAnswer } from "../../../server/src/poller/poll.ts";

function poll(body: string, latencyMs = 5) {
  const headers = { contentType: "application/json", contentEncoding: null, date: null, age: null };
  const answer = { kind: "answer" as const, at: 0, latencyMs, httpStatus: 200, ...headers, body: Buffer.from(body) };
  return readAnswer(answer, { id: "shop", format: "auto", maxBody: 262_144 }, { id: "shop" });
}

describe("the last answer of an instance", () => {
  test.each([
    ['{"status":"ok"}', '{"status":"ok","note":"a longer one than before, and more"}'],
    ['{"status":"ok","note":"a longer one"}', '{"status":"ok"}'],
    [`{"status":"ok","note":"${"x".repeat(6_000)}"}`, '{"status":"ok"}'],
    ['{"status":"ok"}', '{"status":"ok","ort":"Köln, 京都, 🚲"}'],
  ])("takes the place of the one before, whatever their lengths: %#", (before, after) => {
    const last = new LastAnswer();
    last.keep(poll(before));
    last.keep(poll(after, 7));
    expect(last.body).toBe(after);
    expect(last).toMatchObject({ httpStatus: 200, latencyMs: 7 });
  });

  test("shows no secret and no more than a page of it, and nothing where there is no text", () => {
    const last = new LastAnswer();
    expect(last.body).toBeNull();
    last.keep(poll('{"status":"ok","url":"postgres://app:hunter2@db/orders"}'));
    expect(last.body).not.toContain("hunter2");
    last.keep(poll(`{"status":"ok","a":"${"x".repeat(50_000)}"}`));
    expect(last.body?.length).toBeLessThanOrEqual(8_192);
    last.keep(poll(""));
    expect(last.body).toBeNull();
  });
});
