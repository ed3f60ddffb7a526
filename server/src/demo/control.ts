import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Director } from "./director.ts";
import { isResourceFault, isServiceFault } from "./faults.ts";
import { listenNear, shut, trackSockets } from "./listen.ts";
import { renderPage } from "./page.ts";

export interface Control {
  readonly url: string;
  stop(): Promise<void>;
}

const MAX_FORM = 4_096;

/** A small page on loopback with buttons to break things; on a free port where the wanted one is taken. */
export async function startControl(director: Director, port: number): Promise<Control> {
  const server = createServer((req, res) => void handle(req, res));
  const sockets = trackSockets(server);
  const got = await listenNear(server, port);
  const origins = new Set([`http://127.0.0.1:${got}`, `http://localhost:${got}`]);

  async function handle(req: IncomingMessage, res: ServerResponse): Promise<void> {
    // Another name for this address is another site's attempt to reach it.
    if (!origins.has(`http://${req.headers.host}`)) return plain(res, 421, "not here");
    if (req.method === "GET" && req.url === "/") return page(res);
    if (req.method === "GET" && req.url === "/state") {
      return plain(res, 200, JSON.stringify({ ...director.state(), faults: Object.fromEntries(director.fleet.faults()) }));
    }
    if (req.method !== "POST") return plain(res, 404, "not found");
    const { origin } = req.headers;
    if (origin !== undefined && !origins.has(origin)) return plain(res, 403, "not from there");
    const form = await readForm(req);
    if (!form) return plain(res, 413, "too long");
    try {
      if (await perform(req.url ?? "", form)) res.writeHead(303, { location: "/", "content-length": 0 }).end();
      else plain(res, 404, "not found");
    } catch (error) {
      plain(res, 400, error instanceof RangeError ? error.message : "that did not work");
    }
  }

  async function perform(path: string, form: URLSearchParams): Promise<boolean> {
    const id = form.get("id");
    const fault = form.get("fault") ?? "";
    if (path === "/auto") await director.setAuto(form.get("on") === "1");
    else if (path === "/play") await director.play(Number(form.get("act")));
    else if (path === "/heal") await (id ? director.heal(id) : director.healAll());
    else if (path === "/break" && id && (isServiceFault(fault) || isResourceFault(fault))) await director.break(id, fault);
    else return false;
    return true;
  }

  function page(res: ServerResponse): void {
    const policy = "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'";
    res.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-security-policy": policy, "cache-control": "no-store" });
    res.end(renderPage(director));
  }

  return { url: `http://127.0.0.1:${got}/`, stop: () => shut(server, sockets) };
}

function plain(res: ServerResponse, code: number, text: string): void {
  res.writeHead(code, { "content-type": text.startsWith("{") ? "application/json" : "text/plain", "cache-control": "no-store" }).end(text);
}

async function readForm(req: IncomingMessage): Promise<URLSearchParams | null> {
  let text = "";
  for await (const chunk of req) {
    text += chunk;
    if (text.length > MAX_FORM) return null;
  }
  return new URLSearchParams(text);
}
