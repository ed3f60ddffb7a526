import type { Browser, Page } from "playwright-core";

/** One complete event of a trace; times are microseconds, `tdur` is what the thread itself worked. */
interface TraceEvent {
  name: string;
  ph: string;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { data?: { url?: string; frame?: string } };
}

/** What the page's main thread did while something was traced, in milliseconds. */
export interface Work {
  /** In the page's own scripts, by the clock and as time of the processor. */
  script: number;
  scriptCpu: number;
  /** In styles, layout and paint. */
  render: number;
  /** The longest single task. */
  longestTask: number;
}

const SCRIPT = new Set([
  "FunctionCall",
  "EvaluateScript",
  "v8.evaluateModule",
  "v8.compile",
  "v8.compileModule",
  "RunMicrotasks",
  "EventDispatch",
  "TimerFire",
  "FireAnimationFrame",
  "FireIdleCallback",
  "MajorGC",
  "MinorGC",
]);
const RENDER = new Set([
  "UpdateLayoutTree",
  "Layout",
  "PrePaint",
  "Paint",
  "Layerize",
  "Commit",
  "IntersectionObserverController::computeIntersections",
]);
const CATEGORIES = ["devtools.timeline", "v8", "disabled-by-default-v8.gc", "toplevel", "blink.user_timing"];

/** Does something and tells what the page's main thread had to work for it. */
export async function traced(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<Work> {
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const complete = traceEvents.filter((event) => event.ph === "X" && event.dur !== undefined);
  const thread = mainThread(complete);
  const mine = complete.filter((event) => event.tid === thread);
  const script = outermost(mine.filter((event) => SCRIPT.has(event.name)));
  const tasks = mine.filter((event) => event.name === "RunTask" || event.name === "ThreadControllerImpl::RunTask");
  return {
    script: sum(script, (event) => event.dur ?? 0),
    scriptCpu: sum(script, (event) => event.tdur ?? event.dur ?? 0),
    render: sum(outermost(mine.filter((event) => RENDER.has(event.name))), (event) => event.dur ?? 0),
    longestTask: Math.max(0, ...tasks.map((event) => event.dur ?? 0)) / 1_000,
  };
}

/** The thread on which the page's scripts ran longest. */
function mainThread(events: readonly TraceEvent[]): number | undefined {
  const time = new Map<number, number>();
  for (const event of events) if (event.name === "FunctionCall") time.set(event.tid, (time.get(event.tid) ?? 0) + (event.dur ?? 0));
  return [...time].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** Those that lie within no other of the list: time is counted once. */
function outermost(events: readonly TraceEvent[]): TraceEvent[] {
  let end = Number.NEGATIVE_INFINITY;
  return [...events]
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
    .filter((event) => {
      if (event.ts < end) return false;
      end = event.ts + (event.dur ?? 0);
      return true;
    });
}

const sum = (events: readonly TraceEvent[], of: (event: TraceEvent) => number): number =>
  events.reduce((total, event) => total + of(event), 0) / 1_000;
