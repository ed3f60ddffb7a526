import { jsonSchema, referenceMarkdown } from "../config/document.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";

const HELP = `headwater schema [map|headwater] [--markdown]

Prints the JSON Schema of the configuration's files, for editors: of any of them, of map/*.yaml only, or of headwater.yaml only.

  --markdown  the reference of all keys as Markdown
  --json      JSON, as always
`;

/** `schema`: prints the JSON Schema, or the reference. */
export async function schema(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("schema", call, HELP, io);
  io.stdout(call.markdown ? referenceMarkdown() : `${JSON.stringify(jsonSchema(call.of), null, 2)}\n`);
  return 0;
}

function readCall(args: string[]): { of: "any" | "map" | "headwater"; markdown: boolean } | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { markdown: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return "help";
    const [of = "any", ...more] = positionals;
    if ((of !== "any" && of !== "map" && of !== "headwater") || more.length > 0) return "takes map, headwater or neither";
    if (values.markdown && of !== "any") return "--markdown tells the keys of all files, and takes no name";
    return { of, markdown: values.markdown ?? false };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}
