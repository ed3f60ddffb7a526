import type { Observation } from "../domain/observation.ts";

type Probed = Pick<Observation, "outcome" | "error" | "httpStatus">;

/** What whoever probed could try next; null where the outcome says it. `source` is the URL that was asked. */
export function hintFor({ outcome, error, httpStatus }: Probed, source: string): string | null {
  const isTls = /^https:/i.test(source);
  switch (outcome) {
    case "tls":
      return /authority|self-signed/.test(error ?? "")
        ? "name the authority that signed it: `tls: { ca }` in the map, NODE_EXTRA_CA_CERTS for this command"
        : "does this port speak TLS? If not, the URL begins with http://";
    case "reset":
      return isTls ? null : "does this port speak TLS? Then the URL begins with https://";
    case "redirect":
      return "probe the address it leads to, if that is the endpoint; where it leads to a sign-in, the probe needs credentials: --header";
    case "too_large":
      return "a shorter answer, or a larger `max_body` in the map";
    case "not_a_report":
      return /HTML/.test(error ?? "")
        ? "is it the right path, and does it need credentials (--header)? A sign-in or an index page looks like this"
        : "docs/dialects.md lists what is recognised; --dialect NAME reads an answer as one of them";
    case "http_error":
      return httpStatus === 401 || httpStatus === 403 ? 'send credentials: --header "authorization: Bearer …"' : null;
    default:
      return null;
  }
}
