import { describe, expect, it } from "vitest";
import { judge } from "../../../server/src/analysis/verdict.ts";
import { Life } from "../../support/life.ts";
import { mapOf, type Said, sceneOf } from "../../support/scene.ts";

const causesOf = (map: ReturnType<typeof mapOf>, said: Record<string, Said>) =>
  judge(sceneOf(map, said)).causes.map(({ node, kind, level }) => `${node} ${kind} ${level}`);

describe("what one fault would explain of several", () => {
  const map = mapOf({ web: "query! intake!", query: "network! kafka~", intake: "network! kafka~", jobs: "kafka~" });
  const web = { down: ["query", "intake"] };
  const blame = { down: ["network"] };

  it.each([
    ["finds it up through a cache", { word: "unhealthy" as const }, "suspected"],
    ["leaves it out of its report", { word: "unhealthy" as const, omits: ["network"] }, "likely"],
  ])("names what one caller blames when another is unwell without a reason and %s", (_, query, level) => {
    expect(causesOf(map, { web, query, intake: blame })).toEqual([`network node ${level}`]);
  });

  it("calls it the one caller's own link when the other is well", () => {
    expect(causesOf(map, { web: { down: ["intake"] }, intake: blame })).toEqual(["intake link suspected"]);
  });

  it("does not believe a report that contradicts itself for another's sake", () => {
    expect(causesOf(map, { web: { down: ["query"] }, query: { word: "unhealthy" }, intake: { ...blame, word: "healthy" } })).toEqual([
      "query node likely",
    ]);
  });
});

describe("who was in trouble before it found anything bad", () => {
  const circle = () => new Life(mapOf({ gate: "left!", left: "right!", right: "left! store!" })).run(60);
  const gate = { down: ["left"] };

  it("is the cause of the circle, though its neighbour has not said so itself yet", () => {
    const life = circle();
    life.run(10, { left: { word: "unhealthy" }, gate });
    expect(life.verdict?.causes.map(({ node }) => node)).toEqual(["left"]);
    life.run(10, { left: { word: "unhealthy", down: ["right"] }, right: { silent: "timeout" }, gate });
    expect(life.verdict?.causes.map(({ node }) => node)).toEqual(["left"]);
  });

  it("suffers all the same from what comes and goes, however long damping holds its trouble", () => {
    const options = { flipAfter: 3 };
    const life = new Life(mapOf({ front: "back!", back: "" }, { front: options, back: { flipAfter: 1 } })).run(60);
    const down = { front: { down: ["back"] }, back: { word: "unhealthy" as const } };
    life.run(30, down).run(10).run(10, down);
    expect(life.verdict?.causes.map(({ node }) => node)).toEqual(["back"]);
  });
});
