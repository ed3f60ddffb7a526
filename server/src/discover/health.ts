/** What a command line asks over HTTP on its own machine. */
export interface AskedPath {
  scheme: "http" | "https";
  port: number | null;
  path: string;
}

/** The first address on its own machine that a health check's command asks; null where there is none. */
export function healthPath(command: string): AskedPath | null {
  const found = OWN_ADDRESS.exec(command.slice(0, 5_000));
  if (!found) return null;
  const [, scheme, port, path = "/"] = found;
  if (scheme === undefined && port === undefined) return null;
  return {
    scheme: scheme?.toLowerCase() === "https" ? "https" : "http",
    port: port === undefined ? null : Number(port),
    path: path.replace(/[?#].*$/, ""),
  };
}

const OWN_ADDRESS = /(?:(https?):\/\/)?(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|\$\(?hostname\)?)(?::(\d{1,5}))?(\/[^\s"'|;)\]]*)?/i;

const SHALLOW =
  /^(?:live|livez|liveness|livenessprobe|alive|lively|isalive|ping|heartbeat|ready|readyz|readiness|startup|startupz|robots|favicon|index|version|metrics)(?:\.\w+)?$/i;

/** Whether a path may say more than that the process runs: not the root page, nor what is named for a probe. */
export function looksDeep(path: string): boolean {
  const parts = path.split("/").filter(Boolean);
  return parts.length > 0 && !parts.some((part) => SHALLOW.test(part.replace(/[-_]/g, "")));
}
