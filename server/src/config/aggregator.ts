import type { AggregatorConfig, Auth } from "../domain/config.ts";
import { parseDuration } from "../domain/duration.ts";
import { scalars } from "./collect.ts";
import { checkMetadataAddress } from "./metadata-address.ts";
import type { Findings } from "./problems.ts";
import { REFERENCE_FORMS } from "./references.ts";
import { parseSize } from "./size.ts";
import { items, type MapNodeTree, mapping, placeOf, type ScalarNode, scalar, type TreeNode, text, textOf } from "./tree.ts";

const DAY = 86_400_000;
const REVIEW_AFTER = 180 * DAY;

/** Reads dotted keys of a file that may be missing. */
class Reading {
  readonly #root: MapNodeTree | null;

  constructor(root: MapNodeTree | null) {
    this.#root = root;
  }

  part(key: string): MapNodeTree | null {
    return this.#root ? mapping(this.#root, key) : null;
  }

  node(part: string, key: string): ScalarNode | null {
    const inside = this.part(part);
    return inside ? scalar(inside, key) : null;
  }

  text(part: string, key: string): string | null {
    const node = this.node(part, key);
    return node ? textOf(node) : null;
  }

  duration(part: string, key: string): number | null {
    const value = this.text(part, key);
    return value === null ? null : parseDuration(value);
  }

  list(part: MapNodeTree | null, key: string): string[] {
    return part ? items(part, key).flatMap((item) => (item.kind === "scalar" ? [textOf(item)] : [])) : [];
  }
}

/** `headwater.yaml` with its defaults; `root` is null where there is no such file. Call it for a file without errors only. */
export function buildAggregator(root: MapNodeTree | null): AggregatorConfig {
  const read = new Reading(root);
  const port = read.node("listen", "port")?.value;
  const heartbeat = read.text("heartbeat", "url");
  const share = read.text("staleness", "overdue_limit");
  const size = read.text("storage", "max_size");
  return {
    site: (root ? text(root, "site") : null) ?? "default",
    listen: {
      host: read.text("listen", "host") ?? "127.0.0.1",
      port: typeof port === "number" ? port : 8080,
      hosts: read.list(read.part("listen"), "hosts"),
      basePath: basePath(read.text("listen", "base_path") ?? "/"),
    },
    storage: { maxSize: (size === null ? null : parseSize(size)) ?? 2_000_000_000 },
    retention: {
      raw: read.duration("retention", "raw") ?? DAY,
      minutes: read.duration("retention", "minutes") ?? 7 * DAY,
      hours: read.duration("retention", "hours") ?? 90 * DAY,
      changes: read.duration("retention", "changes") ?? 400 * DAY,
    },
    auth: auth(root),
    heartbeat: heartbeat === null ? null : { url: heartbeat, every: read.duration("heartbeat", "every") ?? 60_000 },
    staleness: {
      limit: read.duration("staleness", "limit"),
      overdueLimit: share === null ? 0.1 : Number.parseFloat(share) / 100,
      writeLimit: read.duration("staleness", "write_limit") ?? 60_000,
    },
    analysis: {
      settle: read.duration("analysis", "settle"),
      unreachableAfter: read.duration("analysis", "unreachable_after"),
      reviewAfter: reviewAfter(root),
    },
    canaries: read.list(root, "canaries"),
    alerts: alerts(read),
    log: {
      level: (read.text("log", "level") ?? "info") as AggregatorConfig["log"]["level"],
      format: (read.text("log", "format") ?? "auto") as AggregatorConfig["log"]["format"],
    },
  };
}

/** `analysis.review_after` in milliseconds, also of a file with errors elsewhere. */
export function reviewAfter(root: MapNodeTree | null): number {
  return new Reading(root).duration("analysis", "review_after") ?? REVIEW_AFTER;
}

