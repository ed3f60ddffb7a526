import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";

/** What an image says about how to run it. */
export interface Image {
  /** Folder that stands for the image's `/`. */
  root: string;
  entrypoint: string[];
  cmd: string[];
  healthcheck: string[];
  user: string | null;
  volumes: string[];
}

/**
 * Runs the steps of a Dockerfile in their order without Docker: each stage gets a folder that stands for its `/`,
 * COPY copies, RUN runs in a shell with the stage's absolute paths moved below that folder. It knows the instructions
 * that our Dockerfile uses and refuses any other, so that nothing is passed over in silence.
 */
export function runDockerfile(text: string, context: string, scratch: string): Image {
  const stages = new Map<string, string>();
  let image: Image = fresh(scratch, "0");
  let workdir = "/";
  let env: NodeJS.ProcessEnv = {};
  let count = 0;
  const inStage = (path: string) => join(image.root, path.startsWith("/") ? path : join(workdir, path));
  const moved = (command: string) =>
    command.replace(/(?<=^|[\s"'=])\/(?:src|app|data|config)(?=[\s/"']|$)/g, (path) => join(image.root, path));

  for (const line of instructions(text)) {
    const [, name = "", rest = ""] = /^(\w+)\s+(.*)$/s.exec(line) ?? [];
    switch (name.toUpperCase()) {
      case "FROM": {
        image = fresh(scratch, String(count++));
        workdir = "/";
        env = {};
        const alias = / AS (\S+)$/i.exec(rest)?.[1];
        if (alias) stages.set(alias, image.root);
        break;
      }
      case "WORKDIR":
        workdir = rest;
        mkdirSync(inStage("."), { recursive: true });
        break;
      case "ENV":
        env[rest.slice(0, rest.indexOf("="))] = rest.slice(rest.indexOf("=") + 1);
        break;
      case "COPY": {
        const words = rest.split(/\s+/);
        const from = words.find((word) => word.startsWith("--from="))?.slice("--from=".length);
        const paths = words.filter((word) => !word.startsWith("--"));
        const to = inStage(paths.pop() ?? ".");
        const source = from === undefined ? context : stages.get(from);
        if (source === undefined) throw new Error(`COPY from the unknown stage ${from}`);
        for (const path of paths) copy(join(source, path), to);
        break;
      }
      case "RUN":
        execFileSync("sh", ["-c", moved(rest)], {
          cwd: inStage("."),
          env: { ...process.env, ...env },
          stdio: ["ignore", "ignore", "pipe"],
        });
        break;
      case "USER":
        image.user = rest;
        break;
      case "VOLUME":
        image.volumes = JSON.parse(rest) as string[];
        break;
      case "HEALTHCHECK":
        image.healthcheck = JSON.parse(rest.slice(rest.indexOf("CMD ") + 4)) as string[];
        break;
      case "ENTRYPOINT":
        image.entrypoint = (JSON.parse(rest) as string[]).map(moved);
        break;
      case "CMD":
        image.cmd = (JSON.parse(rest) as string[]).map(moved);
        break;
      case "EXPOSE":
        break;
      default:
        throw new Error(`this runner does not know the instruction ${name}`);
    }
  }
  return image;
}

function fresh(scratch: string, name: string): Image {
  const root = join(scratch, `stage-${name}`);
  mkdirSync(root, { recursive: true });
  return { root, entrypoint: [], cmd: [], healthcheck: [], user: null, volumes: [] };
}

/** A folder's content goes into the target; a file goes below it where the target is a folder or ends in a slash. */
function copy(from: string, to: string): void {
  const isFolder = statSync(from).isDirectory();
  const target = isFolder ? to : to.endsWith("/") || isDirectory(to) ? join(to, basename(from)) : to;
  cpSync(from, target, { recursive: true, filter: (path) => !/\/(node_modules|dist)$/.test(path) || from.includes("stage-") });
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function instructions(text: string): string[] {
  const joined = text
    .split("\n")
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n")
    .replace(/\\\n\s*/g, " ");
  return joined.split("\n").filter((line) => line.trim() !== "");
}
