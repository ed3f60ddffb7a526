import type { CliIo } from "../../server/src/cli/io.ts";

/** Runs a command of ours in this process: its exit code, and all that it wrote. */
export async function runCommand(
  command: (args: string[], io: CliIo) => number | Promise<number>,
  args: string[],
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<{ code: number; out: string; err: string }> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await command(args, { stdout: (text) => out.push(text), stderr: (text) => err.push(text), env, cwd, colour: false });
  return { code, out: out.join(""), err: err.join("") };
}
