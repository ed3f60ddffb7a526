/** True for a code by which a server says that it fails. 501 is none: it says that nothing answers at this path. */
export function isServerError(code: number): boolean {
  return code >= 500 && code !== 501;
}
