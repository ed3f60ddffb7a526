import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { createBoard } from "../../../server/src/api/board.ts";
import { createStream } from "../../../server/src/api/stream.ts";
import { TestLive } from "../../support/live.ts";

const response = () => new ServerResponse(new IncomingMessage(new Socket()));

/** Collects the revisions that a viewer is told of. */
function read(viewer: Readable): number[] {
  const revisions: number[] = [];
  viewer.on("data", (chunk: Buffer) => {
    for (const [, id] of chunk.toString().matchAll(/^id: (\d+)$/gm)) revisions.push(Number(id));
  });
  return revisions;
}

describe("the stream's viewers", () => {
  it("are bounded in number, and a place that is left is free again", async () => {
    const live = new TestLive();
    const stream = createStream(live, createBoard(live), { maxViewers: 2 });
    const first = response();
    stream.open(first);
    stream.open(response());
    expect(() => stream.open(response())).toThrow(/too many viewers/);
    first.emit("close");
    expect(stream.viewers()).toBe(1);
    expect(stream.open(response())).toBeDefined();
  });

  it("all get every revision in order, however many they are, from the one at which they came", async () => {
    const live = new TestLive();
    const stream = createStream(live, createBoard(live));
    const early = Array.from({ length: 250 }, () => read(stream.open(response())));
    live.publish({});
    live.publish({});
    const late = read(stream.open(response()));
    live.publish({});
    await expect.poll(() => [...early, late].map((revisions) => revisions.at(-1))).toEqual(Array(251).fill(4));
    expect(late).toEqual([3, 4]);
    for (const revisions of early) expect(revisions).toEqual([1, 2, 3, 4]);
  });

  it("who do not read are dropped once more than the bound waits for them", async () => {
    const live = new TestLive();
    const stream = createStream(live, createBoard(live), { maxUnread: 1_500 });
    const viewer = stream.open(response());
    for (let i = 0; i < 20; i++) live.publish({});
    await expect.poll(() => stream.dropped()).toBe(1);
    expect([stream.viewers(), viewer.readableLength < 3_000]).toEqual([0, true]);
  });
});
