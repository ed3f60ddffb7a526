import pino, { type DestinationStream, type Logger } from "pino";
import type { AggregatorConfig } from "./domain/config.ts";

/** Lines for machines, or for people where a terminal reads them; `write` gets each line with its end. */
export function createLog(settings: AggregatorConfig["log"], terminal: boolean, write: (text: string) => void): Logger {
  const pretty = settings.format === "pretty" || (settings.format === "auto" && terminal);
  const destination: DestinationStream = { write: (line) => write(pretty ? readable(line) : line) };
  return pino({ level: settings.level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, destination);
}

/** `14:02:11.042 warn  incident opened  incident=3 node=orders-db`: time in UTC, control and bidi characters made visible. */
function readable(line: string): string {
  const { time, level, msg, ...fields } = JSON.parse(line) as { time: string; level: number; msg?: string } & Record<string, unknown>;
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .map(([key, value]) => `${key}=${typeof value === "string" && /^[\w.:>/-]+$/.test(value) ? value : JSON.stringify(value)}`);
  const label = (pino.levels.labels[level] ?? "info").padEnd(5);
  return `${visible(`${time.slice(11, 23)} ${label} ${msg ?? ""}${rest.length > 0 ? `  ${rest.join(" ")}` : ""}`)}\n`;
}

function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`);
}
