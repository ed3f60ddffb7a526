import { parseArgs } from "node:util";
import { jsonSchema, referenceMarkdown } from "../config/document.ts";
import type { CliIo } from "./io.ts";

const HELP = `headwater schema [map|headwater] [--markdown]

Prints the JSON Schema of the configuration's files, for editors: of any of them, of map/*.yaml only, or of headwater.yaml only.

  --markdown  the reference of all keys as Markdown
  --json      JSON, as always
`;

/** `schema`: prints the JSON Schema, or the reference. */
export async function schema(args: string[], io: CliIo): Promise<number> {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { markdown: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    const [name = "any", more] = positionals;
    if (values.help) io.stdout(HELP);
    else if (values.markdown) io.stdout(referenceMarkdown());
    else if ((name === "any" || name === "map" || name === "headwater") && more === undefined)
      io.stdout(`${JSON.stringify(jsonSchema(name), null, 2)}\n`);
    else throw new Error("one of map and headwater");
    return 0;
  } catch (error) {
    io.stderr(`headwater schema: ${error instanceof Error ? error.message : "wrong call"}\n${HELP}`);
    return 2;
  }
}
