import { Board } from "../contract/index.ts";
import { readArgs, readTimeout, urlProblem } from "./args.ts";
import { ask, escaped, serverAddress } from "./ask.ts";
import { type CliIo, explain } from "./io.ts";
import { isWell, statusScreen } from "./status-screen.ts";

const HELP = `headwater status [URL] [--json] [--timeout 5s]

Asks a running Headwater how things are, and fits it on one screen: causes first and what they explain, then systems, what
else is not well, and how fresh it all is. URL is the board's address (default http://127.0.0.1:8080/). Where it
has a login, HEADWATER_TOKEN holds a viewer's token.

  --json          print the board as /api/v1/board has it
  --timeout TIME  a whole number and ms, s or m (default 5s)

Exit code 0 when all is well and fresh, 1 when not or when there is no answer, 2 for a wrong call.
`;

/** `status [URL]`: 0 when all is well and fresh, 1 when not, 2 for a wrong call. */
export async function status(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("status", call, HELP, io);
  const asked = await ask(call.url, Board, "board", call.timeout, io.env.HEADWATER_TOKEN);
  if (typeof asked === "string") {
    io.stderr(`headwater status: ${asked}\n`);
    return 1;
  }
  io.stdout(call.json ? `${escaped(JSON.stringify(asked, null, 2))}\n` : statusScreen(asked, io.colour));
  return isWell(asked) ? 0 : 1;
}

function readCall(args: string[]): { url: URL; timeout: number; json: boolean } | "help" | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean" }, timeout: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return "help";
    const [address = "http://127.0.0.1:8080/", ...more] = positionals;
    if (more.length > 0) return "one URL at most";
    const url = serverAddress(address, "api/v1/board");
    if (url === null) return urlProblem(address);
    const timeout = readTimeout(values.timeout ?? "5s");
    if (typeof timeout === "string") return timeout;
    return { url, timeout, json: values.json ?? false };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}
