/** What a command may touch of the process; `stdout` and `stderr` print the text as it is, without a line end of their own. */
export interface CliIo {
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  env: Record<string, string | undefined>;
  cwd: string;
  colour: boolean;
}
