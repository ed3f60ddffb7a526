import { request } from "undici";

export interface HeartbeatOptions {
  url: string;
  /** Milliseconds between two beats. */
  every: number;
  /** Asked before each beat: a stale Headwater keeps silent, and the dead man's switch goes off. */
  fresh: () => boolean;
  /** Told of the first failure of a row, and of the first success after it; never of the address, which is a secret. */
  onChange: (working: boolean, reason: string | null) => void;
}

const TIMEOUT_MS = 5_000;
/** A switch that does not answer is asked more and more seldom, up to this many beats apart. */
const MOST_BEATS_APART = 8;

/** Pushes to a dead man's switch while fresh. Returns the function that stops it. */
export function startHeartbeat(options: HeartbeatOptions): () => void {
  const ending = new AbortController();
  let failures = 0;
  let timer: NodeJS.Timeout;

  const beat = async () => {
    if (options.fresh()) {
      const reason = await push(options.url, ending.signal);
      if (ending.signal.aborted) return;
      if (reason !== null && failures === 0) options.onChange(false, reason);
      if (reason === null && failures > 0) options.onChange(true, null);
      failures = reason === null ? 0 : failures + 1;
    }
    schedule();
  };
  const schedule = () => {
    timer = setTimeout(() => void beat(), options.every * Math.min(MOST_BEATS_APART, 2 ** Math.max(0, failures - 1)));
    timer.unref();
  };
  void beat();
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

/** Null when the switch took it, else a short reason. */
async function push(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await request(url, { method: "GET", signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) });
    await answer.body.dump({ limit: 16_384 });
    return answer.statusCode < 400 ? null : `status ${answer.statusCode}`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? (error as Error).name;
  }
}
