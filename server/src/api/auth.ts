import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { BlockList, isIP, isIPv6 } from "node:net";
import type { FastifyRequest } from "fastify";
import type { AggregatorConfig, Auth } from "../domain/config.ts";

type AuthRole = "viewer" | "operator";
/** What a route asks of its caller; `open` asks nothing. */
export type Access = "open" | AuthRole;

/** Who is asking; the name is null where people are not told apart. */
export interface Identity {
  name: string | null;
  role: AuthRole;
  via: "none" | "bearer" | "session" | "proxy";
}

export const SESSION_COOKIE = "headwater_session";
export const SESSION_MS = 7 * 86_400_000;
const MAX_ENDED_SESSIONS = 10_000;

type Tokens = Extract<Auth, { kind: "tokens" }>["tokens"];
type Token = Tokens[number];

export interface Authenticator {
  kind(): "none" | "tokens" | "proxy";
  /** Who asks, by bearer token, session cookie, trusted header, or for want of any auth; null for nobody we know. */
  identify(request: FastifyRequest, now: number): Identity | null;
  /** The value of a session cookie for a right token, else null. */
  login(token: string, now: number): { cookie: string; identity: Identity } | null;
  /** From now on this cookie is worth nothing. */
  logout(cookie: string, now: number): void;
}

/**
 * Who may ask what, by the configuration as it is at each request: a reload that changes a secret ends its sessions.
 * Tokens and cookies are compared in constant time and never kept or logged.
 */
export function createAuthenticator(config: () => Pick<AggregatorConfig, "auth" | "listen">): Authenticator {
  const ended = new Map<string, number>();
  const tokens = (): Tokens => {
    const { auth } = config();
    return auth.kind === "tokens" ? auth.tokens : [];
  };

  return {
    kind() {
      const { kind } = config().auth;
      return kind === "unset" ? "none" : kind;
    },
    identify(request, now) {
      const { auth, listen } = config();
      if (auth.kind === "none" || (auth.kind === "unset" && isLoopback(listen.host))) return { name: null, role: "operator", via: "none" };
      if (auth.kind === "unset") return null;
      if (auth.kind === "proxy") return behindProxy(request, auth);
      const bearer = /^bearer +(\S{1,1000})$/i.exec(request.headers.authorization ?? "")?.[1];
      if (bearer !== undefined) return identityOf(findToken(auth.tokens, bearer), "bearer");
      const cookie = request.cookies[SESSION_COOKIE];
      if (cookie === undefined || ended.has(cookie)) return null;
      return identityOf(readSession(auth.tokens, cookie, now), "session");
    },
    login(text, now) {
      const token = findToken(tokens(), text);
      return token && { cookie: writeSession(token, now + SESSION_MS), identity: { name: token.name, role: token.role, via: "session" } };
    },
    logout(cookie, now) {
      if (!readSession(tokens(), cookie, now)) return;
      for (const [old, until] of ended) if (until <= now || ended.size >= MAX_ENDED_SESSIONS) ended.delete(old);
      ended.set(cookie, now + SESSION_MS);
    },
  };
}

function identityOf(token: Token | null, via: "bearer" | "session"): Identity | null {
  return token && { name: token.name, role: token.role, via };
}

function behindProxy(request: FastifyRequest, auth: Extract<Auth, { kind: "proxy" }>): Identity | null {
  const name = request.headers[auth.header.toLowerCase()];
  if (typeof name !== "string" || !isInRanges(request.socket.remoteAddress, auth.from)) return null;
  const clean = cleanText(name, 80);
  return clean === "" ? null : { name: clean, role: "operator", via: "proxy" };
}

/** Whether an identity suffices for what a route asks. */
export function allows(access: Access, identity: Identity | null): boolean {
  return access === "open" || identity?.role === "operator" || (identity !== null && access === "viewer");
}

/** Compares with every token, so that the time taken tells nothing. */
function findToken(tokens: Tokens, text: string): Token | null {
  let found: Token | null = null;
  for (const token of tokens) if (token.secret !== "" && sameText(text, token.secret)) found = token;
  return found;
}

