import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Board, BoardEvent } from "../../server/src/contract/index.ts";
import { createStream, type Source, type Stream } from "../../web/src/api/stream.ts";
import { applyEvent, sameOnMap } from "../../web/src/model/board.ts";
import { board, event, incident, node } from "./make.ts";

describe("an event on a board", () => {
  const before = board([node("a"), node("b")], { revision: 4 });
  test("replaces what moved and keeps the rest as it was", () => {
    const moved = node("b", { status: "unhealthy" });
    const applied = applyEvent(before, event(5, { nodes: [moved], incidents: [incident(1)] }));
    if (applied.kind !== "board") throw new Error(applied.kind);
    expect(applied.board.nodes[0]).toBe(before.nodes[0]);
    expect(applied.board.nodes[1]).toBe(moved);
    expect(applied.board.incidents.map((one) => one.id)).toEqual([1]);
    expect(applied.board.systems).toBe(before.systems);
  });
  test("lets go of incidents that were resolved more than an hour ago", () => {
    const over = incident(1, { status: "resolved", resolved_at: "2026-10-24T10:59:59.000Z" });
    const recent = incident(2, { status: "resolved", resolved_at: "2026-10-24T11:30:00.000Z" });
    const applied = applyEvent({ ...before, incidents: [recent, over] }, event(5));
    expect(applied.kind === "board" && applied.board.incidents).toEqual([recent]);
  });
  test("keeps the very list when nodes were only seen", () => {
    const applied = applyEvent(before, event(5, { seen: [["a", "2026-10-24T12:00:00.000Z", 3]] }));
    expect(applied.kind === "board" && applied.board.nodes === before.nodes).toBe(true);
  });
  test.each<[string, BoardEvent, string]>([
    ["of another boot asks for the board", event(5, { boot: "z" }), "stale"],
    ["after a jump asks for the board", event(6), "stale"],
    ["that we have already changes nothing", event(4), "old"],
    ["with a node that has no place yet asks for the board", event(5, { nodes: [node("new")] }), "stale"],
    ["that removes a node asks for the board", event(5, { removed: ["a"] }), "stale"],
    [
      "of another map asks for the board",
      event(5, { map: { revision: 2, loaded_at: "2026-10-24T12:00:00.000Z", refused: null } }),
      "stale",
    ],
    [
      "that tells of a refused map goes on",
      event(5, { map: { revision: 1, loaded_at: "2026-10-24T12:00:00.000Z", refused: null } }),
      "board",
    ],
  ])("%s", (_, one, kind) => expect(applyEvent(before, one).kind).toBe(kind));
});

describe("what the map says of nodes", () => {
  const tags = { area: "shop" };
  const nodes = [node("a", { tags, team: "pay" }), node("b")];
  test.each<[string, ReturnType<typeof node>[], boolean]>([
    ["is the same however they stand", [node("a", { tags: { ...tags }, team: "pay", status: "unhealthy" }), node("b")], true],
    ["is another with one node less", nodes.slice(1), false],
    ["is another with one node more", [...nodes, node("c")], false],
    ["is another in another order", [...nodes].reverse(), false],
    ["is another with another name", [node("a", { tags, team: "pay", name: "A" }), node("b")], false],
    ["is another with another team", [node("a", { tags }), node("b")], false],
    ["is another with another value of a tag", [node("a", { tags: { area: "data" }, team: "pay" }), node("b")], false],
    ["is another without a tag", [node("a", { team: "pay" }), node("b")], false],
    ["is another with a tag more", [nodes[0] ?? node("a"), node("b", { tags })], false],
  ])("%s", (_, others, same) => expect(sameOnMap(others, nodes)).toBe(same));
});

/** A line that the test speaks into. */
class FakeSource implements Source {
  closed = false;
  readonly listeners = new Map<string, (message: MessageEvent<string>) => void>();
  addEventListener(type: string, listener: (message: MessageEvent<string>) => void): void {
    this.listeners.set(type, listener);
  }
  close(): void {
    this.closed = true;
  }
  say(type: string, data: unknown = {}): void {
    this.listeners.get(type)?.({ data: JSON.stringify(data) } as MessageEvent<string>);
  }
}

