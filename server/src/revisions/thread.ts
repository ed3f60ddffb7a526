import { parentPort, workerData } from "node:worker_threads";
import { type DiffsQuestion, revisionDiffs } from "./report.ts";

parentPort?.postMessage(revisionDiffs(workerData as DiffsQuestion));
