// Loaded into a server with `--import`: how long its event loop could not turn, told over IPC. A message asks for the longest
// times since the last one: `busy` at work, `held` at work or waiting for the disk, `waited` by the clock, with what the
// machine's other work made it wait for a processor.
import { readFileSync } from "node:fs";

const EVERY_MS = 2;
const schedule = `/proc/self/task/${process.pid}/schedstat`;
/** Milliseconds by the clock, and those for which the main thread has run and has waited for a processor so far. */
function look() {
  const [ran, queued] = readFileSync(schedule, "latin1").split(" ").map(Number);
  return { at: performance.now(), ran: ran / 1e6, queued: queued / 1e6 };
}

const NONE = { busy: 0, held: 0, waited: 0 };
let last = look();
let longest = { ...NONE };
setInterval(() => {
  const now = look();
  const waited = now.at - last.at - EVERY_MS;
  const took = { busy: now.ran - last.ran, held: waited - (now.queued - last.queued), waited };
  for (const kind of Object.keys(NONE)) longest[kind] = Math.max(longest[kind], took[kind]);
  last = now;
}, EVERY_MS).unref();

process.on("message", () => {
  process.send(longest);
  longest = { ...NONE };
});
process.channel?.unref();
