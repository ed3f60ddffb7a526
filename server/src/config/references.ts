/** Where `${NAME}` and `${file:PATH}` get their values; undefined when there is none. `file` also reads the PEM files of `tls`. */
export interface References {
  env(name: string): string | undefined;
  file(path: string): string | undefined;
}

const REFERENCE = /\$\{([^}]*)\}?/g;
/** How references are written, for messages. */
export const REFERENCE_FORMS = "\u0024{NAME} or \u0024{file:PATH}";
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

export interface Replaced {
  value: string;
  references: string[];
  /** What is wrong, in words that hold no value. */
  problems: string[];
}

/** Replaces the references of one text, once: what they bring is not looked at again. */
export function replaceReferences(text: string, references: References): Replaced {
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
