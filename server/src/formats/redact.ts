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
  "(?:password|passwd|pwd|passphrase|(?:[a-z][_-]|user|db)pass|pass(?==(?!\\d+\\b))|secret|token|(?:api|subscription|functions)[_-]?key|access[_-]?key|account[_-]?key|shared[_-]?access[_-]?key|private[_-]?key|credentials?|authorization|signature|session[_-]?id|sessid|connect\\.sid|cookie)";
/** Between a key and its value: JSON within a text has escaped quotes, a redirect has a percent-encoded sign. */
const SIGN = "\\\\?[\"']?\\s{0,3}(?:[=:]|%3[AD])\\s{0,3}";
const SCHEME = "(?:bearer|basic|digest|negotiate|token|apikey|oauth|hawk|mac|ntlm|sharedkey|aws4-hmac-sha256)\\s+";
/** The last of these takes a value with spaces where a connection string goes on behind it, or ends with it. */
const VALUE = `(?:\\\\"(?:[^"\\\\]|\\\\(?!"))*(?:\\\\")?|"[^"]*"?|'[^']*'?|[^;"'()\\n]{1,100}(?=;\\s?[\\w ]{1,40}=)|(?:${SCHEME})?(?:(?!%26)[^\\s,;&)}"'\\\\])+)`;

