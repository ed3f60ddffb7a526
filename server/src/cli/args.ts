import { type ParseArgsConfig, parseArgs } from "node:util";
import { Suggester } from "../config/suggest.ts";
import { parseDuration } from "../domain/duration.ts";

/** The options of a command, each with its type. */
export type Options = NonNullable<ParseArgsConfig["options"]>;

/**
 * What a command was called with, strictly, as `parseArgs` of Node has it; whoever asks for help gets it, whatever else
 * stands there. Throws an `Error` that says in our words what is wrong with the call. An empty value is wrong too: mostly
 * a script's variable that is not set.
 */
export function readArgs<T extends { args: string[]; options: Options; allowPositionals?: boolean }>(
  call: T,
): ReturnType<typeof parseArgs<T>> {
  const { args, options } = call;
  const { tokens } = parseArgs({ args, options, strict: false, allowPositionals: true, tokens: true });
  if (tokens.some((token) => token.kind === "option" && token.name === "help")) return parseArgs({ ...call, args: ["--help"] });
  for (const token of tokens) {
    const wrong = token.kind === "option" ? optionProblem(token, options) : token.kind === "positional" && argumentProblem(token, call);
    if (wrong) throw new Error(wrong);
  }
  return parseArgs(call);
}

interface OptionToken {
  name: string;
  rawName: string;
  value: string | undefined;
  inlineValue: boolean | undefined;
}

function optionProblem({ name, rawName, value, inlineValue }: OptionToken, options: Options): string | null {
  const option = Object.hasOwn(options, name) ? options[name] : undefined;
  if (!option) {
    const names = Object.keys(options);
    const meant = new Suggester().nearest(name, names) ?? names.find((known) => name.length > 1 && known.startsWith(name));
    return `there is no option ${rawName}${meant === undefined ? "" : `; did you mean --${meant}?`}`;
  }
  if (option.type === "boolean") return value === undefined ? null : `${rawName} takes no value`;
  if (value === undefined) return `${rawName} needs a value`;
  if (value === "") return `the value of ${rawName} is empty: is a variable not set?`;
  if (value.startsWith("-") && value !== "-" && !inlineValue)
    return `${rawName} needs a value, and "${value}" looks like an option; if it is the value, write ${rawName}=${value}`;
  return null;
}

function argumentProblem({ value }: { value: string }, { allowPositionals }: { allowPositionals?: boolean }): string | null {
  if (value === "") return "an argument is empty: is a variable not set?";
  return allowPositionals ? null : `"${value}" has no place here: this command takes options alone`;
}

const HOUR = 3_600_000;

/** Milliseconds that an answer is waited for, at most an hour, which a timer can hold; or what is wrong with it. */
export function readTimeout(text: string): number | string {
  const timeout = parseDuration(text);
  if (timeout !== null && timeout <= HOUR) return timeout;
  return `--timeout ${text} is no length of time such as 500ms or 2s, of at most an hour`;
}

/** What is wrong with an address that does not say how to ask, with the one that was probably meant. */
export function urlProblem(url: string): string {
  const meant = URL.canParse(`http://${url}`) && !url.includes("://") ? `, such as http://${url}` : "";
  return `the URL must begin with http:// or https://${meant}`;
}
