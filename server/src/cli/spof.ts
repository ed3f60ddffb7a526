import { singlePoints } from "../analysis/whatif.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";
import { loadMap } from "./map-folder.ts";

const HELP = `headwater spof [--config DIR] [--json]

Lists single points of failure: nodes whose failure alone makes a system
unhealthy, those that break most first.

Exit code 0, 1 for a broken map, 2 for a wrong call.
`;

/** `spof`: 0, 1 for a broken map, 2 for a wrong call. */
export async function spof(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("spof", call, HELP, io);
  const loaded = await loadMap(call.config, io, "spof");
  if (!loaded) return 1;
  const { map } = loaded;
  const points = singlePoints(map);
  if (call.json) io.stdout(`${JSON.stringify({ points }, null, 2)}\n`);
  else if (points.length === 0) io.stdout("no single point of failure\n");
  for (const { node, systems, unhealthy, degraded } of call.json ? [] : points) {
    io.stdout(`${node}: ${unhealthy} unhealthy, ${degraded} degraded${systems.length > 0 ? `; breaks ${systems.join(", ")}` : ""}\n`);
  }
  return 0;
}

function readCall(args: string[]): { config: string; json: boolean } | string {
  try {
    const { values } = readArgs({
      args,
      options: { config: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    return values.help ? "help" : { config: values.config ?? "config", json: values.json ?? false };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}
