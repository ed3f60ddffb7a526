import { readlinkSync } from "node:fs";
import { getPriority, setPriority } from "node:os";

/** Steps of niceness: about a third of the share that a thread of the main one's weight would get. */
const NICER = 5;

/** Lets polls go before the thread that calls it. Linux weighs each thread by itself; elsewhere all stays as it is. */
export function stepBack(): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, Math.min(19, getPriority(thread) + NICER));
  } catch {
    // No such folder, or not allowed: then it works beside the others.
  }
}
