import { duration } from "./time.ts";
import type { Board } from "./types.ts";

const STALE_WORDS: Record<Board["freshness"]["because"][number], string> = {
  no_answers: "No service has answered for longer than the limit.",
  few_reporting: "Fewer than half of the instances report.",
  overdue: "Polls are overdue.",
  blind: "Our own network is the likely cause.",
  frozen: "Results arrive, yet the board is not renewed.",
  history: "Nothing can be written to the history.",
  starting: "There is no answer yet since the start.",
  nothing_to_poll: "The map names nothing to poll.",
};

/** A host that is busy for a moment is not worth a line that moves the board. */
const LAG_TOLD = 2_000;

export interface Notice {
  key: "stale" | "map" | "lag";
  title: string;
  text: string;
}

/** Headwater's own trouble, told apart from that of the system. */
export function notices(board: Board, time: (at: number) => string): Notice[] {
  const { freshness, map } = board;
  const out: Notice[] = [];
  const because = freshness.because.filter((code) => code !== "blind" && code !== "starting");
  if (freshness.stale && because.length > 0) {
    out.push({ key: "stale", title: "What you see may be old.", text: because.map((code) => STALE_WORDS[code]).join(" ") });
  }
  if (map.refused) {
    const { problems, at } = map.refused;
    const first = problems[0];
    const where = first
      ? ` ${first.file}:${first.line}:${first.column} ${first.message}${problems.length > 1 ? `, and ${problems.length - 1} more.` : ""}`
      : "";
    out.push({
      key: "map",
      title: "A newer map was refused.",
      text: `The one of ${time(Date.parse(map.loaded_at))} runs on; refused at ${time(Date.parse(at))}:${where}`,
    });
  }
  if (freshness.poller_lag_ms >= LAG_TOLD) {
    out.push({
      key: "lag",
      title: `The poller is behind by ${duration(freshness.poller_lag_ms)}.`,
      text: "Ages are true, but polls start late.",
    });
  }
  return out;
}
