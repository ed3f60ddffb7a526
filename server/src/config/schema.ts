import { z } from "zod";
import { FORMATS } from "./dialects.ts";
import * as w from "./words.ts";

/**
 * Every key of the configuration, once: what it takes, what it means, an example, its default. `validate.ts` checks
 * files by it, `document.ts` makes the JSON Schema and the reference page of it. Keys not listed are errors.
 */
const { key } = w;

const timing = {
  interval: key(w.Duration, "How often each instance is polled.", { default: "10s", examples: ["30s"] }).optional(),
  timeout: key(w.Duration, "Deadline of one poll, from connecting to the last byte. Must be below `interval`.", {
    default: "2s",
    examples: ["1500ms"],
  }).optional(),
  flip_after: key(w.Count, "How many results in a row change a status.", { default: 3, examples: [2] }).optional(),
  down_after: key(w.Count, "`flip_after` for changes to the worse; the same where it is not set.", { examples: [2] }).optional(),
  up_after: key(w.Count, "`flip_after` for changes to the better; the same where it is not set.", { examples: [5] }).optional(),
  format: key(
    w.named("bad-format", FORMATS, "auto or the name of a known dialect"),
    "Dialect of the deep endpoint; `auto` recognises it by its shape, a name pins it.",
    {
      default: "auto",
      examples: ["spring-actuator"],
    },
  ).optional(),
  max_body: key(w.Size, "Longest answer that is read, after decompression.", { default: "256KiB", examples: ["1MiB"] }).optional(),
  max_age: key(
    w.Duration,
    "Age at which the last result is stale and the status unknown. At least `interval`. By default max(60s, (flip_after + 1) × interval + timeout), with the largest of the three counts.",
    { examples: ["2m"] },
  ).optional(),
  component_max_age: key(w.Duration, "Age at which one component of a report is stale. By default worked out as `max_age` is.", {
    examples: ["5m"],
  }).optional(),
};

const common = {
  name: key(w.Text, "What people read; the id where it is missing.", { examples: ["Checkout"] }).optional(),
  description: key(w.Text, "A sentence for whoever meets it at night.", { examples: ["primary for orders"] }).optional(),
};

const links = key(z.record(w.Text, w.Text), "Named links, shown with the node: a runbook, a dashboard, a repository.", {
  examples: [{ runbook: "https://runbooks.example/checkout" }],
}).optional();

const node = {
  ...common,
  team: key(w.Id, "The team that answers for it.", { examples: ["payments"] }).optional(),
  tags: key(z.record(w.Text, w.TagValue), "Free labels to filter and group by. `zone` is used to recognise that a whole zone is silent.", {
    examples: [{ tier: "1", zone: "a" }],
  }).optional(),
  links,
  renamed_from: key(w.Id, "The id it had before; carries its history over.", { examples: ["basket"] }).optional(),
};

const Edge = z.strictObject({
  on: key(z.union([w.Id, z.array(w.Id).min(1).max(100)]), "The node that is needed, or a list of alternatives of which `need` suffice.", {
    examples: ["orders-db", ["mail-east", "mail-west"]],
  }),
  criticality: key(
    w.Criticality,
    "What its failure does: `hard` makes the service unhealthy, `soft` degrades it, `informational` changes nothing. A decision, so never assumed.",
    { examples: ["hard"] },
  ),
  need: key(w.Count, "How many of a list of alternatives suffice. Unknown ones count neither way.", {
    default: 1,
    examples: [2],
  }).optional(),
  component: key(
    z.union([w.Text, z.array(w.Text).min(1).max(100)]),
    "The name, or names, under which the service's report lists it; the node's id where it is missing. For alternatives, a list as long as `on` names them one by one.",
    { examples: ["postgres"] },
  ).optional(),
  owner: key(w.Id, "The team that answers for the label; the service's team where it is missing.", { examples: ["payments"] }).optional(),
  reviewed: key(w.DateText, "When somebody last checked that the label is still true.", { examples: ["2026-10-01"] }).optional(),
});

