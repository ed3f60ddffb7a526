import { type ChildProcess, spawn } from "node:child_process";
import { atOnce } from "../../server/src/domain/turns.ts";
import { openStore } from "../../server/src/store/index.ts";

const SECOND = 1_000;
const DAY = 86_400_000;
const KEEP = { raw: DAY, minutes: 7 * DAY, hours: 90 * DAY, changes: 400 * DAY };
/** Writes history as a server with fifty polls a second does, ten times as fast; needs `pnpm build`. */
const WRITER = new URL("../integration/store-child.mjs", import.meta.url);

export interface Kill {
  /** What the child said to have shown, and what of it history no longer had. */
  shown: number;
  missing: string[];
  /** Polls that were flushed, and how many the history holds. */
  flushed: number;
  kept: number;
  gap: boolean;
  nextIncidentIsNew: boolean;
  /** The node shown last is restored as it was shown, or, if it was seen for the first time after the last flush, not at all. */
  stateIsAsShown: boolean;
  /** What opening and closing it complained of: a file laid aside, a write that failed. */
  errors: string[];
}

/** Starts a writer on `path`, kills it (-9) `after` milliseconds after its first word, and looks at what is left. */
export async function killOnce(path: string, start: number, after: number): Promise<Kill> {
  const child = spawn(process.execPath, [WRITER.pathname, path, String(start)], { stdio: ["ignore", "pipe", "inherit"] });
  const said = await saidUntilKilled(child, after);
  const shown = said.filter((line) => line.startsWith("shown ")).map((line) => line.split(" "));
  const flushes = said.filter((line) => line.startsWith("flushed ")).map((line) => line.split(" ").map(Number));
  const [, end = start, flushed = 0] = flushes.at(-1) ?? [];

  const errors: string[] = [];
  const log = (level: string, text: string): void => {
    if (level === "error") errors.push(text);
  };
  const store = openStore({ path, maxSize: 2e9, retention: KEEP, log });
  try {
    const restored = store.writer.restore(end + 60 * SECOND);
    const missing: string[] = [];
    const newest = new Map<string, string>();
    for (const [, service = "", id = "", at = "", status = ""] of shown) {
      if (store.reader.incident(Number(id))?.anchor !== service) missing.push(`incident ${id}`);
      if (store.reader.incidentEvents(Number(id), 1).length !== 1) missing.push(`event of ${id}`);
      const found = store.reader.transitions(Number(at), Number(at) + 1, 10, [service]);
      if (!found.some((one) => one.to === status)) missing.push(`transition of ${service} at ${at}`);
      newest.set(service, status);
    }
    let kept = 0;
    for (let i = 0; i < 50; i++)
      for (const point of atOnce(store.reader.nodeHistory(`service-${i}`, start - SECOND, end + 1, 100_000)).latency) kept += point.count;
    const [lastService, lastStatus] = [...newest].at(-1) ?? [];
    const restoredNode = restored.state?.nodes.get(lastService ?? "");
    const flushedLines = said.slice(
      0,
      said.findLastIndex((line) => line.startsWith("flushed ")),
    );
    const wasFlushed = flushedLines.some((line) => line.startsWith(`shown ${lastService} `));
    const lastId = Number(shown.at(-1)?.[2] ?? 0);
    return {
      shown: shown.length,
      missing,
      flushed,
      kept,
      gap: store.reader.gaps(start - DAY, end + DAY).length > 0,
      nextIncidentIsNew: restored.nextIncidentId > lastId,
      stateIsAsShown: lastService === undefined || (restoredNode ? restoredNode.status === lastStatus : !wasFlushed),
      errors,
    };
  } finally {
    store.close();
  }
}

function saidUntilKilled(child: ChildProcess, after: number): Promise<string[]> {
  return new Promise((resolve, reject) => {
    let text = "";
    let armed = false;
    child.stdout?.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      if (armed) return;
      armed = true;
      setTimeout(() => child.kill("SIGKILL"), after);
    });
    child.on("error", reject);
    // A line that was cut off was not said.
    child.on("close", () => resolve(text.slice(0, text.lastIndexOf("\n") + 1).split("\n")));
  });
}
