import dns, { type LookupAddress, type LookupOptions } from "node:dns";
import type { LookupFunction } from "node:net";

type Callback = Parameters<LookupFunction>[2];

const waiting = new Map<string, Callback[]>();

/**
 * The system's name lookup, as `net.connect` wants it: anew each time, but one at a time per name. Lookups cannot be
 * cancelled and share few threads; a name service that hangs must not pile them up before those of other names.
 */
export const lookup: LookupFunction = (hostname: string, options: LookupOptions, callback: Callback) => {
  const key = JSON.stringify([hostname, options.family, options.hints, options.all, options.order]);
  const others = waiting.get(key);
  if (others) {
    others.push(callback);
    return;
  }
  const callbacks = [callback];
  waiting.set(key, callbacks);
  dns.lookup(hostname, options, (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => {
    waiting.delete(key);
    for (const each of callbacks) each(error, address, family);
  });
};
