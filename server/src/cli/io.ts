import { printable } from "./printable.ts";

/** What a command may touch of the process; `stdout` and `stderr` print the text as it is, without a line end of their own. */
export interface CliIo {
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  env: Record<string, string | undefined>;
  cwd: string;
  colour: boolean;
}

/** Answers a call that runs nothing: `help` prints the help, all else says what is wrong with the call. `gap` parts the two. Returns the exit code. */
export function explain(command: string, call: string, help: string, io: CliIo, gap = ""): number {
  if (call === "help") {
    io.stdout(help);
    return 0;
  }
  io.stderr(`headwater ${command}: ${printable(call)}\n${gap}${help}`);
  return 2;
}
