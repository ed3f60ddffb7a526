/** What a command may touch of the terminal, so that tests can run commands without one. */
export interface CliIo {
  stdout: (text: string) => void;
  stderr: (text: string) => void;
  env: Record<string, string | undefined>;
  cwd: string;
  colour: boolean;
}