describe("the stream's life", () => {
  let sources: FakeSource[];
  let current: Board | undefined;
  let refused: () => Promise<boolean>;
  let fetches: ((board: Board | Error) => void)[];
  let stream: Stream;

  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000_000 });
    sources = [];
    fetches = [];
    current = undefined;
    refused = async () => false;
    stream = createStream({
      open: () => {
        const source = new FakeSource();
        sources.push(source);
        return source;
      },
      fetchBoard: () =>
        new Promise((resolve, reject) => fetches.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)))),
      isRefused: () => refused(),
      getBoard: () => current,
      setBoard: (next) => {
        current = next;
      },
      onEvent: () => undefined,
      onPing: () => undefined,
      now: Date.now,
    });
  });
  afterEach(() => {
    stream.stop();
    vi.useRealTimers();
  });

  /** Connected, in step at revision 3 with one healthy node. */
  async function settle(): Promise<FakeSource> {
    stream.start();
    fetches[0]?.(board([node("a")], { revision: 3 }));
    await vi.advanceTimersByTimeAsync(0);
    const source = sources[0] as FakeSource;
    source.say("board", event(3));
    await vi.advanceTimersByTimeAsync(600);
    return source;
  }

  test("a first event that names our revision needs no fetch", async () => {
    await settle();
    expect(stream.connection().kind).toBe("live");
    expect(fetches).toHaveLength(1);
  });

  test("events that arrive while the board is fetched are applied to it", async () => {
    stream.start();
    sources[0]?.say("board", event(3));
    sources[0]?.say("board", event(4, { nodes: [node("a", { status: "degraded" })] }));
    fetches[0]?.(board([node("a")], { revision: 3 }));
    await vi.advanceTimersByTimeAsync(0);
    expect([current?.revision, current?.nodes[0]?.status]).toEqual([4, "degraded"]);
  });

  test("a jump fetches the board", async () => {
    const source = await settle();
    source.say("board", event(9));
    expect(fetches).toHaveLength(2);
    fetches[1]?.(board([node("a", { status: "unhealthy" })], { revision: 9 }));
    await vi.advanceTimersByTimeAsync(0);
    expect(current?.nodes[0]?.status).toBe("unhealthy");
  });

  test("the next revision as a first event is no change list: it fetches", async () => {
    const source = await settle();
    source.say("error");
    await vi.advanceTimersByTimeAsync(1_000);
    sources[1]?.say("board", event(4));
    expect(fetches).toHaveLength(2);
  });

  test("a fetch that fails is tried again while the line stands", async () => {
    const source = await settle();
    source.say("board", event(9));
    fetches[1]?.(new Error("500"));
    await vi.advanceTimersByTimeAsync(2_100);
    expect(fetches).toHaveLength(3);
  });

  test("silence of 25 seconds is a lost line, and it is opened again", async () => {
    const source = await settle();
    await vi.advanceTimersByTimeAsync(24_000);
    expect(stream.connection().kind).toBe("live");
    await vi.advanceTimersByTimeAsync(1_000);
    expect([stream.connection().kind, source.closed]).toEqual(["lost", true]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(sources).toHaveLength(2);
  });

  test("a ping is a sign of life", async () => {
    const source = await settle();
    await vi.advanceTimersByTimeAsync(20_000);
    source.say("ping", { at: "2026-10-24T12:00:00.000Z", freshness: board([]).freshness });
    await vi.advanceTimersByTimeAsync(20_000);
    expect(stream.connection().kind).toBe("live");
  });

  test("attempts come after 1, 2, 4, 8 and then 10 seconds", async () => {
    await settle();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 6; attempt++) {
      sources.at(-1)?.say("error");
      const { retryAt } = stream.connection();
      waits.push((retryAt ?? 0) - Date.now());
      await vi.advanceTimersByTimeAsync((retryAt ?? 0) - Date.now());
    }
    expect(waits).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  test("after coming back it says for how long we were away", async () => {
    const source = await settle();
    const heard = stream.connection().heardAt ?? 0;
    source.say("error");
    await vi.advanceTimersByTimeAsync(1_000);
    sources[1]?.say("board", event(3));
    expect(stream.connection().returned).toEqual({ at: Date.now(), away: Date.now() - heard });
  });

  test("a line that fails because the session has ended says so, and goes on trying", async () => {
    const source = await settle();
    refused = async () => true;
    source.say("error");
    await vi.advanceTimersByTimeAsync(0);
    expect(stream.connection().kind).toBe("refused");
    await vi.advanceTimersByTimeAsync(1_000);
    sources[1]?.say("error");
    expect(stream.connection().kind).toBe("refused");
    await vi.advanceTimersByTimeAsync(2_000);
    sources[2]?.say("board", event(3));
    expect(stream.connection().kind).toBe("live");
  });

  test("a server that dies after it refused us is lost", async () => {
    const source = await settle();
    stream.refuse();
    expect([stream.connection().kind, source.closed]).toEqual(["refused", true]);
    refused = () => Promise.reject(new Error("no answer"));
    await vi.advanceTimersByTimeAsync(1_000);
    sources[1]?.say("error");
    await vi.advanceTimersByTimeAsync(0);
    expect(stream.connection().kind).toBe("lost");
  });

  test("what the server says of us too late changes nothing on a line that stands again", async () => {
    const source = await settle();
    let answer: (is: boolean) => void = () => undefined;
    refused = () => new Promise((resolve) => (answer = resolve));
    source.say("error");
    await vi.advanceTimersByTimeAsync(1_000);
    sources[1]?.say("board", event(3));
    answer(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(stream.connection().kind).toBe("live");
  });

  test("a line given up says nothing any more", async () => {
    const source = await settle();
    stream.retry();
    source.say("board", event(4, { nodes: [node("a", { status: "unhealthy" })] }));
    expect(current?.nodes[0]?.status).toBe("healthy");
  });
});
