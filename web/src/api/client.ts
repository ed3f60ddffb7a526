import type { ErrorBody } from "headwater/contract";

/** An answer that is no success, with the server's own words. Status 0: no answer at all. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Address of an API path such as `board` under the page's base. */
export function apiUrl(path: string): string {
  return new URL(`api/v1/${path}`, document.baseURI).href;
}

/** The page's base path without the last slash: empty at the root. */
export function basePath(): string {
  return new URL(document.baseURI).pathname.replace(/\/[^/]*$/, "");
}

/** The path under which a token is asked for; the way back is in it. */
export function loginPath(): string {
  const back = `${location.pathname.slice(basePath().length)}${location.search}`;
  return `/login?back=${encodeURIComponent(back)}`;
}

/** Takes the reader to the login, if not there already. The router follows the history. */
export function goToLogin(): void {
  if (location.pathname !== `${basePath()}/login`) history.pushState(null, "", basePath() + loginPath());
}

let onRefused = goToLogin;

/** Says what is done when the server does not know who asks; without a word the reader is taken to the login. */
export function whenRefused(act: () => void): void {
  onRefused = act;
}

/** Sends one request and gives the parsed JSON, or throws an ApiError. A body makes it a POST unless said otherwise. */
export async function request<T>(path: string, options: { method?: string; body?: unknown; signal?: AbortSignal } = {}): Promise<T> {
  const { body, signal } = options;
  const init: RequestInit = { method: options.method ?? (body === undefined ? "GET" : "POST"), headers: { accept: "application/json" } };
  if (signal) init.signal = signal;
  if (body !== undefined) {
    init.headers = { accept: "application/json", "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let response: Response;
  try {
    response = await fetch(apiUrl(path), init);
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ApiError(0, "no_answer", "Headwater does not answer.");
  }
  if (response.status === 401 && path !== "session") onRefused();
  if (response.ok) return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
  const failure = (await response.json().catch(() => null)) as ErrorBody | null;
  throw new ApiError(response.status, failure?.error?.code ?? "error", failure?.error?.message ?? `Headwater answered ${response.status}.`);
}
