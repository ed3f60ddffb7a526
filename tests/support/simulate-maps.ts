import { parseMapObject } from "../../server/src/config/parse.ts";
import type { SystemMap } from "../../server/src/domain/map.ts";
import { loadTopologies, mapObjectOf } from "./cases.ts";
import { randomOf } from "./random.ts";

type Spec = { needs: Record<string, "hard" | "soft" | "informational">; instances?: number; unpolled?: boolean };

const SHOP: Record<string, Spec> = {
  gateway: { needs: { checkout: "hard", catalog: "hard", users: "hard", recs: "soft" } },
  checkout: { needs: { "orders-db": "hard", payments: "hard", users: "hard", queue: "soft", audit: "informational" } },
  payments: { needs: { "orders-db": "hard", "bank-api": "hard" }, instances: 3 },
  catalog: { needs: { "catalog-db": "hard", cache: "soft" } },
  users: { needs: { "users-db": "hard", cache: "soft", "mail-api": "soft" } },
  recs: { needs: { "recs-db": "hard", catalog: "soft" } },
  shipping: { needs: { "orders-db": "hard", queue: "hard" } },
  mailer: { needs: { queue: "hard", "mail-api": "hard" } },
  audit: { needs: { "audit-db": "hard" } },
};
const SHOP_SYSTEMS = {
  storefront: {
    members: [
      { node: "gateway", criticality: "hard" },
      { node: "recs", criticality: "soft" },
    ],
  },
  backoffice: {
    members: [
      { node: "shipping", criticality: "hard" },
      { node: "mailer", criticality: "soft" },
    ],
  },
};
/** A chain four deep whose third member nobody polls, with callers on the side. */
const CHAIN: Record<string, Spec> = {
  edge: { needs: { front: "hard", assets: "soft" } },
  front: { needs: { middle: "hard", sessions: "hard" } },
  middle: { needs: { hidden: "hard" } },
  hidden: { needs: { store: "hard" }, unpolled: true },
  store: { needs: { "store-db": "hard", disk: "hard" } },
  reports: { needs: { store: "hard", "mail-api": "soft" } },
  batch: { needs: { store: "hard", sessions: "soft" } },
  assets: { needs: { disk: "hard" } },
};
const CHAIN_SYSTEMS = {
  site: {
    members: [
      { node: "edge", criticality: "hard" },
      { node: "reports", criticality: "soft" },
    ],
  },
};

export interface MapChoice {
  flipAfter: number;
  mixed: boolean;
}

function handmade(specs: Record<string, Spec>, systems: object, choice: MapChoice, seed: string): SystemMap {
  const random = randomOf(`${seed}:map`);
  const services: Record<string, object> = {};
  const resources: Record<string, object> = {};
  for (const [id, { needs, instances = 1, unpolled }] of Object.entries(specs)) {
    for (const on of Object.keys(needs)) if (!specs[on]) resources[on] = { kind: "database" };
    const urls = Array.from({ length: instances }, (_, n) => `http://${id}-${n}.test/health`);
    const interval = choice.mixed ? ([5, 10, 30, 60, 300][Math.floor(random() * 5)] ?? 10) : 10;
    const address = unpolled ? {} : { ...(instances > 1 ? { instances: urls } : { url: urls[0] }), interval: `${interval}s` };
    services[id] = { ...address, dependencies: Object.entries(needs).map(([on, criticality]) => ({ on, criticality })) };
  }
  return accepted({
    defaults: { interval: "10s", timeout: "2s", flip_after: choice.flipAfter },
    resources,
    services,
    systems,
  });
}

function accepted(declared: object): SystemMap {
  const { map, errors } = parseMapObject(declared as Record<string, unknown>);
  if (!map) throw new Error(JSON.stringify(errors.slice(0, 3)));
  return map;
}

function topology(name: string, choice: MapChoice, seed: string): SystemMap {
  const found = loadTopologies().find((one) => one.name === name);
  if (!found) throw new Error(`no topology ${name}`);
  const random = randomOf(`${seed}:map`);
  const needed = new Set(found.edges.map(({ to }) => to));
  const polled = new Set(found.nodes.filter(({ kind }) => kind === "service" && random() < 0.92).map(({ id }) => id));
  const entries = found.nodes.filter(({ id }) => polled.has(id) && !needed.has(id));
  const declared = mapObjectOf(found, polled, 10);
  const members = entries.map(({ id }) => ({ node: id, criticality: "hard" }));
  return accepted({
    ...declared,
    defaults: { interval: "10s", timeout: "2s", flip_after: choice.flipAfter },
    ...(members.length > 0 && { systems: { product: { members } } }),
  });
}

export const MAPS = ["shop", "chain", "sock-shop", "robot-shop", "google-online-boutique", "train-ticket"] as const;
export type MapName = (typeof MAPS)[number];

/** One of the maps by name; `mixed` draws intervals that differ by a factor of sixty. */
export function mapFor(name: MapName, choice: MapChoice, seed: string): SystemMap {
  if (name === "shop") return handmade(SHOP, SHOP_SYSTEMS, choice, seed);
  if (name === "chain") return handmade(CHAIN, CHAIN_SYSTEMS, choice, seed);
  return topology(name, choice, seed);
}
