import type { ComponentStatus, Phase, Status } from "../domain/status.ts";

/** What a status word means: for a component as it stands, for a service by `statusOf`. */
export interface Word {
  status: ComponentStatus;
  phase?: Phase;
}

const UP =
  "up ok okay pass passed passing success successful succeeded healthy green good fine available alive live ready connected reachable enabled working online true running operational nominal active serving checkresultok statusok allsystemsoperational started responding accessible pong";
const DEGRADED =
  "degraded degradation warn warning partial partiallyavailable partiallydegraded partialoutage degradedperformance yellow amber orange minor minoroutage major slow impaired unstable limited statusrecoverableerror statuspermanenterror checkresultwarning recoverableerror permanenterror";
const DOWN =
  "down fail failed failing failure error errors err errored erroring crit critical fatal red bad unhealthy sick ko nok notok outage majoroutage fulloutage outofservice unavailable unresponsive notready stopped disconnected notconnected unreachable offline false circuitopen forcedopen statusfatalerror checkresultcritical checkresultfailure crashed crash broken dead inactive unserviceable timeout timedout refused rejected lost exception aborted notserving serverisnotready inoperative notrunning notserving notconnected emergency panic exhausted expired terminated unknownerror unexpectedresult unexpectederror internalerror problem problems";
const DRAINING = "stopping shuttingdown serverisshuttingdown shutdown draining terminating";
const STARTING = "starting initializing initialising booting warmingup loading startingup preinitializing";
const UNKNOWN =
  "unknown undefined waiting skip skipped checkresultskip checkresultunknown disabled null none na notapplicable notavailableyet pending unchecked notchecked notconfigured notrun notenabled notused notrequired notdeployed notinstalled notsupported unset restarting maintenance undermaintenance excluded paused statusnone notimplemented serviceunknown";

const WORDS = new Map<string, Word>();
for (const word of UP.split(" ")) WORDS.set(word, { status: "up" });
for (const word of DEGRADED.split(" ")) WORDS.set(word, { status: "degraded" });
for (const word of DOWN.split(" ")) WORDS.set(word, { status: "down" });
for (const word of UNKNOWN.split(" ")) WORDS.set(word, { status: "unknown" });
for (const word of DRAINING.split(" ")) WORDS.set(word, { status: "down", phase: "draining" });
for (const word of STARTING.split(" ")) WORDS.set(word, { status: "unknown", phase: "starting" });

/** Words that only fill a sentence: "server is not available", "Application OK". */
const NOISE = new Set(
  "a the is are am i m s we currently now server service services system systems application app all everything api node instance status state health check checks healthcheck livez readyz healthz it".split(
    " ",
  ),
);
const NEGATIONS = new Set(["not", "isn", "isnt", "non", "aren", "arent"]);

/** What gateways say in a service's stead: the reason phrases of HTTP. */
const PHRASES = new Set(
  "serviceunavailable badgateway gatewaytimeout internalservererror toomanyrequests requesttimeout notfound forbidden unauthorized badrequest".split(
    " ",
  ),
);

/** True for a text that is a reason phrase of HTTP and nothing else. */
export function isReasonPhrase(text: string): boolean {
  return text.length <= 64 && PHRASES.has(fold(text));
}

const FOLDS = new Map<string, string>();
/** As many as a large answer has keys: each is asked for several times while it is read. */
const MOST_FOLDS = 12_000;

/** Case and everything but letters and digits removed: `OUT_OF_SERVICE` and `out of service` are one word. */
export function fold(text: string): string {
  if (/^[a-z0-9]*$/.test(text)) return text;
  const known = FOLDS.get(text);
  if (known !== undefined) return known;
  const folded = text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "");
  // Keys and words repeat from poll to poll; the memo is bounded and changes nothing but speed.
  if (FOLDS.size >= MOST_FOLDS) FOLDS.clear();
  if (text.length <= 64) FOLDS.set(text, folded);
  return folded;
}

