import type { Poller } from "../poller/poller.ts";
import type { Canary } from "../state/blind.ts";

const EVERY_TICKS = 10;
const TIMEOUT_MS = 2_000;

/** Addresses outside the fleet: one that works proves our path; only all of them failing says that we are cut off. */
export class Canaries {
  readonly #ask: Poller["canary"];
  #ticks = 0;
  say: Canary = "none";

  constructor(ask: Poller["canary"]) {
    this.#ask = ask;
  }

  /** Asks with every tenth tick. */
  tick(urls: readonly string[]): void {
    if (this.#ticks++ % EVERY_TICKS === 0) void this.#look(urls);
  }

  async #look(urls: readonly string[]): Promise<void> {
    if (urls.length === 0) {
      this.say = "none";
      return;
    }
    const answers = await Promise.all(urls.map((url) => this.#ask(url, TIMEOUT_MS)));
    this.say = answers.includes(true) ? "working" : "failing";
  }
}
