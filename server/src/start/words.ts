import path from "node:path";
import type { Problem } from "../domain/map.ts";
import { printable } from "../domain/printable.ts";

/** A file of the map as it is found from where a command was run; `folder` is the configuration folder as the command was told it. */
export function located(folder: string, file: string): string {
  return path.posix.join(folder.replaceAll("\\", "/"), file);
}

/** One mistake of the map as all commands print it. */
export function sentence(folder: string, { file, line, column, code, message }: Problem, level: "error" | "warning" = "error"): string {
  return printable(`${located(folder, file)}:${line}:${column}: ${level} ${code}: ${message}`);
}

/** The short code of an error of the system, else what it says. */
export function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}

/** `YYYY-MM-DD`, in UTC. */
export function today(): string {
  return new Date().toISOString().slice(0, 10);
}
