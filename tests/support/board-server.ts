import { existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import * as contract from "../../server/src/contract/index.ts";
import { answerOf, type Schema } from "./board-answers.ts";
import { makeWorld, SCENES, type Scene, type World } from "./board-data.ts";
import { ensureBuiltPage, WEB_ROOT } from "./built-page.ts";

/** The policy under which the real server serves the page; the page must live with it. */
const CSP =
  "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'; form-action 'self'";
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

export interface BoardServer {
  url: string;
  world: World;
  /** Changes some nodes and publishes the next revision; `incidents` are sent whole. */
  publish(change: { nodes?: (Partial<contract.NodeView> & { id: string })[]; incidents?: contract.Incident[] }): void;
  /** Takes the world into another scene; a client notices by the jump. */
  setScene(scene: Scene): void;
  /** Says nothing more, with every line left open: to anybody (a stalled proxy), or on the lines that are open now (a laptop that slept). */
  mute(which?: "all" | "open"): void;
  /** Ends every open line; new ones are welcome. */
  cut(): void;
  /** Writes received, in order. */
  writes: { path: string; body: unknown }[];
  close(): Promise<void>;
}

/**
 * A real HTTP server with the built page, contract-valid generated data and a live stream: for looking at the page and
 * for the browser's tests, without polling anything. `basePath` such as `/ops/` serves everything below it.
 */
export async function startBoardServer(options: {
  scene: Scene;
  size: number;
  port?: number;
  basePath?: string;
  seenEvery?: number;
  role?: "viewer" | "operator";
  /** Asks everybody for this token first. */
  token?: string;
  /** The commit that it says it was built from. */
  commit?: string;
}): Promise<BoardServer> {
  ensureBuiltPage();
  const basePath = options.basePath ?? "/";
  const boot = `boot-${process.hrtime.bigint()}`;
  let world = makeWorld(options.scene, options.size, Date.now());
  world.board.boot = boot;
  contract.Board.parse(world.board);
  const streams = new Set<ServerResponse>();
  const writes: BoardServer["writes"] = [];

  let muted = false;
  const send = (event: string, schema: Schema, data: unknown, to: Iterable<ServerResponse> = streams): void => {
    if (muted) return;
    const text = `event: ${event}\ndata: ${JSON.stringify(schema.parse(data))}\n\n`;
    for (const stream of to) stream.write(text);
  };
  const boardEvent = (lists: Partial<contract.BoardEvent>): contract.BoardEvent => {
    const { revision, status, coverage, freshness } = world.board;
    return {
      boot,
      revision,
      generated_at: new Date().toISOString(),
      status,
      coverage,
      freshness,
      systems: [],
      nodes: [],
      seen: [],
      removed: [],
      incidents: [],
      ...lists,
    };
  };

  /** Every second a tenth of the nodes is seen again, as with an interval of ten seconds. */
  let turn = 0;
  const seen = (): void => {
    if (world.board.freshness.blind) return;
    const at = new Date().toISOString();
    const polled = world.board.nodes.filter((node, index) => index % 10 === turn % 10 && !node.stale);
    turn++;
    for (const node of polled) node.last_checked = at;
    world.board.revision++;
    world.board.generated_at = at;
    send("board", contract.BoardEvent, boardEvent({ seen: polled.map((node) => [node.id, at, node.latency_ms]) }));
  };
  const seenTimer = setInterval(seen, options.seenEvery ?? 1_000);
  const pingTimer = setInterval(
    () => send("ping", contract.PingEvent, { at: new Date().toISOString(), freshness: world.board.freshness }),
    10_000,
  );

  const publish: BoardServer["publish"] = ({ nodes = [], incidents = [] }) => {
    const changed = nodes.flatMap((change) => {
      const index = world.board.nodes.findIndex((node) => node.id === change.id);
      const node = world.board.nodes[index];
      if (!node) return [];
      const next = { ...node, ...change };
      world.board.nodes[index] = next;
      return [next];
    });
    for (const incident of incidents) {
      const index = world.board.incidents.findIndex((one) => one.id === incident.id);
      if (index === -1) world.board.incidents.unshift(incident);
      else world.board.incidents[index] = incident;
    }
    world.board.revision++;
    send("board", contract.BoardEvent, boardEvent({ nodes: changed, incidents, systems: world.board.systems }));
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (!response.headersSent) json(response, 500, { error: { code: "error", message: String(error) } });
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://localhost");
    response.setHeader("content-security-policy", CSP);
    if (!url.pathname.startsWith(basePath)) return json(response, 404, { error: { code: "not_found", message: "Not here." } });
    const path = `/${url.pathname.slice(basePath.length)}`;
    if (!path.startsWith("/api/v1/")) return page(response, path, basePath, request.headers["accept-encoding"] ?? "");
    const [what = "", id = "", more] = path.slice("/api/v1/".length).split("/").map(decodeURIComponent);
    const known = !options.token || request.headers.cookie?.includes("hw=in");
    if (!known && what !== "session") return json(response, 401, { error: { code: "unauthorized", message: "a token is needed" } });
    if (request.method === "POST" || request.method === "DELETE") return write(request, response, what, id, more ?? "");
    if (what === "events") return stream(request, response);
    if (what === "session" && options.token) {
      const user = known ? { name: "robin", role: options.role ?? "operator" } : null;
      return json(response, 200, contract.Session.parse({ auth: "tokens", user }));
    }
    const answer = answerOf(
      { world, boot, role: options.role ?? "operator", commit: options.commit ?? "9b1d2c3" },
      [what, id, more],
      url.searchParams,
    );
    if (!answer) return json(response, 404, { error: { code: "not_found", message: `There is no ${what} ${id}.` } });
    json(response, 200, answer[0].parse(answer[1]));
  }

  async function write(request: IncomingMessage, response: ServerResponse, what: string, id: string, more: string): Promise<void> {
    let text = "";
    for await (const chunk of request) text += chunk;
    const body: unknown = JSON.parse(text || "null");
    writes.push({ path: [what, id, more].filter(Boolean).join("/"), body });
    const now = new Date().toISOString();
    if (what === "session") {
      const { token } = contract.NewSession.parse(body);
      if (token !== options.token) return json(response, 401, { error: { code: "unauthorized", message: "this token is not known" } });
      response.setHeader("set-cookie", "hw=in; HttpOnly; SameSite=Strict; Path=/");
      return json(response, 200, contract.Session.parse({ auth: "tokens", user: { name: "robin", role: "operator" } }));
    }
    if (what === "changes") return json(response, 201, contract.ChangeView.parse(mark(body, now)));
    if (what === "maintenance") return json(response, 200, contract.MaintenanceView.parse(announce(body, id, now)));
    if (what === "map") {
      const errors = contract.NewMapCheck.parse(JSON.parse(text)).text.includes("intervall")
        ? [
            {
              file: "map/change.yaml",
              line: 3,
              column: 5,
              code: "unknown_key",
              message: "unknown key `intervall`; did you mean `interval`?",
            },
          ]
        : [];
      return json(response, 200, contract.MapCheck.parse({ errors, warnings: [] }));
    }
    const incident = world.board.incidents.find((one) => one.id === Number(id));
    if (!incident) return json(response, 404, { error: { code: "not_found", message: `There is no incident ${id}.` } });
    const events = world.events.get(incident.id) ?? [];
    world.events.set(incident.id, events);
    let next = incident;
    if (more === "ack") {
      const ack = contract.NewAck.parse(body);
      const by = ack.name ?? "operator";
      const acked = ack.clear
        ? null
        : { by, at: now, until: ack.expires_in ? new Date(Date.now() + 1_800_000).toISOString() : null, note: ack.note ?? null };
      next = { ...incident, acked };
      events.push({ at: now, kind: ack.clear ? "unack" : "ack", node: null, text: ack.note ?? "acknowledged", by });
    } else {
      const note = contract.NewNote.parse(body);
      events.push({ at: now, kind: "note", node: null, text: note.text, by: note.name ?? "operator" });
    }
    publish({ incidents: [next] });
    json(response, 200, contract.Incident.parse(next));
  }

  function mark(body: unknown, now: string): contract.ChangeView {
    const { at = now, node = null, text, link = null, name = "operator" } = contract.NewChange.parse(body);
    const change = { at, node, text, link, by: name };
    world.changes.unshift(change);
    return change;
  }

  /** Announces work, or ends that of an id. */
  function announce(body: unknown, id: string, now: string): contract.MaintenanceView {
    const ended = world.works.find((work) => work.id === Number(id));
    if (ended) {
      world.works.splice(world.works.indexOf(ended), 1);
      publish({ nodes: ended.nodes.map((node) => ({ id: node, marks: [] })) });
      return { ...ended, to: now, ended_by: "operator" };
    }
    const { nodes, from = now, to, reason, name = "operator" } = contract.NewMaintenance.parse(body);
    const work = { id: world.works.length + 1, nodes, from, to, reason, by: name, announced_at: now, ended_by: null };
    world.works.push(work);
    publish({ nodes: nodes.map((node) => ({ id: node, marks: ["maintenance" as const] })) });
    return work;
  }

  function stream(request: IncomingMessage, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    streams.add(response);
    request.on("close", () => streams.delete(response));
    send("board", contract.BoardEvent, boardEvent({}), [response]);
  }

  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(options.port ?? 0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${basePath}`,
    get world() {
      return world;
    },
    publish,
    setScene(scene) {
      const revision = world.board.revision + 10;
      world = makeWorld(scene, options.size, Date.now());
      Object.assign(world.board, { boot, revision });
      send("board", contract.BoardEvent, boardEvent({}));
    },
    mute(which = "all") {
      if (which === "all") muted = true;
      else streams.clear();
    },
    cut() {
      for (const stream of streams) stream.destroy();
    },
    writes,
    close: () => stop(server, streams, [seenTimer, pingTimer]),
  };
}

async function stop(server: Server, streams: Set<ServerResponse>, timers: NodeJS.Timeout[]): Promise<void> {
  for (const timer of timers) clearInterval(timer);
  for (const stream of streams) stream.destroy();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8", "cache-control": "no-store" });
  response.end(JSON.stringify(body));
}

/** Built files; every other path is the page itself, with the base path put in. */
function page(response: ServerResponse, path: string, basePath: string, accepts: string): void {
  const file = join(WEB_ROOT, normalize(path));
  const type = TYPES[extname(file)];
  if (type && type !== TYPES[".html"] && file.startsWith(WEB_ROOT) && existsSync(file)) {
    const packed = accepts.includes("br") && existsSync(`${file}.br`);
    if (packed) response.setHeader("content-encoding", "br");
    response.writeHead(200, { "content-type": type, "cache-control": "public, max-age=31536000, immutable" });
    response.end(readFileSync(packed ? `${file}.br` : file));
    return;
  }
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-cache" });
  response.end(readFileSync(join(WEB_ROOT, "index.html"), "utf8").replace('<base href="/"', `<base href="${basePath}"`));
}

/** By hand: `node tests/support/run-ts.mjs tests/support/board-server.ts incident 36 8099`. */
export async function main([scene = "incident", size = "36", port = "8099"]: string[]): Promise<void> {
  const chosen = SCENES.find((one) => one === scene);
  if (!chosen) throw new Error(`The scenes are ${SCENES.join(", ")}.`);
  const started = await startBoardServer({ scene: chosen, size: Number(size), port: Number(port) });
  process.stdout.write(`${started.url}\n`);
}
