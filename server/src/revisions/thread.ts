import { parentPort, workerData } from "node:worker_threads";
import { stepBack } from "../step-back.ts";
import { type DiffsQuestion, revisionDiffs } from "./report.ts";

stepBack();
parentPort?.postMessage(revisionDiffs(workerData as DiffsQuestion));