function basePath(path: string): string {
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function alerts(read: Reading): AggregatorConfig["alerts"] {
  const part = read.part("alerts");
  const [manager, webhook] = [part ? mapping(part, "alertmanager") : null, part ? mapping(part, "webhook") : null];
  const url = webhook ? text(webhook, "url") : null;
  return {
    alertmanager: manager ? { urls: read.list(manager, "urls") } : null,
    webhook: webhook && url !== null ? { url, secret: text(webhook, "secret") } : null,
  };
}

function auth(root: MapNodeTree | null): Auth {
  const node = root?.entries.get("auth")?.node;
  if (!root || !node || (node.kind === "scalar" && node.value === null)) return { kind: "unset" };
  if (node.kind !== "map") return { kind: "none" };
  const proxy = mapping(node, "proxy");
  if (proxy) return { kind: "proxy", header: text(proxy, "header") ?? "", from: new Reading(root).list(proxy, "from") };
  const tokens = items(node, "tokens").flatMap((item) => (item.kind === "map" ? [item] : []));
  return {
    kind: "tokens",
    tokens: tokens.map((token) => ({
      name: text(token, "name") ?? "",
      role: text(token, "role") === "operator" ? "operator" : "viewer",
      secret: text(token, "secret") ?? "",
    })),
  };
}

/** Checks what the schema of `headwater.yaml` alone cannot see. */
export function checkAggregator(root: MapNodeTree, findings: Findings): void {
  const auth = mapping(root, "auth");
  if (auth) checkAuth(auth, findings);
  const alerts = mapping(root, "alerts");
  const [manager, webhook] = [alerts && mapping(alerts, "alertmanager"), alerts && mapping(alerts, "webhook")];
  const secret = webhook ? scalar(webhook, "secret") : null;
  if (secret) checkLiteral(secret, "alerts.webhook.secret", findings);
  const heartbeat = mapping(root, "heartbeat");
  for (const [part, key, what] of [
    [root, "canaries", "a canary"],
    [heartbeat, "url", "heartbeat.url"],
    [manager, "urls", "an address of alerts.alertmanager"],
    [webhook, "url", "alerts.webhook.url"],
  ] as const)
    for (const node of part ? scalars(part, key) : []) checkMetadataAddress(node, what, findings);
}

function checkAuth(auth: MapNodeTree, findings: Findings): void {
  const [tokens, proxy] = [auth.entries.has("tokens"), mapping(auth, "proxy")];
  if (tokens && proxy) findings.error(placeOf(auth), "bad-auth", "auth has both tokens and proxy: keep one of them");
  if (!tokens && !auth.entries.has("proxy"))
    findings.error(placeOf(auth), "bad-auth", "auth has neither tokens nor proxy; write none to do without");
  const names = new Set<string>();
  for (const token of items(auth, "tokens")) {
    if (token.kind !== "map") continue;
    const [name, secret] = [scalar(token, "name"), scalar(token, "secret")];
    if (name && names.has(textOf(name)))
      findings.error(placeOf(name), "token-twice", `the token ${JSON.stringify(textOf(name))} is declared twice`);
    if (name) names.add(textOf(name));
    if (secret) checkLiteral(secret, "the secret of a token", findings);
  }
  for (const range of proxy ? items(proxy, "from") : []) checkRange(range, findings);
}

function checkLiteral(node: ScalarNode, what: string, findings: Findings): void {
  if (node.references.length > 0) return;
  findings.warning(placeOf(node), "literal-secret", `${what} stands here literally: write it as a reference, ${REFERENCE_FORMS}`);
}

function checkRange(node: TreeNode, findings: Findings): void {
  if (node.kind !== "scalar" || node.opaque || isCidr(textOf(node))) return;
  findings.error(placeOf(node), "bad-address", "from must be an address or a range in CIDR notation, such as 10.0.0.0/8 or fd00::/8");
}

function isCidr(value: string): boolean {
  const [address = "", bits, more] = value.split("/");
  if (more !== undefined || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  const four = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(address);
  const six = /^[0-9a-f:.]+$/i.test(address) && address.includes(":") && URL.canParse(`http://[${address}]/`);
  return (four || six) && Number(bits ?? 0) <= (four ? 32 : 128);
}
