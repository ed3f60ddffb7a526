// A service as one writes it, with a deep endpoint by headwater/reporter: Fastify, PostgreSQL (hard) and Redis (soft).
// DATABASE_URL=postgres://… REDIS_URL=redis://… PORT=8080 node server/examples/orders.mjs
import Fastify from "fastify";
import { createReporter, reporterPlugin } from "headwater/reporter";
import pg from "pg";
import { createClient } from "redis";

const { DATABASE_URL, REDIS_URL, PORT = "0", CHECK_EVERY_MS = "5000", DRAIN_MS = "5000" } = process.env;
const checkEvery = Number(CHECK_EVERY_MS);
const timeout = Math.min(500, 0.6 * checkEvery);

// The pool that orders use too, so that a check sees what they see: a pool without a free connection is a failure.
const pool = new pg.Pool({ connectionString: DATABASE_URL, application_name: "orders", max: 5, connectionTimeoutMillis: timeout });
// One connection apart, to cancel what hangs on the others.
const canceller = new pg.Pool({
  connectionString: DATABASE_URL,
  application_name: "orders-cancel",
  max: 1,
  connectionTimeoutMillis: timeout,
});
for (const each of [pool, canceller]) each.on("error", () => {});

const cache = createClient({ url: REDIS_URL, disableOfflineQueue: true, socket: { connectTimeout: timeout, reconnectStrategy: 100 } });
cache.on("error", () => {});
cache.connect().catch(() => {});

const reporter = createReporter({
  checks: {
    "orders-db": { criticality: "hard", run: askDatabase },
    "price-cache": { criticality: "soft", run: (signal) => cache.withAbortSignal(signal).ping() },
  },
  interval: checkEvery,
  timeout,
  agree: 2,
});

/** A cheap question about what orders need. At the deadline PostgreSQL is told to stop, so that no question piles up there. */
async function askDatabase(signal) {
  const client = await pool.connect();
  const cancel = () => canceller.query("SELECT pg_cancel_backend($1)", [client.processID]).catch(() => {});
  signal.addEventListener("abort", cancel, { once: true });
  try {
    if (signal.aborted) throw signal.reason;
    await client.query("SELECT 1 FROM orders LIMIT 1");
    client.release();
  } catch (error) {
    client.release(error);
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

// Whoever restarts this process asks /livez until it is gone, so closing answers no 503 of its own.
const app = Fastify({ return503OnClosing: false });
await app.register(reporterPlugin(reporter));
app.get("/orders/:id", async (request, reply) => {
  const { rows } = await pool.query("SELECT id, item FROM orders WHERE id = $1", [Number(request.params.id) || 0]);
  if (rows.length === 0) return reply.code(404).send({ error: "no such order" });
  // The cache is soft: without it an order has no price, and is an order all the same.
  const price = await cache.get(`price:${rows[0].item}`).catch(() => null);
  return { ...rows[0], price };
});

process.once("SIGTERM", async () => {
  reporter.drain();
  // Time for whoever routes traffic here to see /readyz, then the requests under way end.
  await new Promise((resolve) => setTimeout(resolve, Number(DRAIN_MS)));
  await app.close();
  cache.destroy();
  await Promise.allSettled([pool.end(), canceller.end()]);
});

console.log(`orders is at ${await app.listen({ host: "127.0.0.1", port: Number(PORT) })}`);
