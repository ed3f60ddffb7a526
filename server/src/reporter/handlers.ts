import type { IncomingMessage, ServerResponse } from "node:http";

/** A plain request handler: `http.createServer(handler)`, or mounted on one path of any framework that speaks Node. */
export type Handler = (req: IncomingMessage, res: ServerResponse) => void;

/**
 * A question about this process alone, answered at once. It cannot wait, so it cannot ask anybody else: a dependency that
 * all instances share belongs into the deep report, where its failure restarts and unroutes nobody.
 */
export type LocalCheck = () => boolean;

/** Answers GET with what `answer` says, and nothing else; never cached. */
export function respondWith(answer: () => { code: number; body: unknown }): Handler {
  return (req, res) => {
    if (req.method !== "GET") {
      send(res, 405, { error: "only GET" }, { allow: "GET" });
      return;
    }
    const { code, body } = answer();
    send(res, code, body);
  };
}

/** Thrown where a local check asks what it must not. */
export class NotLocal extends Error {}

/** What a local check says; null where it says neither yes nor no, as a promise would, which always looks like yes, or is not local. */
export function ask(check: LocalCheck): boolean | null {
  try {
    const answer: unknown = check();
    return typeof answer === "boolean" ? answer : null;
  } catch (error) {
    return error instanceof NotLocal ? null : false;
  }
}

/** 200 while `check` says true, 503 for all else. */
export function respondLocally(check: LocalCheck): Handler {
  return respondWith(() => {
    const answer = ask(check);
    if (answer !== null) return { code: answer ? 200 : 503, body: { status: answer ? "ok" : "unavailable" } };
    return {
      code: 503,
      body: { status: "unavailable", error: "a local check must answer true or false at once, and about this process alone" },
    };
  });
}

/** For a path that is none of ours. */
export function respondNotFound(res: ServerResponse): void {
  send(res, 404, { error: "no such path" });
}

function send(res: ServerResponse, code: number, body: unknown, headers: Record<string, string> = {}): void {
  const text = JSON.stringify(body);
  const length = Buffer.byteLength(text);
  res.writeHead(code, { "content-type": "application/json", "content-length": length, "cache-control": "no-store", ...headers });
  res.end(text);
}
