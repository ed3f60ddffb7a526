/**
 * The value of a plain scalar by the rules of YAML 1.2's core schema; undefined where it is empty, or a number of an unusual
 * form, which is left to the full parser: exponents, fractions, hexadecimal, infinity.
 */
export function plainValue(source: string): string | number | boolean | null | undefined {
  if (source === "") return undefined;
  if (/^(?:~|null|Null|NULL)$/.test(source)) return null;
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(source)) return /^[tT]/.test(source);
  if (!/^[-+.\d]/.test(source)) return source;
  if (/^[-+]?\d{1,15}$/.test(source)) return Number(source);
  const isNumber = /^[-+]?[\d.][\d.eE+-]*$|^0[xo]|^[-+]?\.(?:inf|nan)$/i.test(source);
  return isNumber && !/^\d{4}-\d\d-\d\d$/.test(source) ? undefined : source;
}

/** The text between two offsets without spaces and carriage returns at its end. */
export function trimmed(text: string, from: number, to: number): string {
  let end = to;
  while (end > from && (text.charCodeAt(end - 1) === 32 || text.charCodeAt(end - 1) === 13)) end--;
  return text.slice(from, end);
}
