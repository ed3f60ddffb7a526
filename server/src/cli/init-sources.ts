import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { performance } from "node:perf_hooks";
import type { SourceFile } from "../config/tree.ts";
import { type Drafts, joinDrafts } from "../discover/graph.ts";
import { filesBeside, isGraphText, readFiles, type Unusable } from "../discover/recognise.ts";
import { type Asked, nameAddresses, readReport } from "../discover/report.ts";
import { redactUrl } from "../formats/redact.ts";
import { decodeBody } from "../poller/body.ts";
import { fetchOnce, type RawAnswer } from "../poller/fetch.ts";
import { observe } from "../poller/poll.ts";
import type { CliIo } from "./io.ts";

const MOST_ADDRESSES = 1_000;
const MOST_FILES = 5_000;
const LARGEST_FILE = 16 * 1_048_576;
const LARGEST_SET = 64 * 1_048_576;
/** Longest report, as the poller's default; what is longer may still be a graph. */
const LONGEST_REPORT = 262_144;
const AT_ONCE = 16;
const SKIPPED_FOLDERS = new Set(["node_modules", ".git", "vendor", "dist", "build", "target"]);
/** Compose reads the `.env` beside its file. */
const COMPOSE = /compose.*\.ya?ml$/i;
const MAY_TELL = /\.(?:ya?ml|json|prom|metrics)$/i;

/** How deep endpoints are asked; milliseconds. */
export interface Asking {
  headers: Readonly<Record<string, string>>;
  timeout: number;
  dialect: string;
}

/** All that the sources of one call tell. */
export interface Sources {
  drafts: Drafts;
  /** What each source was taken for. */
  read: { source: string; as: string }[];
  /** Addresses that gave no report, with the outcome. */
  silent: { source: string; reason: string }[];
  /** Files in folders that were passed over. */
  passed: Unusable[];
  /** Files that were named and cannot be used: then nothing is to be made of the rest. */
  problems: Unusable[];
}

/** Whether a source is an address, `URL` or `NAME=URL`. */
const ADDRESS = /^(?:([\w.-]{1,128})=)?(https?:\/\/.*)$/i;

/** Reads files and folders, and asks each address once. A string is what is wrong with the call. */
export async function gather(sources: readonly string[], asking: Asking, io: CliIo): Promise<Sources | string> {
  const asked: Asked[] = [];
  const paths: string[] = [];
  for (const source of sources) {
    const [, name, url] = ADDRESS.exec(source) ?? [];
    if (url === undefined) paths.push(source);
    else {
      const wrong = addressProblem(url);
      if (wrong) return wrong;
      const address = new URL(url);
      address.hash = "";
      if (!asked.some((other) => other.url === address.href))
        asked.push({ name: name ?? null, url: address.href, headers: Object.keys(asking.headers), alone: true });
    }
  }
  if (asked.length > MOST_ADDRESSES) return `more than ${MOST_ADDRESSES} addresses: ask in several runs`;
  const origins = asked.map(({ url }) => new URL(url).origin);
  for (const [index, one] of asked.entries()) one.alone = origins.every((origin, other) => other === index || origin !== origins[index]);
  const files = await filesOf(paths, io.cwd);
  if (typeof files === "string") return files;
  const answers = await askAll(asked, asking);
  const graphs = answers.flatMap(({ asked, text }) => (text !== null && isGraphText(text) ? [{ path: redactUrl(asked.url), text }] : []));
  const reporting = answers.filter(({ text }) => text === null || !isGraphText(text));
  const reading = readFiles([...files.named, ...files.found, ...graphs], files.beside, io.env.COMPOSE_PROFILES);
  return together(reading, files, reporting, asking);
}

function addressProblem(url: string): string | null {
  if (!URL.canParse(url)) return "an address must be a URL with a valid host and port: http://host:8080/path";
  const { username, password } = new URL(url);
  return username === "" && password === "" ? null : "an address must hold no user or password, since it goes into the map: use --header";
}

function together(
  reading: ReturnType<typeof readFiles>,
  files: { named: readonly SourceFile[] },
  answers: readonly Answer[],
  { dialect, headers }: Asking,
): Sources {
  const names = nameAddresses(answers.map(({ asked }) => asked));
  const silent: Sources["silent"] = [];
  const read = reading.read.map(({ file, as }) => ({ source: file, as }));
  const reports = answers.map(({ asked, answer }, index) => {
    const observation = observe(answer, { id: "init", format: dialect, maxBody: LONGEST_REPORT, headers }, { id: "init" });
    const source = redactUrl(asked.url);
    if (observation.report) read.push({ source, as: `report, ${observation.format ?? "by its status"}` });
    else silent.push({ source, reason: observation.error ?? observation.outcome });
    return readReport(asked, names[index] ?? "service", observation);
  });
  const named = new Set(files.named.map((file) => file.path));
  return {
    drafts: joinDrafts([reading.drafts, ...reports]),
    read,
    silent,
    passed: reading.unusable.filter(({ file }) => !named.has(file)),
    problems: reading.unusable.filter(({ file }) => named.has(file)),
  };
}

