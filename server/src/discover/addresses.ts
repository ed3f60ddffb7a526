import { isInside, isIp, isSelf } from "./names.ts";
import { kindOfPort, kindOfScheme, kindOfWord, kindOverHttp } from "./technology.ts";

/** A host that a configuration value names. Nothing else of the value is kept: the rest may be a secret. */
export interface Mention {
  host: string;
  port: number | null;
  /** What stands behind the scheme or the port; null where neither tells. */
  resourceKind: string | null;
  /** `url`: with a scheme, `pair`: a host by its key, with or without a port, `word`: any other, which counts only if some node has that name. */
  form: "url" | "pair" | "word";
}

/** Longest value that is looked at, in characters, and most hosts that are taken from it. */
const LONGEST = 20_000;
const MOST = 50;

const HOST = "[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?(?:\\.[a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)*\\.?";
// The part before the last @ is user and password; a password may hold nearly anything but spaces and quotes.
const URL_FORM = /(?<![\w+.-])([a-z][a-z0-9+.-]{1,30}(?::[a-z0-9+.-]{2,30}){0,2}):@?\/\/([^\s"'`<>\\]*)/gi;
const GO_MYSQL = /@(?:tcp|tcp4|tcp6)\(([^)\s]{1,300})\)/gi;
const LOOKS_LIKE_DSN = /(?:^|[\s;])(?:database|dbname|initial catalog|user id|uid|user|username|port)\s*=/i;
const KEY_VALUE =
  /(?:^|[\s;,])(?:host|hostname|server|data source|addr|address|endpoint|network address)\s*=\s*(?:tcp:)?([^;\s,'"]+)(?:,(\d{1,5}))?/gi;
const PAIR = new RegExp(`^(?:tcp:|dns:///?|passthrough:///|static://)?(${HOST}):(\\d{1,5})(?:/[^\\s]*)?$`, "i");
const WORD = new RegExp(`^${HOST}$`, "i");
const ADDRESS_NAME =
  /(?:^|[_.-])(?:host|hostname|hosts|addr|address|addresses|server|servers|endpoint|endpoints|url|uri|service|svc|broker|brokers|upstream|target|backend|nodes?|seeds?|contact[_.-]?points?|location|base|dsn)(?:[_.-]?(?:name|url|uri|host))?$|(?:host|addr|url|uri)$/i;
/** A key whose value is a host and nothing else. */
const HOST_NAME = /[_.-](?:host|hostname|addr|address)$/i;
/** Where the speaker itself can be reached, or what others are told of it. */
const OWN_NAME =
  /(?:^|[_.-])(?:(?<!next[_.-])public|self|advertised?|bind|listen(?:er)?s?|callback|redirect|cors|allowed|origins?|canonical|app_url|server_name|virtual_host|pod|node_name|eureka[_.-]instance)(?:[_.-]|$)|^(?:(?:server|http|app|web|service)[_.-])?host(?:name)?$/i;
/** What people read, and no program asks. */
const READ_BY_PEOPLE = /(?:^|[_.-])(?:docs?|documentation|runbooks?|wiki|homepage|privacy|terms|imprint|changelog)(?:[_.-]|$)/i;
/** Schemes whose address begins behind a third slash, and those behind which no host stands. */
const EMPTY_AUTHORITY = /^(?:dns|passthrough|static|ipv4|xds)$/i;
const NO_HOST = /^(?:file|unix|data|classpath|sqlite\d?|h2|hsqldb|npipe|env|s3|gs|arn|urn|about|javascript)$/i;

const portOf = (text: string | undefined) => {
  const port = Number(text);
  return text !== undefined && Number.isInteger(port) && port > 0 && port < 65_536 ? port : null;
};

/** Hosts that a value names. `name` is its key, which tells whether a bare word may be a host, and what stands there. */
export function mentionsIn(name: string, value: string): Mention[] {
  if (OWN_NAME.test(name)) return [];
  // A comma before another address, which may have a name, separates the two; elsewhere it may stand between hosts of one.
  const text = value.slice(0, LONGEST).replace(/[,;|](?=(?:[\w.-]{1,60}=)?[a-z][a-z0-9+.-]{1,30}:\/\/)/gi, " ");
  const found = new Map<string, Mention>();
  const add = (host: string, port: number | null, kind: string | null, form: Mention["form"]) => {
    const bare = host.toLowerCase().replace(/\.$/, "");
    if (!isInside(bare) && READ_BY_PEOPLE.test(name)) return;
    if (!WORD.test(bare) || bare.length > 253 || isSelf(bare) || isIp(bare) || !/[a-z]/.test(bare) || found.size >= MOST) return;
    if (!found.has(bare)) found.set(bare, { host: bare, port, resourceKind: kind, form });
  };
  const rest = text.replace(URL_FORM, (_, scheme: string, after: string) => {
    const parts = scheme.split(":");
    if (parts.some((part) => NO_HOST.test(part))) return " ";
    const kind = parts.map(kindOfScheme).find((known) => known !== null) ?? null;
    const spoken = /^https?$/i.test(scheme);
    const bare = EMPTY_AUTHORITY.test(scheme)
      ? after.replace(/^\/+/, "")
      : /sqlserver|mssql/i.test(scheme)
        ? (after.split(";")[0] ?? "")
        : after;
    for (const [host, port] of authorityHosts(bare))
      add(
        host,
        port,
        kind ?? (spoken ? (isInside(host) ? kindOverHttp(host, port) : null) : port === null ? null : kindOfPort(port)),
        "url",
      );
    return " ";
  });
  for (const [, inside = ""] of rest.matchAll(GO_MYSQL)) add(inside.split(":")[0] ?? "", portOf(inside.split(":")[1]), "database", "url");
  if (LOOKS_LIKE_DSN.test(rest)) {
    for (const [, host = "", comma] of rest.matchAll(KEY_VALUE)) {
      const port = portOf(comma ?? host.split(":")[1]);
      add(host.split(":")[0] ?? "", port, kindOfPort(port ?? 0) ?? "database", "pair");
    }
  }
  if (found.size > 0 || /[=@]/.test(rest)) return [...found.values()];
  for (const part of rest.split(/[,;\s]+/).slice(0, MOST)) {
    const [, host, port] = PAIR.exec(part) ?? [];
    if (host !== undefined)
      add(host, portOf(port), kindOfPort(portOf(port) ?? 0) ?? kindOfKey(name), ADDRESS_NAME.test(name) ? "pair" : "word");
    else if (ADDRESS_NAME.test(name) && WORD.test(part) && !/^\d/.test(part))
      add(part, null, kindOfKey(name), HOST_NAME.test(name) ? "pair" : "word");
  }
  return [...found.values()];
}

/** `user:pass@h1:1,h2:2/db?x` → the hosts and ports. Nothing before the @ is looked at. */
function authorityHosts(after: string): [string, number | null][] {
  const first = after.split("/")[0] ?? "";
  // A password may hold a slash: then what stands before it is no host and port.
  const whole = first.includes("@") || !after.includes("@") || /^[^:?#]*(?::\d*)?$/.test(first) ? first : after;
  const at = whole.lastIndexOf("@");
  const authority = (at < 0 ? whole : whole.slice(at + 1)).split(/[/;?#\\]/)[0] ?? "";
  return authority
    .split(",")
    .slice(0, MOST)
    .flatMap((part): [string, number | null][] => {
      const [host = "", port] = part.split(":");
      return port !== undefined && port !== "" && portOf(port) === null ? [] : [[host, portOf(port)]];
    });
}

/** What the key of a value says: `REDIS_HOST`, `KAFKA_BROKERS`. */
function kindOfKey(name: string): string | null {
  for (const part of name.split(/[_.-]+/)) {
    const kind = kindOfWord(part);
    if (kind) return kind;
  }
  return null;
}

/** Hosts in a command line: addresses with a scheme or a port, and `bare` words where the caller asks for them. */
export function mentionsInCommand(command: string, bare: boolean): Mention[] {
  const found: Mention[] = [];
  const words = command
    .slice(0, LONGEST)
    .split(/[\s"'`|&;(){}<>]+/)
    .slice(0, 2_000);
  for (const [index, word] of words.entries()) {
    const value = /^--?[\w.-]+=(.+)$/.exec(word)?.[1] ?? word;
    const after = /^(?:-h|-H|--host|--hostname|--server|--upstream|--target)$/.test(words[index - 1] ?? "");
    if (value.includes("://") || PAIR.test(value)) found.push(...mentionsIn("", value));
    else if ((bare || after) && WORD.test(value) && !/^\d|\.(?:sh|py|js|jar|json|ya?ml|conf|sql)$/.test(value))
      found.push({ host: value.toLowerCase(), port: null, resourceKind: null, form: "word" });
    if (found.length >= MOST) break;
  }
  return found.slice(0, MOST);
}
