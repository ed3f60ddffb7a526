// Loaded into a server with `--import`: on a message over IPC it collects all garbage and tells what lives, in MB.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

process.on("message", () => {
  setFlagsFromString("--expose-gc");
  runInNewContext("gc")();
  const { heapUsed, external } = process.memoryUsage();
  process.send((heapUsed + external) / 2 ** 20);
});
process.channel?.unref();
