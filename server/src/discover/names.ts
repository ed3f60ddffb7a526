/** Words that say only what kind of thing a name means: `orders-service` and `orders` are the same. */
const SUFFIX = /[-_. ]?(?:service|svc|server|deployment|app|api)$/i;
/** Ends of host names inside a cluster or a private network. */
const INSIDE = /\.(?:svc|pod|internal|local|localdomain|lan|intra|corp|private|consul|test|docker|cluster|home)$/i;

/** Case, punctuation and the border between words do not tell names apart: `cartService`, `cart-service`, `cart_service`. */
export const fold = (name: string) => name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");

/** A folded name without the word for its kind; the name itself where nothing would be left. */
export function stem(name: string): string {
  const bare = name.replace(SUFFIX, "");
  return fold(bare) === "" ? fold(name) : fold(bare);
}

/** Words that clients add to the name of what they call. */
const CLIENT = /[-_. ]?(?:service|svc|server|api|client|connection|health-?check|health|check|http|grpc|rest)$/i;

/** The stem of a name that a client uses for what it calls: `ordersClient`, `orders-http`. */
export function clientStem(name: string): string {
  let bare = name;
  for (let turn = 0; turn < 3; turn++) bare = fold(bare.replace(CLIENT, "")) === "" ? bare : bare.replace(CLIENT, "");
  return stem(bare);
}

/** An id of the map made of any text; empty where nothing of it can be one. */
export function slug(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, "$1-")
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, "-")
    .replace(/^[^a-z0-9]+/, "")
    .slice(0, 128)
    .replace(/[^a-z0-9]+$/, "");
}

/** `10.0.0.5`, `::1`: names nothing. */
export const isIp = (host: string) => /^\d{1,3}(?:\.\d{1,3}){3}$/.test(host) || host.includes(":");

/** The speaker itself, or a place-holder that only tooling fills in. */
export const isSelf = (host: string) =>
  /^(?:localhost(?:\.localdomain)?|127(?:\.\d{1,3}){3}|0\.0\.0\.0|::1?|host\.docker\.internal|gateway\.docker\.internal|kubernetes\.docker\.internal)$/i.test(
    host,
  );

/** A host inside the cluster or the private network, whose first label is its name. */
export function isInside(host: string): boolean {
  if (isIp(host)) return false;
  return !host.includes(".") || INSIDE.test(host) || /\.svc(?:\.|$)/i.test(host) || (host.split(".").length === 2 && !KNOWN_TOP.test(host));
}

/** `orders.shop` is a service and its namespace, `example.com` is not. */
const KNOWN_TOP = /\.(?:com|net|org|io|dev|app|cloud|ai|co|eu|de|uk|fr|ch|nl|us|info|biz|gov|edu|example|invalid)$/i;

/** The names under which a host may be known, best first. */
export function hostNames(host: string): string[] {
  const bare = host.toLowerCase().replace(/\.$/, "");
  if (isIp(bare) || !bare.includes(".")) return [bare];
  const first = bare.split(".")[0] ?? bare;
  return [bare, first];
}