interface Files {
  named: SourceFile[];
  found: SourceFile[];
  /** What Compose files name. */
  beside: SourceFile[];
}

/** The files that are named, and those found in folders that are; a string says what cannot be read. */
async function filesOf(paths: readonly string[], cwd: string): Promise<Files | string> {
  const seen = new Set<string>();
  const all = { named: [] as SourceFile[], found: [] as SourceFile[] };
  let room = LARGEST_SET;
  for (const start of paths) {
    const full = path.resolve(cwd, start);
    const facts = await stat(full).catch(() => null);
    if (!facts) return `${start} is neither a file, a folder nor an address that begins with http:// or https://`;
    for (const file of facts.isDirectory() ? await search(full) : [full]) {
      if (seen.has(file)) continue;
      seen.add(file);
      const read = await readOne(file, path.relative(cwd, file).replaceAll("\\", "/"), room);
      room -= read.text.length;
      (facts.isDirectory() ? all.found : all.named).push(read);
    }
  }
  return { ...all, beside: await namedByCompose([...all.named, ...all.found], cwd, room) };
}

/** The `.env` beside each Compose file, and the files that it names, as far as these name others in turn. */
async function namedByCompose(files: readonly SourceFile[], cwd: string, room: number): Promise<SourceFile[]> {
  const found = new Map<string, SourceFile>();
  const queue = [...files];
  const known = new Map(files.map((file) => [file.path, file]));
  const take = async (file: string): Promise<SourceFile | undefined> => {
    const full = path.resolve(cwd, file);
    if (!known.has(file) && found.size < MOST_FILES && (await stat(full).catch(() => null))?.isFile()) {
      const read = await readOne(full, file, room - sizeOf(found));
      found.set(file, read);
      known.set(file, read);
      queue.push(read);
    }
    return known.get(file);
  };
  for (const file of queue) {
    if (!/\.ya?ml$/i.test(file.path)) continue;
    const dotEnv = COMPOSE.test(file.path) ? await take(path.posix.join(path.posix.dirname(file.path), ".env")) : undefined;
    for (const named of filesBeside(file, dotEnv?.text ?? "")) await take(named);
  }
  return [...found.values()];
}

const sizeOf = (files: ReadonlyMap<string, SourceFile>) => [...files.values()].reduce((sum, { text }) => sum + text.length, 0);

async function search(start: string): Promise<string[]> {
  const found: string[] = [];
  const queue = [start];
  for (const folder of queue) {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
    // Told as a file that cannot be read.
    if (entries === null && found.length < MOST_FILES) found.push(folder);
    for (const entry of entries ?? []) {
      const full = path.join(folder, entry.name);
      if (entry.isDirectory() && !SKIPPED_FOLDERS.has(entry.name) && queue.length < MOST_FILES) queue.push(full);
      else if (entry.isFile() && MAY_TELL.test(entry.name) && found.length < MOST_FILES) found.push(full);
    }
  }
  return found.sort();
}

async function readOne(full: string, shown: string, room: number): Promise<SourceFile> {
  const refuse = (unreadable: string): SourceFile => ({ path: shown, text: "", unreadable });
  try {
    const facts = await stat(full);
    if (!facts.isFile()) return refuse(facts.isDirectory() ? "is a folder that cannot be read" : "is no regular file");
    if (facts.size > LARGEST_FILE) return refuse(`is larger than ${LARGEST_FILE / 1_048_576} MiB`);
    if (facts.size > room) return refuse(`all files together are larger than ${LARGEST_SET / 1_048_576} MiB`);
    return { path: shown, text: await readFile(full, "utf8") };
  } catch (error) {
    return refuse(`cannot be read (${error instanceof Error && "code" in error ? error.code : "unknown"})`);
  }
}

interface Answer {
  asked: Asked;
  answer: RawAnswer;
  /** What was answered, where it is text. */
  text: string | null;
}

/** Asks each address once, a few at a time, in order. */
async function askAll(asked: readonly Asked[], asking: Asking): Promise<Answer[]> {
  const answers: Answer[] = [];
  let next = 0;
  const work = async () => {
    for (let index = next++; index < asked.length; index = next++) {
      const one = asked[index];
      if (one) answers[index] = await ask(one, asking);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return answers;
}

async function ask(asked: Asked, { headers, timeout }: Asking): Promise<Answer> {
  const clock = { monotonic: () => performance.now(), wall: () => Date.now() };
  const target = { url: asked.url, headers, interval: 10_000, timeout, maxBody: LARGEST_FILE, tls: null };
  const answer = await fetchOnce(target, { userAgent: "headwater-init", clock });
  const decoded = answer.kind === "answer" ? decodeBody(answer.body, { ...answer, maxBody: LARGEST_FILE }) : null;
  return { asked, answer, text: decoded?.ok ? decoded.text : null };
}
