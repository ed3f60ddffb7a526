import { NewSession, Session } from "../contract/index.ts";
import type { Live } from "../domain/live.ts";
import { type Authenticator, type Identity, SESSION_COOKIE, SESSION_MS } from "./auth.ts";
import { ApiError } from "./errors.ts";
import type { App } from "./types.ts";

/**
 * Login with a token, who am I, logout. The cookie is HttpOnly and SameSite, and Secure where the page came over TLS.
 * `onLogout` runs after a cookie has lost its worth.
 */
export function sessionRoutes(app: App, live: Live, auth: Authenticator, basePath: string, onLogout: () => void): void {
  const cookie = (origin: string | undefined) => ({
    path: basePath,
    httpOnly: true,
    sameSite: "strict" as const,
    secure: origin?.startsWith("https:") ?? false,
  });

  app.get(
    "/api/v1/session",
    { config: { access: "open" }, schema: { summary: "Who is asking", response: { 200: Session } } },
    async (request) => ({
      auth: auth.kind(),
      user: userOf(auth.identify(request, live.now())),
    }),
  );

  app.post(
    "/api/v1/session",
    { config: { access: "open", login: true }, schema: { summary: "Log in with a token", body: NewSession, response: { 200: Session } } },
    async (request, reply) => {
      if (auth.kind() !== "tokens") throw new ApiError("bad_request", "nobody logs in here with a token");
      const session = auth.login(request.body.token, live.now());
      if (!session) throw new ApiError("unauthorized", "this token is not known");
      reply.setCookie(SESSION_COOKIE, session.cookie, { ...cookie(request.headers.origin), maxAge: SESSION_MS / 1_000 });
      return { auth: auth.kind(), user: userOf(session.identity) };
    },
  );

  app.delete(
    "/api/v1/session",
    { config: { access: "open" }, schema: { summary: "Log out", response: { 200: Session } } },
    async (request, reply) => {
      const value = request.cookies[SESSION_COOKIE];
      if (value !== undefined) auth.logout(value, live.now());
      onLogout();
      reply.clearCookie(SESSION_COOKIE, cookie(request.headers.origin));
      return { auth: auth.kind(), user: null };
    },
  );
}

function userOf(identity: Identity | null): { name: string | null; role: "viewer" | "operator" } | null {
  return identity && { name: identity.name, role: identity.role };
}
