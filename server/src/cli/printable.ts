/** Text without what could steer a terminal or hide: control characters and marks of writing direction. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, " ");
}
