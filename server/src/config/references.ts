import type { Findings } from "./problems.ts";
import type { ScalarNode } from "./tree.ts";

/** Where `${NAME}` and `${file:PATH}` get their values; undefined when there is none. `file` also reads the PEM files of `tls`. */
export interface References {
  env(name: string): string | undefined;
  file(path: string): string | undefined;
}

const REFERENCE = /\$\{([^}]*)\}?/g;
/** How references are written, for messages. */
export const REFERENCE_FORMS = "\u0024{NAME} or \u0024{file:PATH}";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

interface Replaced {
  value: string;
  references: string[];
  /** What is wrong, in words that hold no value. */
  problems: string[];
}

/** Replaces the references of one text, once: what they bring is not looked at again. */
function replaceReferences(text: string, references: References): Replaced {
  const found: string[] = [];
  const problems: string[] = [];
  const value = text.replace(REFERENCE, (whole, inner: string) => {
    const file = inner.startsWith("file:") ? inner.slice(5) : null;
    if (!whole.endsWith("}") || (file === null ? !NAME.test(inner) : file === "")) {
      problems.push(`"\u0024{" begins no reference here: write ${REFERENCE_FORMS}`);
      return "";
    }
    found.push(whole);
    if (file === null) {
      const variable = references.env(inner);
      if (variable === undefined) problems.push(`the environment variable ${inner} is not set`);
      return variable ?? "";
    }
    const content = references.file(file);
    if (content === undefined) problems.push(`the file ${file} cannot be read`);
    return (content ?? "").replace(/\r?\n$/, "");
  });
  return { value, references: found, problems };
}

/** The references of a text, unreplaced. */
export function listReferences(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map((match) => match[0]);
}

/** How references are treated: replaced, or left as they are where their values do not matter. */
export type ReferenceMode = References | "keep";

/** Replaces the references of a scalar, or notes them where they are to stay. */
export function resolveReferences(tree: ScalarNode, findings: Findings, mode: ReferenceMode): ScalarNode {
  const text = String(tree.value);
  if (mode === "keep") return { ...tree, references: listReferences(text), opaque: true };
  const { value, references, problems } = replaceReferences(text, mode);
  for (const problem of problems) findings.error(tree.origin.place(tree.at), "missing-reference", problem);
  return { ...tree, value, references, bad: problems.length > 0 };
}
