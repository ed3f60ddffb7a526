import type { SystemMap } from "../../domain/map.ts";
import { readDocuments } from "../read.ts";
import { templateLine } from "../template.ts";
import type { SourceFile } from "../tree.ts";
import { judgeAppService, judgeCompose, judgeDockerfile, judgeInfrastructureText } from "./containers.ts";
import { type Finding, targetOf } from "./finding.ts";
import { judgeManifest } from "./kubernetes.ts";

const DOCKERFILE = /^(?:Dockerfile|Containerfile)(?:\..+)?$|\.(?:Dockerfile|Containerfile)$/i;
const TEXT = /\.(?:bicep|tf)$/i;
const DOCUMENT = /\.(?:ya?ml|json)$/i;

const fileName = (path: string) => path.split("/").at(-1) ?? path;

/** Whether a file's name says that it may define probes. */
export const mayDefineProbes = (path: string) => DOCKERFILE.test(fileName(path)) || TEXT.test(path) || DOCUMENT.test(path);

/** The folder's name; where the map does not know it, what the file's own name adds: `Dockerfile.orders`. */
function dockerName(path: string, folder: string, map: SystemMap): string {
  const added = fileName(path).replace(/^(?:Dockerfile|Containerfile)\.|\.(?:Dockerfile|Containerfile)$/i, "");
  return !map.nodes.has(folder) && map.nodes.has(added) ? added : folder;
}

/**
 * Judges the probe definitions of one file against the map; null where it does not parse or is a template. `folder` is the name of the
 * folder it lies in, by which a Dockerfile is known. Pure.
 */
export function judgeFile(file: SourceFile, folder: string, map: SystemMap): Finding[] | null {
  const target = (id: string) => targetOf(map, id);
  if (DOCKERFILE.test(fileName(file.path))) return judgeDockerfile(file, target(dockerName(file.path, folder, map)));
  if (TEXT.test(file.path)) return judgeInfrastructureText(file, target);
  const documents = readDocuments(file);
  if (documents === null || templateLine(file.text, true) !== null) return null;
  const found = documents.flatMap((document) => [
    ...judgeManifest(document, target),
    ...judgeCompose(document, target),
    ...judgeAppService(document, target),
  ]);
  // Anchors share probes: one place that is wrong for several is told once.
  const once = new Map(found.map((one) => [`${one.line} ${one.rule} ${one.message}`, one]));
  return [...once.values()].sort((a, b) => a.line - b.line);
}
