import { z } from "zod";
import { FORMATS } from "./dialects.ts";
import * as w from "./words.ts";

/**
 * Every key of the map's files, once: what it takes, what it means, an example, its default. `validate.ts` checks files by it,
 * `document.ts` makes the JSON Schema and the reference page of it. Keys not listed are errors.
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
    z.union([w.Name, z.array(w.Name).min(1).max(100)]),
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
