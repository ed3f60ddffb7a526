import type { Problem } from "../domain/map.ts";

/** One mistake of the map as the commands print it. */
export function sentence({ file, line, column, code, message }: Problem): string {
  return `${file}:${line}:${column}: error ${code}: ${message}`;
}

/** The short code of an error of the system, else what it says. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}

/** `YYYY-MM-DD`, in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
