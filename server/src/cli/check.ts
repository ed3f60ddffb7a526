import { stat } from "node:fs/promises";
import path from "node:path";
import { environmentReferences, loadConfig } from "../config/source.ts";
import type { Problem } from "../domain/map.ts";
import { printable } from "../domain/printable.ts";
import { located, sentence } from "../start/words.ts";
import { readArgs } from "./args.ts";
import { type CliIo, explain } from "./io.ts";

const FORMATS = ["text", "json", "github"] as const;

const HELP = `headwater check [DIR] [--format text|json|github] [--keep-references]

Checks a configuration folder (default: config) and prints every mistake with
file, line and column.

  --format FORMAT    text for people, json for machines, github for annotations
                     in a workflow
  --json             the same as --format json
  --keep-references  look up no variable and no file that the map refers to: for a
                     machine that does not have them. What only their values would
                     show stays unseen.

Exit code 0 without errors, 1 with errors or where the folder holds no
configuration, 2 for a wrong call. Warnings alone do not fail.
`;

/** Lists of problems as one text each; `dir` is how the caller names the folder. */
const RENDER: Record<(typeof FORMATS)[number], (errors: Problem[], warnings: Problem[], dir: string) => string> = {
  json: (errors, warnings) => `${JSON.stringify({ errors, warnings }, null, 2)}\n`,
  text: (errors, warnings, dir) => {
    const lines = merged(errors, warnings).map(({ level, problem }) => `${sentence(dir, problem, level)}\n`);
    return `${lines.join("")}${summary(errors.length, warnings.length)}\n`;
  },
  github: (errors, warnings, dir) => {
    const lines = merged(errors, warnings).map(({ level, problem }) => {
      const place = `file=${property(located(dir, problem.file))},line=${problem.line},col=${problem.column},title=${property(problem.code)}`;
      return `::${level} ${place}::${escaped(problem.message)}\n`;
    });
    // GitHub shows ten annotations of a step and kind; the log has all.
    return `${lines.join("")}${summary(errors.length, warnings.length)}\n`;
  },
};

/** `check [DIR]`: 0 without errors, 1 with errors or where nothing was there to check, 2 for a wrong call. */
export async function check(args: string[], io: CliIo): Promise<number> {
  const call = readCall(args);
  if (typeof call === "string") return explain("check", call, HELP, io);
  const dir = path.resolve(io.cwd, call.dir);
  const facts = await stat(dir).catch(() => null);
  if (!facts?.isDirectory()) {
    io.stderr(`headwater check: ${printable(call.dir)} is not a folder; check takes the one that holds map/*.yaml\n`);
    return 2;
  }
  const references = call.keepReferences ? "keep" : environmentReferences(io.env, dir);
  const loaded = await loadConfig(dir, references, new Date().toISOString().slice(0, 10));
  const shown = call.format === "github" ? (fromCheckout(dir, io.env.GITHUB_WORKSPACE) ?? call.dir) : call.dir;
  io.stdout(RENDER[call.format](loaded.errors, loaded.warnings, shown));
  if (loaded.files.length === 0)
    io.stderr(`headwater check: ${printable(call.dir)} holds no configuration: check takes the folder that holds map/*.yaml\n`);
  return loaded.errors.length > 0 || loaded.files.length === 0 ? 1 : 0;
}

/** The folder as annotations name it: from the root of the checkout, wherever the step runs; null where it is not in there. */
function fromCheckout(dir: string, root: string | undefined): string | null {
  const inside = root === undefined ? ".." : path.relative(root, dir);
  return inside.startsWith("..") || path.isAbsolute(inside) ? null : inside;
}

interface Call {
  dir: string;
  keepReferences: boolean;
  format: (typeof FORMATS)[number];
}

function readCall(args: string[]): Call | string {
  try {
    const { values, positionals } = readArgs({
      args,
      allowPositionals: true,
      options: {
        format: { type: "string" },
        json: { type: "boolean" },
        "keep-references": { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    if (values.help) return "help";
    const format = FORMATS.find((known) => known === (values.format ?? (values.json ? "json" : "text")));
    if (!format) return "--format is text, json or github";
    if (positionals.length > 1) return "one folder at a time";
    const keepReferences = values["keep-references"] ?? false;
    return { dir: positionals[0] ?? "config", keepReferences, format };
  } catch (error) {
    return error instanceof Error ? error.message : "wrong call";
  }
}

function merged(errors: Problem[], warnings: Problem[]): { level: "error" | "warning"; problem: Problem }[] {
  const all = [
    ...errors.map((problem) => ({ level: "error" as const, problem })),
    ...warnings.map((problem) => ({ level: "warning" as const, problem })),
  ];
  return all.sort(({ problem: a }, { problem: b }) =>
    a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line || a.column - b.column,
  );
}

function summary(errors: number, warnings: number): string {
  const count = (n: number, word: string) => `${n} ${word}${n === 1 ? "" : "s"}`;
  return errors + warnings === 0 ? "no mistakes found" : `${count(errors, "error")}, ${count(warnings, "warning")}`;
}

const escaped = (text: string) => text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
const property = (text: string) => escaped(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
