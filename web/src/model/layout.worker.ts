import type { LayoutTask } from "../effects/places.ts";
import { layers, type Place } from "./layout.ts";

/** Layers of one graph, away from the page: a large one takes seconds. */
self.addEventListener("message", ({ data }: MessageEvent<LayoutTask>) => {
  const { graph, resources, first } = data;
  self.postMessage(layers(graph, (id) => resources.has(id), new Set(first)) satisfies Place[]);
});
