import { once } from "node:events";
import { setImmediate as breathe } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import type { MapNode, SystemMap } from "../domain/map.ts";
import { environmentReferences } from "./environment.ts";
import { type Parsed, parseConfig } from "./parse.ts";
import type { ParseAnswer, ParseQuestion } from "./parse-thread.ts";

/** Characters up to which a thread is not worth its start: they are read within a few milliseconds. */
const SMALL = 50_000;
const LONGEST_MS = 120_000;
const MEMORY_MB = 1_024;
const THREAD = new URL("./parse-thread.js", import.meta.url);

/**
 * Reads a configuration as `parseConfig` does, a large one on a thread of its own, so that no poll waits for it; its map
 * comes over a hundred nodes at a time. Nodes that are as in `before` stay the very same values. Where no thread can be
 * had, all is done here.
 */
export async function parseAside(question: ParseQuestion, before: SystemMap | null): Promise<Parsed> {
  const size = question.files.reduce((sum, { text }) => sum + text.length, 0);
  if (size > SMALL) {
    const parsed = await onThread(question, before).catch(() => null);
    if (parsed) return parsed;
  }
  return parseConfig(question.files, environmentReferences(question.env, question.dir), question.today);
}

async function onThread(question: ParseQuestion, before: SystemMap | null): Promise<Parsed> {
  const worker = new Worker(THREAD, { workerData: question, resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB } });
  const signal = AbortSignal.timeout(LONGEST_MS);
  try {
    const [answer] = (await once(worker, "message", { signal })) as [ParseAnswer];
    const { map, ...rest } = answer;
    if (!map) return { ...rest, map: null };
    const nodes = new Map<string, MapNode>();
    for (let more = true; more; ) {
      const next = once(worker, "message", { signal });
      worker.postMessage(null);
      const [some] = (await next) as [MapNode[]];
      for (const node of some) nodes.set(node.id, known(node, before?.nodes.get(node.id)));
      more = some.length > 0;
      await breathe();
    }
    const teams = new Map([...map.teams].map(([id, team]) => [id, { ...team, links: record(team.links) }]));
    return { ...rest, map: { ...map, teams, nodes } };
  } finally {
    await worker.terminate();
  }
}

/** The node of before, where it is the same in all; what a thread sends has lost that its records have no prototype. */
function known(node: MapNode, before: MapNode | undefined): MapNode {
  if (before && JSON.stringify(before) === JSON.stringify(node)) return before;
  const common = { tags: record(node.tags), links: record(node.links) };
  return node.kind === "service" ? { ...node, ...common, headers: record(node.headers) } : { ...node, ...common };
}

function record(values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.assign(Object.create(null) as Record<string, string>, values);
}
