import { parentPort, workerData } from "node:worker_threads";
import { stepBack } from "../step-back.ts";
import { type LabelCounts, LabelsError, type LabelsQuestion, labelsReport } from "./report.ts";

/** What the thread sends back, once: the answer as JSON that nobody has to encode again, or why there is none. */
export type LabelsAnswer = { ok: true; json: Uint8Array; counts: LabelCounts; revision: number } | { ok: false; message: string };

/** Answers the one question with which the thread was started. */
function answer(question: LabelsQuestion): LabelsAnswer {
  try {
    const { labels, counts } = labelsReport(question);
    return { ok: true, json: new TextEncoder().encode(JSON.stringify(labels)), counts, revision: labels.map_revision };
  } catch (error) {
    const known = error instanceof LabelsError || (error instanceof Error && error.name === "StoreOpenError");
    return { ok: false, message: known ? (error as Error).message : "the history cannot be read right now" };
  }
}

stepBack();
const given = answer(workerData as LabelsQuestion);
parentPort?.postMessage(given, given.ok ? [given.json.buffer as ArrayBuffer] : []);
