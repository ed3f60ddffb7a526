import type { Director } from "./director.ts";

/** What each key does, for the terminal. */
export function keyHelp(director: Director): string {
  const acts = director.script.map(({ title }, index) => `  ${index + 1}  ${title}`);
  return [...acts, "  h  heal everything", "  s  let the script run, or hold it", "  q  quit"].join("\n");
}

/**
 * Listens to single keys on a terminal; does nothing where there is none. Returns what undoes it.
 * Ctrl-C and `q` call `quit`: a terminal in raw mode sends no signal.
 */
export function bindKeys(input: NodeJS.ReadStream, director: Director, quit: () => void): () => void {
  if (!input.isTTY) return () => {};
  const onData = (data: Buffer) => {
    for (const key of data.toString("latin1")) act(key);
  };
  const act = (key: string) => {
    if (key === "q" || key === "\u0003") quit();
    else if (key === "h") void director.healAll();
    else if (key === "s") void director.setAuto(!director.state().auto);
    else if (/[1-9]/.test(key)) void director.play(Number(key) - 1);
  };
  input.setRawMode(true);
  input.resume();
  input.on("data", onData);
  return () => {
    input.off("data", onData);
    input.setRawMode(false);
    input.pause();
  };
}
