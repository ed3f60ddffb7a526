import { parentPort, workerData } from "node:worker_threads";
import type { MapNode, SystemMap } from "../domain/map.ts";
import { stepBack } from "../step-back.ts";
import { environmentReferences } from "./environment.ts";
import { type Parsed, parseConfig, type SourceFile } from "./parse.ts";

/** What a thread is started with. */
export interface ParseQuestion {
  files: readonly SourceFile[];
  env: Readonly<Record<string, string | undefined>>;
  dir: string;
  today: string;
}

/** First everything but the nodes; then, each time it is asked, some nodes more, and none when there are no more. */
export type ParseAnswer = Omit<Parsed, "map"> & { map: Omit<SystemMap, "nodes"> | null };
const NODES_AT_ONCE = 100;

stepBack();
const { files, env, dir, today } = workerData as ParseQuestion;
const { map, ...parsed } = parseConfig(files, environmentReferences(env, dir), today);
const left: MapNode[] = map ? [...map.nodes.values()] : [];
const answer: ParseAnswer = { ...parsed, map: map && { systems: map.systems, teams: map.teams, maintenance: map.maintenance } };
parentPort?.postMessage(answer);
parentPort?.on("message", () => parentPort?.postMessage(left.splice(0, NODES_AT_ONCE)));