/** A status word that is known as a whole; null for any other text. Never looks for a word inside another. */
export function readWord(text: string): Word | null {
  return text.length > 64 ? null : (WORDS.get(fold(text)) ?? null);
}

/** "Up and running": each is a word, and the worst counts. */
function worstOf(tokens: readonly string[]): Word | null {
  let worst: Word | null = null;
  for (const token of tokens) {
    if (token === "and") continue;
    const word = WORDS.get(token);
    if (!word || word.status === "unknown") return null;
    if (!worst || worse(worst.status, word.status) !== worst.status) worst = word;
  }
  return worst;
}

/** What "is" may follow in a sentence about a service: "Prometheus Server is Healthy". */
const SUBJECTS = new Set("server service system systems application app api node instance everything all".split(" "));

/**
 * A short sentence of filler words around one status word, with its negation: "Server not available" is down. Null when any
 * other word is in it, but for up to three before "server is" and the like.
 */
export function readSentence(text: string): Word | null {
  const whole = readWord(text);
  if (whole) return whole;
  if (text.length > 100) return null;
  const tokens = withoutSubject(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  if (tokens.length > 10) return null;
  let negated = false;
  const said: string[] = [];
  for (const token of tokens) {
    if (NEGATIONS.has(token)) negated = !negated;
    else if (token !== "t" && !NOISE.has(token)) said.push(token);
  }
  const rest = said.join("");
  const word = WORDS.get(rest) ?? worstOf(said);
  if (!word || !negated) return word;
  // "Not shutting down" is how one library says that all is well; "not failed" says less.
  if (word.phase === "draining") return { status: "up" };
  return { status: word.status === "up" ? "down" : "unknown" };
}

function withoutSubject(tokens: string[]): string[] {
  const verb = tokens.findIndex((token) => token === "is" || token === "are");
  if (verb < 2 || verb > 4 || !SUBJECTS.has(tokens[verb - 1] ?? "")) return tokens;
  const before = tokens.slice(0, verb - 1);
  return before.some((token) => WORDS.has(token) || NEGATIONS.has(token) || token === "no") ? tokens : tokens.slice(verb);
}

const NOTHING = /^\s*(?:0|none|no|nil|null|-|\[\])\W*$/i;
const LEADING = /^([\p{L}][\p{L} _-]{0,38}?)\s*(?:[:;,([|]|\s[-–—]\s)(.*)$/su;

/**
 * A word that leads a longer text: `WARN: inconsistent objects`, `failed (3 of 5)`. A good word counts only if no bad one
 * follows it.
 */
export function readLeading(text: string): Word | null {
  const match = LEADING.exec(text.length > 400 ? text.slice(0, 400) : text);
  const word = match ? readSentence(match[1] ?? "") : null;
  // "Errors: 0" and "failed checks: none" tell of no failure.
  if (word && word.status !== "up") return NOTHING.test(match?.[2] ?? "") ? null : word;
  if (!word) return null;
  for (const token of (match?.[2] ?? "").toLowerCase().match(/[\p{L}]+/gu) ?? []) {
    const other = WORDS.get(token);
    if (NEGATIONS.has(token) || (other && other.status !== "up")) return null;
  }
  return word;
}

/** The worse of two statuses; unknown is worse than up and better than degraded. */
const RANK: Record<ComponentStatus, number> = { up: 0, unknown: 1, degraded: 2, down: 3 };
export function worse(a: ComponentStatus, b: ComponentStatus): ComponentStatus {
  return RANK[a] >= RANK[b] ? a : b;
}

const SERVICE: Record<ComponentStatus, Status> = { up: "healthy", degraded: "degraded", down: "unhealthy", unknown: "unknown" };
/** A word in the service's own position. */
export function serviceStatus(word: Word): Status {
  return SERVICE[word.status];
}

/** The words of one meaning, folded, in the order of the table; for the documentation. */
export function wordsFor(status: ComponentStatus): string[] {
  return [...WORDS].filter(([, word]) => word.status === status).map(([word]) => word);
}
