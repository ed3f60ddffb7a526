import { type WhatIf, whatIf } from "../analysis/whatif.ts";
import { Suggester } from "../config/suggest.ts";
import { printable } from "../domain/printable.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";
import { loadMap } from "./map-folder.ts";

const HELP = `headwater whatif NODE [--config DIR] [--json]

Says what the failure of one node would do, by the declared map: who becomes
unhealthy or degraded, and which systems.

Exit code 0, 1 for a broken map or a node that it does not hold, 2 for a wrong
call.
`;

/** `whatif NODE`: 0, 1 for a broken map or an unknown node, 2 for a wrong call. */
export async function whatif(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("whatif", call, HELP, io);
  const loaded = await loadMap(call.config, io, "whatif");
  if (!loaded) return 1;
  const { map } = loaded;
  if (!map.nodes.has(call.node)) {
    io.stderr(`headwater whatif: the map holds no node "${printable(call.node)}"${new Suggester().hint(call.node, map.nodes.keys())}\n`);
    return 1;
  }
  const found = whatIf(map, call.node);
  io.stdout(call.json ? `${JSON.stringify(found, null, 2)}\n` : textOf(found));
  return 0;
}

function readCall(args: string[]): { node: string; config: string; json: boolean } | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { config: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return "help";
    const [node, ...more] = positionals;
    if (node === undefined || more.length > 0) return "needs one node";
    return { node, config: values.config ?? "config", json: values.json ?? false };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

function textOf({ node, impacted, atRisk, systems }: WhatIf): string {
  if (impacted.length + systems.length + atRisk.length === 0) return `nothing depends on ${node}\n`;
  const lines = systems.map(({ id, effect }) => `system ${id}: ${effect}`);
  for (const { node: id, status, path: way } of impacted)
    lines.push(`${status.padEnd(9)} ${id}${way.length > 2 ? `  (${way.join(" → ")})` : ""}`);
  if (atRisk.length > 0) lines.push(`at risk   ${atRisk.join(", ")}`);
  return `if ${node} is down:\n${lines.map((line) => `  ${line}\n`).join("")}`;
}
