import type { Instance, ServiceNode } from "../domain/map.ts";
import type { Line } from "./fetch.ts";
import { LastAnswer } from "./last-answer.ts";
import type { Read } from "./poll.ts";
import type { Timed } from "./scheduler.ts";

/** Times are milliseconds ago, null for never. */
export interface PollProgress {
  service: ServiceNode;
  instance: string;
  /** Since when a poll is owed. */
  owedMs: number | null;
  /** Since the last poll was completed; an aborted one is not. */
  completedMs: number | null;
  /** Since the last poll that brought a report was completed. */
  reportedMs: number | null;
  /** Whether the last completed poll brought one. */
  reports: boolean;
}

const OVERDUE_MS = 5_000;

/** One polled instance: what is asked, how far that has come, and what it last said. Its times are the scheduler's. */
export class Task implements Timed {
  readonly id: string;
  readonly interval: number;
  due = Number.POSITIVE_INFINITY;
  removed = false;
  service: ServiceNode;
  instance: Instance;
  line: Line;
  /** Epoch ms of the last poll's start, of whatever address. */
  attemptedAt: number | null;
  busy: Promise<void> | null = null;
  /** Due time of the oldest poll that has not been completed; null when nothing is owed. */
  owed: number | null = null;
  /** When the last poll was completed; null before the first. */
  completed: number | null = null;
  /** The same of the last poll that brought a report. */
  reported: number | null = null;
  answer: LastAnswer | null = null;

  constructor(service: ServiceNode, instance: Instance, line: Line, attemptedAt: number | null) {
    this.id = instance.id;
    this.interval = service.interval;
    this.service = service;
    this.instance = instance;
    this.line = line;
    this.attemptedAt = attemptedAt;
  }

  /** A poll was completed now, unless we aborted it: then it is still owed. */
  took(read: Read, now: number): void {
    this.answer ??= new LastAnswer();
    this.answer.keep(read);
    const { outcome, report } = read.observation;
    if (outcome === "aborted") return;
    this.owed = null;
    this.completed = now;
    if (report) this.reported = now;
  }

  /** Whether the connection and a poll under way still belong to what the map now says. */
  asksAs(service: ServiceNode, { url }: Instance): boolean {
    if (this.service === service && this.instance.url === url) return true;
    const part = ({ timeout, maxBody, headers, tls }: ServiceNode) => JSON.stringify([timeout, maxBody, headers, tls]);
    return this.instance.url === url && part(this.service) === part(service);
  }

  isOverdue(now: number): boolean {
    return now > Math.min(this.owed ?? this.due, this.due) + this.service.timeout + OVERDUE_MS;
  }

  progress(now: number): PollProgress {
    const { service, id, owed, due, completed, reported } = this;
    return {
      service,
      instance: id,
      owedMs: since(Math.min(owed ?? due, due), now),
      completedMs: since(completed, now),
      reportedMs: since(reported, now),
      reports: reported !== null && reported === completed,
    };
  }
}

function since(time: number | null, now: number): number | null {
  return time === null || time > now ? null : now - time;
}