function sameText(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

/**
 * A session is `name.expiry.nonce.mac`, the MAC keyed by the token's secret: it survives a restart, and a new secret
 * ends all sessions of the old one.
 */
function writeSession(token: Token, expires: number): string {
  const head = `${Buffer.from(token.name).toString("base64url")}.${expires}.${randomBytes(9).toString("base64url")}`;
  return `${head}.${macOf(token, head)}`;
}

function readSession(tokens: Tokens, cookie: string, now: number): Token | null {
  const match = /^(([\w-]{1,400})\.(\d{1,16})\.[\w-]{1,40})\.([\w-]{1,100})$/.exec(cookie);
  if (!match) return null;
  const [, head = "", encodedName = "", expires = "", mac = ""] = match;
  const name = Buffer.from(encodedName, "base64url").toString();
  const token = tokens.find((candidate) => candidate.name === name);
  if (!token || !sameText(mac, macOf(token, head))) return null;
  return Number(expires) > now ? token : null;
}

function macOf(token: Token, head: string): string {
  return createHmac("sha256", `headwater session ${token.role} ${token.secret}`).update(head).digest("base64url");
}

const RANGES = new WeakMap<readonly string[], BlockList>();

/** Whether an address is in one of the ranges; a bare address is a range of one. */
function isInRanges(address: string | undefined, ranges: readonly string[]): boolean {
  let list = RANGES.get(ranges);
  if (!list) {
    list = new BlockList();
    for (const range of ranges) {
      const [first = "", bits] = range.split("/");
      const family = isIPv6(first) ? "ipv6" : "ipv4";
      if (isIP(first) !== 0) list.addSubnet(first, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
    }
    RANGES.set(ranges, list);
  }
  const plain = (address ?? "").replace(/^::ffff:(?=\d+\.)/i, "");
  return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}

/** Why `serve` must not listen on this address, as a sentence; null where it may. */
export function mayListen(listen: AggregatorConfig["listen"], auth: Auth): string | null {
  if (isLoopback(listen.host) || auth.kind === "none" || auth.kind === "proxy") return null;
  if (auth.kind === "tokens" && auth.tokens.length > 0) return null;
  return (
    `listening on ${listen.host} would let others read and write without a login: declare auth.tokens or auth.proxy, ` +
    "say `auth: none` to allow just that, or listen on 127.0.0.1"
  );
}

/** `localhost`, 127.0.0.0/8 or ::1, with or without brackets. */
function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, "$1");
  return name === "localhost" || name.endsWith(".localhost") || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/**
 * Whether a `Host` header names this server: loopback, the address it listens on, or one of `listen.hosts`. A page of
 * another origin whose name was made to resolve to us says its own name here.
 */
export function isOurHost(header: string | undefined, listen: AggregatorConfig["listen"]): boolean {
  const match = /^(\[[\da-f:.]+\]|[^:/@\s]+)(:\d{1,5})?$/i.exec(header ?? "");
  if (!match) return false;
  const name = (match[1] ?? "").toLowerCase().replace(/\.$/, "");
  if (isLoopback(name)) return true;
  const own = listen.host === "0.0.0.0" || listen.host === "::" ? [] : [listen.host];
  const ours = [...listen.hosts, ...own].map((host) => host.toLowerCase());
  return ours.some((host) => host === name || `[${host}]` === name || host === `${name}${match[2] ?? ""}`);
}

/** Whether a browser says that the page which sends a write is our own. */
export function isSameOrigin(origin: string | undefined, host: string | undefined): boolean {
  if (origin === undefined || host === undefined || !URL.canParse(origin)) return false;
  const url = new URL(origin);
  return (url.protocol === "http:" || url.protocol === "https:") && sameAuthority(url, host);
}

/** Default ports may be left out on either side. */
function sameAuthority(origin: URL, host: string): boolean {
  const own = `${origin.protocol}//${host}`;
  return URL.canParse(own) && new URL(own).host === origin.host;
}

/** Text of a person, kept as data: without control characters and bidi overrides; line breaks and tabs stay. */
export function cleanText(text: string, limit: number): string {
  return text
    .replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (char) => (char === "\n" || char === "\t" ? char : ""))
    .trim()
    .slice(0, limit);
}
