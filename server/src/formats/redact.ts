import type { ErrorCategory } from "../domain/observation.ts";

/** Longest text that is looked at; the rest is cut before any pattern runs, so that the work is bounded. */
const MAX_INPUT = 2_000;
const MASK = "***";

/** Printable ASCII on one line: nothing to take out. */
const PLAIN = /^[ -~]*$/;
const ESCAPE = String.fromCharCode(27);
const ANSI = new RegExp(`${ESCAPE}(?:\\[[0-9;?]*[ -/]*[@-~]|\\][^${ESCAPE}]{0,200}(?:${ESCAPE}\\\\)?)`, "g");
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;
const INVISIBLE_BUT_LINES = /[^\P{Cc}\n\t]|[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

const SECRET_KEY =
  "(?:password|passwd|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|account[_-]?key|shared[_-]?access[_-]?key|private[_-]?key|credentials?|authorization|signature|session[_-]?id|cookie)";

/** Patterns in the order in which they are applied; each is linear in the length of the text. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[\s\S]*?(?:-----END [A-Z ]{1,40}-----|$)/g, MASK],
  [/\b([a-z][a-z0-9+.:-]{1,30}:\/\/)[^\s/?#'"<>]*@/gi, `$1${MASK}@`],
  [
    /(^|[\s'"(=,])[^\s:@/'"(=,]{1,100}:[^\s@/'"]{1,100}@(?=(?:tcp|unix)\(|localhost\b|[\w.-]{1,200}(?::\d|\/)|[\w-]{1,60}\.[\w.-]{0,200}[a-z])/gi,
    `$1${MASK}@`,
  ],
  [/([?&][\w.[\]%-]{1,80}=)[^&\s'"<>;,)]+/g, `$1${MASK}`],
  [/\b(bearer|basic|digest|negotiate|apikey)(\s+)(?!auth)[\w.~+/=-]{6,}/gi, `$1$2${MASK}`],
  [new RegExp(`(${SECRET_KEY}["']?\\s{0,3}[=:]\\s{0,3})(?:"[^"]*"?|'[^']*'?|[^\\s,;&)}"']+)`, "gi"), `$1${MASK}`],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, MASK],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b/g, MASK],
  [/\b(?:gh[pousr]_|glpat-|sk_live_|sk_test_|rk_live_|xox[abprs]-|hvs\.|sk-)[\w-]{8,}/g, MASK],
  [/\b[A-Za-z0-9+/]{40,}={1,2}/g, MASK],
  [/\b(?=\w{0,200}\d)(?=\w{0,200}[A-Za-z])\w{32,}\b/g, MASK],
];

/** What any of them needs: most texts have nothing of it. Looks back from rare characters, since a search for every key is slow. */
const SUSPICIOUS = new RegExp(
  `[@=]|:(?<=${SECRET_KEY}["']?\\s{0,3}:)|\\s(?<=\\b(?:bearer|basic|digest|negotiate|apikey)\\s)|\\b(?:eyJ|AKIA|ASIA|gh[pousr]_|glpat-|sk[_-]|rk_|xox|hvs\\.|\\w{32})|-----BEGIN`,
  "i",
);

/** Where a stack trace begins, after the line that says what happened. */
const STACK = [
  /\n\s*at\s+\S/,
  /\n\s*Stack ?trace:/i,
  /\n\s*#0\s/,
  /\ngoroutine \d+ \[/,
  /\n\s*File "[^"\n]{1,300}", line \d+/,
  /\n\s*from \/\S+:\d+/,
  /\s+at [\w.$<>]{3,200}\([^()\n]{0,200}\)/,
];

function mask(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let out = text;
  for (const [pattern, by] of SECRETS) out = out.replace(pattern, by);
  return out;
}

/** True when a text holds what redaction would mask: credentials, tokens, keys, query values. */
export function holdsSecrets(text: string): boolean {
  return mask(text) !== text;
}

function withoutStack(text: string): string {
  if (!text.includes("\n") && !text.includes(" at ") && !text.includes("Traceback")) return text;
  const python = text.indexOf("Traceback (most recent call last)");
  if (python >= 0) {
    // Python puts what happened last.
    const lines = text.trimEnd().split("\n");
    const last = lines[lines.length - 1] ?? "";
    return python > 0 ? text.slice(0, python) : lines.length > 1 && !/^\s/.test(last) ? last : "Traceback";
  }
  let end = text.length;
  for (const pattern of STACK) {
    const at = text.search(pattern);
    if (at > 0 && at < end) end = at;
  }
  return text.slice(0, end);
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, Math.max(0, limit - 1)).replace(/[\uD800-\uDBFF]$/, "")}…`;
}

/**
 * A service's free text made fit to keep: one line, no secrets, stack traces, control or bidi characters, at most `limit`
 * characters. Never throws.
 */
export function redactText(text: string, limit = 300): string {
  const start = text.length > MAX_INPUT ? text.slice(0, MAX_INPUT) : text;
  if (PLAIN.test(start)) return cut(mask(withoutStack(start)).trim(), limit);
  const clean = withoutStack(start.replace(ANSI, "").replace(/\r\n?/g, "\n"));
  return cut(mask(clean.replace(/[\n\t]+/g, " ").replace(INVISIBLE, "")).trim(), limit);
}

/** A component's name: as the report has it, but for credentials in URLs, invisible characters and length. */
export function redactName(name: string, limit = 200): string {
  if (name.length <= limit && /^[\w .\-/()]*$/.test(name)) return name.trim();
  return redactText(name, limit);
}

/** The text of an answer for display: lines kept, secrets masked, at most `limit` characters. */
export function redactBody(text: string, limit: number): string {
  return cut(
    mask(
      text
        .slice(0, Math.max(limit * 2, MAX_INPUT))
        .replace(ANSI, "")
        .replace(/\r\n?/g, "\n")
        .replace(INVISIBLE_BUT_LINES, ""),
    ),
    limit,
  );
}

/** A URL without credentials and query values: `https://a:b@h/p?t=1#x` is `https://h/p?t=***`. Unreadable ones are masked as text. */
export function redactUrl(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    return redactText(url, 2_000);
  }
  const query = [...parsed.searchParams.keys()].slice(0, 50).map((key) => `${encodeURIComponent(key)}=${MASK}`);
  const origin = parsed.host ? `${parsed.protocol}//${parsed.host}` : parsed.protocol;
  return cut(`${origin}${parsed.pathname}${query.length > 0 ? `?${query.join("&")}` : ""}`, 2_000);
}

