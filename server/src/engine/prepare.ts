import { setImmediate as breathe } from "node:timers/promises";
import { graphOf } from "../analysis/graph.ts";
import { shapeOf } from "../analysis/rollup.ts";
import type { SystemMap } from "../domain/map.ts";
import { indexOf } from "../state/mapindex.ts";

/** Has each stage work out what it keeps of a map, one at a time with room for polls between, so that the swap finds it done. */
export async function prepare(map: SystemMap): Promise<void> {
  for (const part of [indexOf, graphOf, shapeOf]) {
    await breathe();
    part(map);
  }
  await breathe();
}
