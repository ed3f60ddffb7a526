import { z } from "zod";
import * as w from "./words.ts";

/**
 * Every key of the aggregator's own file, once: what it takes, what it means, an example, its default. `validate.ts` checks files by it,
 * `document.ts` makes the JSON Schema and the reference page of it. Keys not listed are errors.
 */
const { key } = w;

const Token = z.strictObject({
  name: key(w.Id, "Who uses it; shown with what they write.", { examples: ["oncall"] }),
  role: key(w.named("bad-role", ["viewer", "operator"]), "`viewer` reads, `operator` also writes notes and acknowledges.", {
    examples: ["viewer"],
  }),
  secret: key(w.Secret, "The token, by reference.", { examples: ["\u0024{ONCALL_TOKEN}"] }),
});

const Auth = z.strictObject({
  tokens: key(z.array(Token).min(1).max(1_000), "Named tokens with a role each.").optional(),
  proxy: key(
    z.strictObject({
      header: key(w.Text, "Header in which the proxy names the user.", { examples: ["x-forwarded-user"] }),
      from: key(z.array(w.Text).min(1).max(100), "Addresses of the proxy, in CIDR notation.", { examples: [["10.0.0.0/8"]] }),
    }),
    "Trust a proxy in front to have logged people in.",
  ).optional(),
});

const urls = z.array(w.Url).min(1).max(20);

/** `headwater.yaml`, the aggregator itself. */
export const AggregatorFile = z.strictObject({
  site: key(w.Text, "Name of this installation, shown in title, alerts, metrics and heartbeat.", {
    default: "default",
    examples: ["eu-1"],
  }).optional(),
  listen: key(
    z.strictObject({
      host: key(w.Text, "Address to listen on.", { default: "127.0.0.1", examples: ["0.0.0.0"] }).optional(),
      port: key(w.Port, "Port to listen on; 0 takes a free one.", { default: 8080, examples: [9090] }).optional(),
      hosts: key(z.array(w.Text).max(100), "Host names under which the board is reached, besides loopback.", {
        default: [],
        examples: [["status.internal"]],
      }).optional(),
      base_path: key(w.BasePath, "Path under which a proxy serves it.", { default: "/", examples: ["/headwater"] }).optional(),
    }),
    "Where the board and the API are served.",
  ).optional(),
  storage: key(
    z.strictObject({
      max_size: key(w.Size, "How large the history may grow; the oldest goes first.", { default: "2GB", examples: ["500MB"] }).optional(),
    }),
    "The history's file.",
  ).optional(),
  retention: key(
    z.strictObject({
      raw: key(w.Duration, "Single polls.", { default: "24h", examples: ["6h"] }).optional(),
      minutes: key(w.Duration, "Minute figures.", { default: "7d", examples: ["3d"] }).optional(),
      hours: key(w.Duration, "Hour figures.", { default: "90d", examples: ["365d"] }).optional(),
      changes: key(w.Duration, "Changes of status, and incidents.", { default: "400d", examples: ["800d"] }).optional(),
    }),
    "How long history is kept.",
  ).optional(),
  auth: key(
    z.union([z.literal("none", 'must be "none", or a mapping with tokens or proxy'), Auth]),
    "Who may look and write. Without it, only loopback is served.",
    {
      examples: ["none"],
    },
  ).optional(),
  heartbeat: key(
    z.strictObject({
      url: key(w.Url, "Address of a dead man's switch.", { examples: ["https://deadman.example/ping/\u0024{HEARTBEAT_ID}"] }),
      every: key(w.Duration, "How often it is called.", { default: "60s", examples: ["30s"] }).optional(),
    }),
    "Called while Headwater is fresh, and only then.",
  ).optional(),
  staleness: key(
    z.strictObject({
      limit: key(
        w.Duration,
        "No report for this long makes Headwater stale. By default max(15s, 2 × interval + timeout) of the shortest interval.",
        {
          examples: ["30s"],
        },
      ).optional(),
      overdue_limit: key(w.Percent, "Share of instances that may be overdue.", { default: "10%", examples: ["5%"] }).optional(),
      write_limit: key(w.Duration, "No write to the history for this long makes Headwater stale.", {
        default: "60s",
        examples: ["2m"],
      }).optional(),
    }),
    "When Headwater must no longer be trusted.",
  ).optional(),
  analysis: key(
    z.strictObject({
      settle: key(
        w.Duration,
        "How much earlier a symptom may begin than its cause. By default flip_after × interval + timeout of the slower of the two.",
        {
          examples: ["30s"],
        },
      ).optional(),
      unreachable_after: key(
        w.Duration,
        "An unknown hard member of a system becomes an incident after this. By default max(2m, 5 × interval).",
        {
          examples: ["5m"],
        },
      ).optional(),
      review_after: key(w.Duration, "A label reviewed longer ago is reported as stale.", { default: "180d", examples: ["90d"] }).optional(),
    }),
    "How causes and drift are judged.",
  ).optional(),
  canaries: key(z.array(w.Url).max(20), 'Addresses that tell "we are cut off" from "they are down".', {
    examples: [["http://gateway.internal/ping"]],
  }).optional(),
  alerts: key(
    z.strictObject({
      alertmanager: key(
        z.strictObject({ urls: key(urls, "Addresses of Alertmanager.", { examples: [["http://alertmanager.internal:9093"]] }) }),
        "Prometheus Alertmanager.",
      ).optional(),
      webhook: key(
        z.strictObject({
          url: key(w.Url, "Address that gets each incident as JSON.", { examples: ["https://hooks.example/headwater"] }),
          secret: key(w.Secret, "Key that signs the body, by reference.", { examples: ["\u0024{WEBHOOK_SECRET}"] }).optional(),
        }),
        "A webhook.",
      ).optional(),
    }),
    "Where incidents are announced.",
  ).optional(),
  log: key(
    z.strictObject({
      level: key(w.named("wrong-type", ["trace", "debug", "info", "warn", "error", "silent"]), "How much is logged.", {
        default: "info",
        examples: ["debug"],
      }).optional(),
      format: key(w.named("wrong-type", ["auto", "json", "pretty"]), "`auto` is pretty on a terminal and JSON elsewhere.", {
        default: "auto",
        examples: ["json"],
      }).optional(),
    }),
    "The log on standard error.",
  ).optional(),
});