/** Patterns in the order in which they are applied; each is linear in the length of the text. */
const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z ]{1,40}-----[\s\S]*?(?:-----END [A-Z ]{1,40}-----|$)/g, MASK],
  // A password may hold a slash; a port does not make a password of what follows it.
  [/\b([a-z][a-z0-9+.:-]{1,30}:\/\/)(?:[^\s/?#'"<>:@]{0,200}:(?!\d{1,5}[/?#\s])[^\s'"<>]{0,200}|[^\s/?#'"<>]{0,200})@/gi, `$1${MASK}@`],
  [/(%3A%2F%2F)(?:(?!%2F|%40)[^\s'"]){0,200}%40/gi, `$1${MASK}%40`],
  [/(^|[\s'"(=,:])[\w$.-]{1,60}\/[^\s/@'"]{1,100}@(?=\/\/|(?!sha\d)[\w.-]{1,200}:\d)/g, `$1${MASK}@`],
  [
    /(^|[\s'"(=,])[^\s:@/'"(=,]{1,100}:[^\s@/'"]{1,100}@(?=(?:tcp|unix)\(|localhost\b|[\w.-]{1,200}(?::\d|\/)|[\w-]{1,60}\.[\w.-]{0,200}[a-z])/gi,
    `$1${MASK}@`,
  ],
  [/([?&][\w.[\]%-]{1,80}=)[^&\s'"<>;,)]+/g, `$1${MASK}`],
  [/((?:%3F|%26)[\w.-]{1,80}%3D)(?:(?!%26|%23)[^\s&'"])+/gi, `$1${MASK}`],
  [/\b((?:set-)?cookie:\s{0,3})[^\n]+/gi, `$1${MASK}`],
  [/\b(bearer|apikey)(\s+)(?!auth)[\w.~+/=-]{6,}/gi, `$1$2${MASK}`],
  [/\b([Bb]asic|BASIC|[Dd]igest|[Nn]egotiate)(\s+)(?=\S{0,100}(?:\d|=|[a-z][A-Z]))[\w.~+/=-]{6,}/g, `$1$2${MASK}`],
  [/\b(token\s{1,3})(?=\S{0,60}\d)[\w.~+/=-]{16,}/gi, `$1${MASK}`],
  [/\b(AUTH (?:PLAIN|LOGIN) )\S+/g, `$1${MASK}`],
  [/(\s(?:-u|--user)[\s=]{1,3}[^\s:]{1,60}:)\S+/g, `$1${MASK}`],
  [/(;[\w ]{0,30}(?:password|pwd)\s?=\s?)(?!["'\s])[^;"'()\n]{1,100}?(?=[;)"'\n]|: |$)/gi, `$1${MASK}`],
  [new RegExp(`(${SECRET_KEY}${SIGN})${VALUE}`, "gi"), `$1${MASK}`],
  [
    /\b((?:password|passwd|pwd|passphrase) {1,3}(?:is |was )?)(?:"[^"]+"|'[^']+'|(?=[^\s\d]{0,60}\d)(?=[^\sa-z]{0,60}[a-z])[^\s,;:"']{6,})/gi,
    `$1${MASK}`,
  ],
  [/\b((?:hooks\.slack\.com\/\w+|discord(?:app)?\.com\/api\/webhooks|webhook\.office\.com\/\w+)\/)[^\s'"]+/gi, `$1${MASK}`],
  [/\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?/g, MASK],
  [/\b(?:AKIA|ASIA)[A-Z0-9]{12,}\b/g, MASK],
  [/\b(?:gh[pousr]_|glpat-|[srp]k_live_|[srp]k_test_|xox[abprs]-|hv[sbr]\.|sk-|ya29\.|SG\.|npm_|AIza)[\w.-]{8,}/g, MASK],
  [/\bs\.[A-Za-z0-9]{24}\b|\b\w{4}Q~[\w.~-]{20,}/g, MASK],
  [/\b[A-Za-z0-9+/]{40,}={1,2}/g, MASK],
  // Names of classes and their paths have fewer capitals, and fewer digits, than what was drawn at random.
  [/(?<![\w+/.-])(?=[a-z0-9+/]*[A-Z])(?=(?:[a-z0-9+/]*[A-Z]){6})(?=[A-Za-z+/]*\d)[A-Za-z0-9+/]{40,}(?![\w+/])/g, MASK],
  [/\b(?=\w{0,200}\d)(?=\w{0,200}[A-Za-z])\w{32,}\b/g, MASK],
  [/\b(?=\w{0,23}[a-z])(?=\w{0,23}[A-Z])(?=(?:[A-Za-z_]*\d){3})\w{24,31}\b/g, MASK],
];

/** What any of them needs: most texts have nothing of it. Looks back from rare characters, since a search for every key is slow. */
const SUSPICIOUS = new RegExp(
  `[@=]|%3[AD]|Q~|:(?<=${SECRET_KEY}\\\\?["']?\\s{0,3}:)|\\s(?<=\\b(?:bearer|basic|digest|negotiate|apikey|token|plain|login|password|passwd|pwd|passphrase)\\s)|\\s--?u(?:ser)?[\\s=]|\\b(?:eyJ|AKIA|ASIA|AIza|gh[pousr]_|glpat-|npm_|sk[_-]|[rp]k_|xox|hv[sbr]\\.|ya29\\.|SG\\.|s\\.\\w{24})|\\/(?:services|webhooks|webhookb2)\\/|-----BEGIN`,
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

/** What was drawn at random is no shorter, and has a digit. */
const RANDOM = 24;

/** True where letters, digits, `_`, `+` and `/` stand like that. Looks at one character in as many, as most texts have no such row. */
function looksRandom(text: string): boolean {
  for (let at = RANDOM - 1; at < text.length; at += RANDOM) {
    let [from, to] = [at, at - 1];
    while (isTokenCode(text.charCodeAt(from - 1))) from -= 1;
    while (isTokenCode(text.charCodeAt(to + 1))) to += 1;
    if (to - from + 1 >= RANDOM && /\d/.test(text.slice(from, to + 1))) return true;
    at = Math.max(at, to);
  }
  return false;
}

/** False for NaN, which stands before the start and behind the end. */
function isTokenCode(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 47 && code <= 57) || code === 95 || code === 43;
}

function mask(text: string): string {
  if (!SUSPICIOUS.test(text) && !looksRandom(text)) return text;
  let out = text;
  for (const [pattern, by] of SECRETS) out = out.replace(pattern, by);
  return out;
}

/** True when a text holds what redaction would mask: credentials, tokens, keys, query values. */
export function holdsSecrets(text: string): boolean {
  const clean = text.replace(INVISIBLE_BUT_LINES, "");
  return mask(clean) !== clean;
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

const MAX_NAME = 200;
const MAX_NAMES = 2_000;
const NAMES = new Map<string, string>();

/** A component's name: as the report has it, but for secrets, invisible characters and length. Memoised: names come with every poll. */
export function redactName(name: string): string {
  const known = NAMES.get(name);
  if (known !== undefined) return known;
  const redacted = redactText(name, MAX_NAME);
  if (NAMES.size >= MAX_NAMES) NAMES.clear();
  if (name.length <= MAX_NAME) NAMES.set(name, redacted);
  return redacted;
}

const SECRET_NAME = /(?:password|passwd|pwd|passphrase|secret|token|key|credentials?|cookie)$/i;

/** The text that belongs to a name, redacted: what is named like a secret and is one word is one. */
export function redactValue(name: string, text: string, limit?: number): string {
  return SECRET_NAME.test(name) && !/\s/.test(text.trim()) ? MASK : redactText(text, limit);
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