/** First match wins: a pool that times out is a pool problem, a gateway time-out a time-out. */
const CATEGORIES: readonly (readonly [ErrorCategory, RegExp])[] = [
  [
    "pool_exhausted",
    /pool\b.{0,60}(?:exhaust|time|full|limit|drain|empty)|(?:exhausted|timed? ?out|timeout).{0,60}pool\b|too many (?:connections|clients)|connection slots|waiting for (?:an? )?(?:available |idle )?connection|no (?:available|free|idle) connections?|(?:acquire|obtain|get) (?:jdbc )?connection.{0,40}time/,
  ],
  ["timeout", /tim(?:ed?|e)[ _-]?out|deadline exceeded|etimedout|took too long|time exceeded|time limit/],
  ["refused", /refused|econnrefused/],
  [
    "dns",
    /enotfound|eai_again|no such host|name or service not known|name resolution|(?:could|can)(?: ?not|n't) resolve|unknown ?host|getaddrinfo|nxdomain|\bdns\b/,
  ],
  ["tls", /x509|certificate|\bssl|\btls\b|handshake/],
  [
    "auth",
    /unauthori[sz]ed|forbidden|authenticat|access denied|permission denied|(?:invalid|wrong|bad|expired) (?:password|credential|token|api key)|login failed|\b40[13]\b|noauth|wrongpass/,
  ],
  ["http_5xx", /(?:status|http|code)[^0-9]{0,20}5\d\d\b|\b50[0-4]\b|bad gateway|service unavailable|internal server error/],
];

/** What kind of trouble a service's error text tells of; `error` when nothing is recognised. */
export function categoryOf(text: string): ErrorCategory {
  const lower = text.slice(0, MAX_INPUT).toLowerCase();
  for (const [category, pattern] of CATEGORIES) if (pattern.test(lower)) return category;
  return "error";
}
