import type { SourceFile } from "./tree.ts";

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function textOf(bytes: Uint8Array): string | null {
  try {
    return decoder.decode(bytes);
  } catch {
    return null;
  }
}

/** The text of a file's bytes; where they are no UTF-8, that and the line of the first that is none. */
export function decodeFile(bytes: Uint8Array): Omit<SourceFile, "path"> {
  const text = textOf(bytes);
  return text === null ? { text: "", unreadable: "is not UTF-8 text", line: firstBadLine(bytes) } : { text };
}

/** No byte of a longer character is a line feed, so each line can be judged alone. */
function firstBadLine(bytes: Uint8Array): number {
  for (let line = 1, start = 0; ; line++) {
    const feed = bytes.indexOf(10, start);
    if (feed < 0 || textOf(bytes.subarray(start, feed)) === null) return line;
    start = feed + 1;
  }
}
