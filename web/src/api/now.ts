/** The server's clock as this page knows it: the browser's own may be minutes off. */
let skew = 0;

/** Epoch milliseconds by the server's clock. */
export function now(): number {
  return Date.now() + skew;
}

/** Takes over the server's time of a message just received; jitter of a network's size is left alone. */
export function syncClock(serverTime: number): void {
  const found = serverTime - Date.now();
  if (Math.abs(found - skew) > 1_500) skew = found;
}
