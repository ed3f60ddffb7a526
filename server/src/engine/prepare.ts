import { setImmediate as breathe } from "node:timers/promises";
import { graphing } from "../analysis/graph.ts";
import { shapeOf } from "../analysis/rollup.ts";
import type { SystemMap } from "../domain/map.ts";
import { indexing } from "../state/mapindex.ts";

/** Has each stage work out what it keeps of a map, in turns with room for polls between, so that the swap finds it done. */
export async function prepare(map: SystemMap, before: SystemMap): Promise<void> {
  for (const work of [indexing(map, before), graphing(map)]) {
    await breathe();
    while (!work.next().done) await breathe();
  }
  await breathe();
  shapeOf(map);
  await breathe();
}
