import { type Asked, askAside } from "../aside.ts";
import type { LabelCounts, LabelsQuestion } from "./report.ts";
import type { LabelsAnswer } from "./thread.ts";

/** The newest judgement of all labels, as the API hands it out. */
export interface KeptLabels {
  json: Uint8Array;
  counts: LabelCounts;
  /** Revision of the map that was judged, and when. */
  revision: number;
  at: number;
}

export interface LabelsKeeper {
  /** The newest judgement; one that is old starts the next. Null, with the reason for people, where there has been none. */
  latest(): Promise<KeptLabels | { message: string }>;
  /** For metrics; null before the first judgement. */
  counts(): LabelCounts | null;
  stop(): Promise<void>;
}

export interface KeeperOptions {
  /** The history's file. */
  data: string;
  /** Revision of the map in use: another one makes a judgement old at once. */
  revision: () => number;
  now: () => number;
  log: { warn(fields: object, text: string): void };
}

/** A judgement this old is made anew when somebody asks, and never more often; unasked, once an hour for the metrics. */
const FRESH_MS = 300_000;
const AT_MOST_EVERY_MS = 30_000;
const UNASKED_MS = 3_600_000;
/** The first comes when the first answers are kept. */
const FIRST_MS = 300_000;
/** As built: a thread can only be started on a file that Node itself can read. */
const THREAD = new URL("./thread.js", import.meta.url);

/**
 * Has labels judged on a thread of its own, which reads the history's file by itself and ends with its answer: the main
 * thread neither waits for it nor encodes what it found.
 */
export function keepLabels({ data, revision, now, log }: KeeperOptions): LabelsKeeper {
  let kept: KeptLabels | null = null;
  let running: Asked<LabelsAnswer> | null = null;
  let startedAt = Number.NEGATIVE_INFINITY;
  let failure: string | null = null;
  let stopped = false;

  async function judge(): Promise<void> {
    if (running || stopped) return;
    startedAt = now();
    const question: LabelsQuestion = { data, files: null, now: startedAt };
    running = askAside<LabelsAnswer>(THREAD, question);
    const answer = (await running.answer) ?? {
      ok: false as const,
      message: "labels could not be judged: the thread failed, or took too long",
    };
    running = null;
    if (stopped) return;
    if (answer.ok) kept = { json: answer.json, counts: answer.counts, revision: answer.revision, at: startedAt };
    else if (answer.message !== failure) log.warn({ reason: answer.message }, "labels could not be judged");
    failure = answer.ok ? null : answer.message;
  }

  const isOld = (): boolean => kept === null || kept.revision !== revision() || Math.abs(now() - kept.at) >= FRESH_MS;
  const hourly = setInterval(() => void judge(), UNASKED_MS).unref();
  const first = setTimeout(() => void judge(), FIRST_MS).unref();

  return {
    async latest() {
      if (running && (kept === null || kept.revision !== revision())) await running.answer;
      else if (isOld() && Math.abs(now() - startedAt) >= AT_MOST_EVERY_MS) {
        const judged = judge();
        if (kept === null || kept.revision !== revision()) await judged;
      }
      return kept ?? { message: failure ?? "labels have not been judged yet" };
    },
    counts: () => kept?.counts ?? null,
    async stop() {
      stopped = true;
      clearInterval(hourly);
      clearTimeout(first);
      await running?.stop();
    },
  };
}
