import type { IncomingMessage, RequestListener, Server } from "node:http";
import cookie from "@fastify/cookie";
import helmet from "@fastify/helmet";
import swagger from "@fastify/swagger";
import Fastify, { type FastifyBaseLogger, LogController } from "fastify";
import { jsonSchemaTransform, validatorCompiler, type ZodTypeProvider } from "fastify-type-provider-zod";
import type { Live } from "../domain/live.ts";
import { createAuthenticator } from "./auth.ts";
import { createBoard } from "./board.ts";
import { boundConnections } from "./connections.ts";
import { refuseConnection, useAllowedMethods, useErrors } from "./errors.ts";
import { useGuard } from "./guard.ts";
import { historyRoutes, versionRoutes } from "./history.ts";
import { incidentRoutes } from "./incidents.ts";
import { type LabelSource, labelRoutes } from "./labels.ts";
import { maintenanceRoutes } from "./maintenance.ts";
import { type DiffSource, mapRoutes } from "./map.ts";
import { type AlertCounts, metricsRoutes } from "./metrics.ts";
import { nodeRoutes } from "./nodes.ts";
import { probeRoutes } from "./probes.ts";
import { publicRoutes } from "./public-status.ts";
import { sessionRoutes } from "./session.ts";
import { asksForPage, pageRoutes, readIndex } from "./spa.ts";
import { spofRoutes } from "./spof.ts";
import { statsRoutes } from "./stats.ts";
import { createStream, streamRoutes } from "./stream.ts";
import type { App } from "./types.ts";
import { SERVER_LIMITS } from "./web-server.ts";

export interface AppOptions {
  /** Folder of the built page; null where there is none. */
  webRoot: string | null;
  version: { version: string; commit: string | null };
  logger?: FastifyBaseLogger;
  /** For the metrics; asked at each scrape. */
  alerts?: AlertCounts;
  /** Judges labels by the history; without it there are none to be had. */
  labels?: LabelSource;
  /** Compares revisions of the map; without it they are listed without what they changed. */
  diffs?: DiffSource;
  /** The server that hands its requests to the app, listening already; without it the app has one of its own. */
  server?: (answer: RequestListener) => Server;
  /** Milliseconds of a clock that is never set, for the limits. */
  monotonic?: () => number;
}

const NO_DIFFS: DiffSource = { of: async () => new Map() };
const NO_LABELS: LabelSource = { latest: async () => ({ message: "labels are not judged here" }), counts: () => null };

/**
 * The web server of a running aggregator: composed here, listening elsewhere. Closing it ends the event streams first,
 * so `close()` does not wait for viewers.
 */
export async function buildApp(live: Live, options: AppOptions): Promise<App> {
  const { listen, auth } = live.config;
  const prefix = listen.basePath.replace(/\/+$/, "");
  const index = options.webRoot === null ? null : await readIndex(options.webRoot, `${prefix}/`);
  const isForPage = (request: IncomingMessage) => index !== null && asksForPage(request, `${prefix}/`);
  const unreadable = new WeakMap<IncomingMessage, Error>();
  const app: App = Fastify({
    ...(options.logger ? { loggerInstance: options.logger } : {}),
    logController: new LogController({ disableRequestLogging: true }),
    exposeHeadRoutes: false,
    // While the port closes, who is still connected is served: /livez is 200 to the end.
    return503OnClosing: false,
    bodyLimit: 64 * 1024,
    clientErrorHandler: refuseConnection,
    // For an address that cannot be read no hook has run yet: it is asked for by one that can. Of it the board says so itself.
    frameworkErrors: (error, request, reply) => {
      if (!isForPage(request.raw)) unreadable.set(request.raw, error);
      request.raw.url = `${prefix}/${UNREADABLE}`;
      app.routing(request.raw, reply.raw);
    },
    routerOptions: { maxParamLength: 1_000, ignoreTrailingSlash: false },
    trustProxy: auth.kind === "proxy" ? [...auth.from] : false,
    ...SERVER_LIMITS,
    ...(options.server ? { serverFactory: options.server } : {}),
  }).withTypeProvider<ZodTypeProvider>();
  if (!options.server) boundConnections(app.server);

  app.setValidatorCompiler(validatorCompiler);
  // Answers are built field by field and typed by the contract; tests hold each of them against it.
  app.setSerializerCompiler(() => JSON.stringify);
  app.removeContentTypeParser("text/plain");
  useErrors(app, ({ raw }) => unreadable.get(raw) ?? (index !== null && isForPage(raw) ? index.html : null));
  const allowedMethods = useAllowedMethods(app);

  await app.register(helmet, SECURITY_HEADERS);
  await app.register(cookie);
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Headwater", version: options.version.version },
      ...(prefix ? { servers: [{ url: prefix }] } : {}),
    },
    transform: jsonSchemaTransform,
  });

  const authenticator = createAuthenticator(() => live.config);
  useGuard(app, live, authenticator, allowedMethods, options.monotonic ?? (() => performance.now()));
  const board = createBoard(live);
  const stream = createStream(live, board);

  const routes = async (scope: App): Promise<void> => {
    probeRoutes(scope, live);
    publicRoutes(scope, live);
    nodeRoutes(scope, live, board);
    streamRoutes(scope, live, stream, authenticator);
    incidentRoutes(scope, live, authenticator);
    mapRoutes(scope, live, options.diffs ?? NO_DIFFS);
    labelRoutes(scope, options.labels ?? NO_LABELS);
    maintenanceRoutes(scope, live, authenticator);
    historyRoutes(scope, live, authenticator);
    spofRoutes(scope, live);
    statsRoutes(scope, live);
    versionRoutes(scope, live, options.version);
    sessionRoutes(scope, live, authenticator, prefix || "/", () => stream.review());
    metricsRoutes(scope, live, stream, options.version, options.alerts ?? (() => new Map()), options.labels ?? NO_LABELS);
    scope.get("/api/openapi.json", { config: { access: "viewer" }, schema: { hide: true } }, async () => app.swagger());
    await pageRoutes(scope, options.webRoot, index);
  };
  await app.register(routes, { prefix });
  if (prefix) {
    // Whoever restarts or watches this process need not know under which path a proxy shows it.
    await app.register(async (scope: App) => {
      probeRoutes(scope, live);
      publicRoutes(scope, live);
    });
    app.get("/", { config: { access: "open" }, schema: { hide: true } }, async (_request, reply) => reply.redirect(`${prefix}/`));
  }
  await app.ready();
  return app;
}

/** A path of no route, for an address that no route can take. */
const UNREADABLE = "unreadable-address";

const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'", "data:"],
      fontSrc: ["'self'"],
      connectSrc: ["'self'"],
      workerSrc: ["'self'"],
      manifestSrc: ["'self'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  referrerPolicy: { policy: "no-referrer" as const },
  // Plain HTTP on loopback is the normal case; whoever terminates TLS declares HSTS.
  strictTransportSecurity: false,
  xFrameOptions: { action: "deny" as const },
};
