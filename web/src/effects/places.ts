import { useEffect, useState } from "react";
import type { Graph } from "../model/graph.ts";
import type { Place } from "../model/layout.ts";

/** What the worker is asked; it answers with places. */
export interface LayoutTask {
  graph: Graph;
  resources: ReadonlySet<string>;
  /** Those that take the upper rows. */
  first: readonly string[];
}

/** A picture to be: a graph and where its nodes stand. */
interface Placed {
  graph: Graph;
  places: readonly Place[];
}

const SEPARATOR = "\n";

/**
 * Where the nodes of a graph stand, worked out beside the page, so that nothing waits for it; null until it is known the
 * first time. While another graph is laid out the one before stays. `first` takes the upper rows, in whatever order.
 */
export function usePlaces(graph: Graph, resources: ReadonlySet<string>, first: Iterable<string>): Placed | null {
  const [placed, setPlaced] = useState<Placed | null>(null);
  // Live updates bring the same members in a new set; only others are a reason to begin again.
  const members = [...first].sort().join(SEPARATOR);
  useEffect(() => {
    const worker = new Worker(new URL("../model/layout.worker.ts", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }: MessageEvent<Place[]>) => setPlaced({ graph, places: data }));
    worker.postMessage({ graph, resources, first: members === "" ? [] : members.split(SEPARATOR) } satisfies LayoutTask);
    return () => worker.terminate();
  }, [graph, resources, members]);
  return placed;
}
