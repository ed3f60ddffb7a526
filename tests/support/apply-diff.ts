/** Applies a unified diff of one file as strictly as `git apply` does: every line of context must be there, at its place. */
export function applyDiff(text: string, diff: string): string {
  const lines = text.split(/(?<=\n)/).filter((line) => line !== "");
  const [old = "", fresh = "", ...rest] = diff.split(/(?<=\n)/).filter((line) => line !== "");
  if (!old.startsWith("--- a/") || !fresh.startsWith("+++ b/")) throw new Error("no header");
  const result: string[] = [];
  let at = 0;
  let left: [number, number] = [0, 0];
  for (const [n, line] of rest.entries()) {
    if (line.startsWith("\\")) continue;
    const body = rest[n + 1]?.startsWith("\\") ? line.slice(1).replace(/\n$/, "") : line.slice(1);
    const header = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@\n$/.exec(line);
    if (header && left[0] + left[1] === 0) {
      const [from, count, to, added] = header.slice(1).map(Number) as [number, number, number, number];
      const start = count === 0 ? from : from - 1;
      while (at < start) result.push(lines[at++] ?? "");
      if (result.length !== (added === 0 ? to : to - 1))
        throw new Error(`the hunk is said to begin at ${to}, and is at ${result.length + 1}`);
      left = [count, added];
      continue;
    }
    if (line[0] !== "+") {
      if (lines[at] !== body) throw new Error(`line ${at + 1} is ${JSON.stringify(lines[at])}, not ${JSON.stringify(body)}`);
      at++;
      left[0]--;
    }
    if (line[0] !== "-") {
      result.push(body);
      left[1]--;
    }
  }
  if (left[0] !== 0 || left[1] !== 0) throw new Error("the hunk is shorter than its header says");
  return [...result, ...lines.slice(at)].join("");
}