const Tls = z.strictObject({
  ca: key(w.Text, "PEM file with the authorities to trust, relative to the configuration folder.", { examples: ["ca.pem"] }).optional(),
  cert: key(w.Text, "PEM file with the client certificate; needs `key`.", { examples: ["client.pem"] }).optional(),
  key: key(w.Text, "PEM file with the client's private key; needs `cert`.", { examples: ["client.key"] }).optional(),
  servername: key(w.Text, "Name to expect in the server's certificate.", { examples: ["checkout.internal"] }).optional(),
});

const Service = z.strictObject({
  ...node,
  url: key(w.Url, "Address of the deep endpoint. Without it the service is known through its dependents only.", {
    examples: ["http://checkout.internal:8080/health/deep"],
  }).optional(),
  instances: key(z.array(w.Url).min(1).max(1_000), "Addresses of several instances, instead of `url`.", {
    examples: [["http://checkout-1.internal:8080/health/deep", "http://checkout-2.internal:8080/health/deep"]],
  }).optional(),
  need: key(w.Count, "How many instances must not be unhealthy; half of them, rounded up, where it is missing.", {
    examples: [2],
  }).optional(),
  headers: key(z.record(w.Text, w.HeaderValue), "Request headers. Write secrets as references; values are never shown.", {
    examples: [{ authorization: "Bearer \u0024{CHECKOUT_HEALTH_TOKEN}" }],
  }).optional(),
  tls: key(Tls, "How to trust the server and be trusted by it.").optional(),
  ...timing,
  dependencies: key(z.array(Edge).max(1_000), "What the service needs directly.").optional(),
});

const Resource = z.strictObject({
  ...node,
  kind: key(w.Text, "database, cache, queue, external-api: a word for people.", { examples: ["database"] }).optional(),
});

const Team = z.strictObject({
  ...common,
  contact: key(w.Text, "How to reach the team.", { examples: ["#payments-oncall"] }).optional(),
  runbooks: key(w.Text, "Where its runbooks are.", { examples: ["https://runbooks.example/payments"] }).optional(),
  links,
});

const Member = z.strictObject({
  node: key(w.Id, "The service or resource.", { examples: ["checkout"] }),
  criticality: key(w.Criticality, "What its failure does to the system; the words of a dependency.", { examples: ["hard"] }),
});

const System = z.strictObject({
  ...common,
  public: key(w.Flag, "Whether `/status` may name it to everybody.", { default: false, examples: [true] }).optional(),
  team: key(w.Id, "The team that answers for the system.", { examples: ["payments"] }).optional(),
  members: key(z.array(Member).max(1_000), "The nodes that the system's users depend on.").optional(),
});

const Maintenance = z.strictObject({
  nodes: key(z.array(w.Id).min(1).max(1_000), "The nodes that are worked on.", { examples: [["orders-db"]] }),
  from: key(w.LocalTime, "Start, local to `zone`.", { examples: ["2027-03-06T22:00"] }),
  to: key(w.LocalTime, "End, local to `zone`. What is still bad then becomes a real incident.", { examples: ["2027-03-07T02:00"] }),
  zone: key(w.Text, "IANA name of the time zone.", { default: "UTC", examples: ["Europe/Berlin"] }).optional(),
  reason: key(w.Text, "What is done.", { examples: ["storage upgrade"] }).optional(),
});

/** One file of `map/`. */
export const MapFile = z.strictObject({
  defaults: key(z.strictObject(timing), "What services use where they say nothing. One set for the whole map.").optional(),
  teams: key(z.record(w.Id, Team), "Who answers for nodes and labels.").optional(),
  resources: key(
    z.record(w.Id, Resource),
    "Databases, caches, queues, outside APIs: known only through what services report of them.",
  ).optional(),
  services: key(z.record(w.Id, Service), "What is polled, and what it needs.").optional(),
  systems: key(z.record(w.Id, System), "What users of the product see.").optional(),
  maintenance: key(z.array(Maintenance).max(1_000), "Announced work: it still explains its victims, and alerts nobody.").optional(),
});

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
