// Loaded into a server with `--import`: how long its event loop could not turn, told over IPC. A message asks for the longest
// time since the last one: `held` is our own (working, or waiting for the disk), `waited` what the machine made of it.
import { readFileSync } from "node:fs";

const EVERY_MS = 2;
const schedule = `/proc/self/task/${process.pid}/schedstat`;
/** Milliseconds that the main thread has waited for a processor so far. */
const queued = () => Number(readFileSync(schedule, "latin1").split(" ")[1]) / 1e6;

let last = { at: performance.now(), queued: queued() };
let longest = { held: 0, waited: 0 };
setInterval(() => {
  const now = { at: performance.now(), queued: queued() };
  const waited = now.at - last.at - EVERY_MS;
  const held = waited - (now.queued - last.queued);
  longest = { held: Math.max(longest.held, held), waited: Math.max(longest.waited, waited) };
  last = now;
}, EVERY_MS).unref();

process.on("message", () => {
  process.send(longest);
  longest = { held: 0, waited: 0 };
});
process.channel?.unref();
