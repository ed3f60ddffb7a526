import { isIPv6 } from "node:net";

export interface Rate {
  /** Requests at once. */
  burst: number;
  perSecond: number;
}

/** More addresses than these are not told apart for long: the one heard of longest ago is forgotten. */
const MAX_ADDRESSES = 10_000;

/** Token buckets per address. `take` gives 0 where the request may pass, else the seconds until the next one may. */
export function createLimit({ burst, perSecond }: Rate, monotonic: () => number): { take(address: string): number } {
  const buckets = new Map<string, { left: number; at: number }>();
  return {
    take(address) {
      const key = addressKey(address);
      const now = monotonic();
      const old = buckets.get(key);
      const left = old ? Math.min(burst, old.left + ((now - old.at) / 1_000) * perSecond) : burst;
      buckets.delete(key);
      if (buckets.size >= MAX_ADDRESSES) for (const oldest of buckets.keys()) if (buckets.delete(oldest)) break;
      buckets.set(key, { left: left >= 1 ? left - 1 : left, at: now });
      return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perSecond - 1e-6));
    },
  };
}

/** IPv4 as it is; of IPv6 the network (/64), since whoever has one address there has all. */
export function addressKey(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped?.[1] !== undefined) return mapped[1];
  if (!isIPv6(address)) return address;
  const [head = "", tail] = address.split("::");
  const first = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => "0");
  return [...first, ...zeros, ...last]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, "").toLowerCase())
    .join(":");
}
