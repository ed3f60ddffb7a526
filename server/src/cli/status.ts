import { parseArgs } from "node:util";
import { Agent, request } from "undici";
import { Board } from "../contract/index.ts";
import { parseDuration } from "../domain/duration.ts";
import type { CliIo } from "./io.ts";
import { isWell, statusScreen } from "./status-screen.ts";

const HELP = `headwater status [URL] [--json] [--timeout 5s]

Asks a running Headwater how things are, and fits it on one screen: causes first and what they explain, then systems, what
else is not well, and how fresh it all is. URL is the board's address (default http://127.0.0.1:8080/). Where it
has a login, HEADWATER_TOKEN holds a viewer's token.

  --json          print the board as /api/v1/board has it
  --timeout TIME  a whole number and ms, s or m (default 5s)

Exit code 0 when all is well and fresh, 1 when not or when there is no answer, 2 for a wrong call.
`;

const LARGEST_BOARD = 64 * 1_048_576;

/** `status [URL]`: 0 when all is well and fresh, 1 when not, 2 for a wrong call. */
export async function status(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (call === "help") {
    io.stdout(HELP);
    return 0;
  }
  if (typeof call === "string") {
    io.stderr(`headwater status: ${call}\n\n${HELP}`);
    return 2;
  }
  const asked = await ask(call.url, call.timeout, io.env.HEADWATER_TOKEN);
  if (typeof asked === "string") {
    io.stderr(`headwater status: ${asked}\n`);
    return 1;
  }
  io.stdout(call.json ? `${JSON.stringify(asked, null, 2).replace(UNSEEN, escaped)}\n` : statusScreen(asked, io.colour));
  return isWell(asked) ? 0 : 1;
}

/** What JSON leaves as it is and a terminal would obey. */
const UNSEEN = /[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

function escaped(char: string): string {
  return [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join("");
}

function readCall(args: string[]): { url: URL; timeout: number; json: boolean } | "help" | string {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { json: { type: "boolean" }, timeout: { type: "string" }, help: { type: "boolean", short: "h" } },
    });
    if (values.help) return "help";
    const [address = "http://127.0.0.1:8080/", ...more] = positionals;
    if (more.length > 0) return "one URL at most";
    if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return "the URL must begin with http:// or https://";
    const timeout = parseDuration(values.timeout ?? "5s");
    if (timeout === null || timeout === 0) return "--timeout takes a length of time such as 500ms or 5s";
    return { url: new URL("api/v1/board", address.replace(/\/*$/, "/")), timeout, json: values.json ?? false };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

/** The board, or why there is none in one sentence that names neither token nor answer. */
async function ask(url: URL, timeout: number, token: string | undefined): Promise<Board | string> {
  const agent = new Agent({ maxResponseSize: LARGEST_BOARD });
  try {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await request(url, { dispatcher: agent, headers, signal: AbortSignal.timeout(timeout) });
    if (answer.statusCode === 401 || answer.statusCode === 403)
      return token ? "the token in HEADWATER_TOKEN is not taken" : "a login is needed: set HEADWATER_TOKEN to a viewer's token";
    if (answer.statusCode === 421) return "it does not go by that name; listen.hosts in its headwater.yaml lists those that it has";
    if (answer.statusCode !== 200) return `there is no board: status ${answer.statusCode}`;
    const board = Board.safeParse(await answer.body.json());
    return board.success ? board.data : "that is no board of a Headwater";
  } catch (error) {
    if (error instanceof SyntaxError) return "that is no board of a Headwater";
    const { code, name } = error as NodeJS.ErrnoException;
    return name === "TimeoutError"
      ? `no answer from ${url.origin} within ${timeout / 1_000} s: it may be wedged`
      : `no answer from ${url.origin} (${code ?? name})`;
  } finally {
    await agent.destroy();
  }
}
