import { printable } from "../domain/printable.ts";

/** What a command may touch of the process; `stdout` and `stderr` print the text as it is, without a line end of their own. */
export interface CliIo {
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  env: Record<string, string | undefined>;
  cwd: string;
  colour: boolean;
}

/**
 * Answers a call that runs nothing: `help` prints the help, all else says what is wrong with the call, and how it is
 * written: the first paragraph of the help. Returns the exit code.
 */
export function explain(command: string, call: string, help: string, io: CliIo): number {
  if (call === "help") {
    io.stdout(help);
    return 0;
  }
  const [usage = ""] = help.split("\n\n", 1);
  io.stderr(`headwater ${command}: ${printable(call)}\n\n${usage}\n\nheadwater ${command} --help tells more.\n`);
  return 2;
}
