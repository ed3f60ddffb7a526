/** What a command line asks over HTTP on its own machine. */
export interface AskedPath {
  scheme: "http" | "https";
  port: number | null;
  path: string;
}

/** The first address on its own machine, or under one of its own names, that a health check's command asks; null where there is none. */
export function healthPath(command: string, own: readonly string[]): AskedPath | null {
  for (const [, scheme, host = "", port, path = "/"] of command.slice(0, 5_000).matchAll(ADDRESS)) {
    if (!OWN_HOST.test(host) && !own.includes(host)) continue;
    if (scheme === undefined && port === undefined) continue;
    return {
      scheme: scheme?.toLowerCase() === "https" ? "https" : "http",
      port: port === undefined ? null : Number(port),
      path: path.replace(/[?#].*$/, ""),
    };
  }
  return null;
}

const ADDRESS = /(?:(https?):\/\/)?(\[::1\]|\$\(?hostname\)?|[a-z0-9][\w.-]{0,100})(?::(\d{1,5})(?=\D|$))?(\/[^\s"'|;)\]]*)?/gi;
const OWN_HOST = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|\$\(?hostname\)?)$/i;

const SHALLOW =
  /^(?:live|livez|liveness|livenessprobe|alive|lively|isalive|ping|heartbeat|ready|readyz|readiness|startup|startupz|robots|favicon|index|version|metrics)(?:\.\w+)?$/i;

/** Whether a path may say more than that the process runs: not the root page, nor what is named for a probe. */
export function looksDeep(path: string): boolean {
  const parts = path.split("/").filter(Boolean);
  return parts.length > 0 && !parts.some((part) => SHALLOW.test(part.replace(/[-_]/g, "")));
}
