import { Agent, request } from "undici";
import type { z } from "zod";

const LARGEST_ANSWER = 64 * 1_048_576;

/** Address of one route of a running Headwater whose board is at `address`; null where that is no address. */
export function serverAddress(address: string, route: string): URL | null {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) return null;
  return new URL(route, address.replace(/\/*$/, "/"));
}

/**
 * What a running Headwater answers, or why there is nothing (`noun`: no board, no labels) in one sentence that names
 * neither token nor answer.
 */
export async function ask<T extends object>(
  url: URL,
  schema: z.ZodType<T>,
  noun: string,
  timeout: number,
  token: string | undefined,
): Promise<T | string> {
  const agent = new Agent({ maxResponseSize: LARGEST_ANSWER });
  try {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const answer = await request(url, { dispatcher: agent, headers, signal: AbortSignal.timeout(timeout) });
    if (answer.statusCode === 401 || answer.statusCode === 403)
      return token ? "the token in HEADWATER_TOKEN is not taken" : "a login is needed: set HEADWATER_TOKEN to a viewer's token";
    if (answer.statusCode === 421) return "it does not go by that name; listen.hosts in its headwater.yaml lists those that it has";
    if (answer.statusCode !== 200) return `there is no ${noun}: status ${answer.statusCode}`;
    const read = schema.safeParse(await answer.body.json());
    return read.success ? read.data : `that is no ${noun} of a Headwater`;
  } catch (error) {
    if (error instanceof SyntaxError) return `that is no ${noun} of a Headwater`;
    const { code, name } = error as NodeJS.ErrnoException;
    if (name === "TimeoutError") return `no answer from ${url.origin} within ${timeout / 1_000} s: it may be wedged`;
    const refused = code === "ECONNREFUSED" ? ": nothing listens there; is headwater serve running, and at this address?" : "";
    return `no answer from ${url.origin} (${code ?? name})${refused}`;
  } finally {
    await agent.destroy();
  }
}

/** What JSON leaves as it is and a terminal would obey. */
const UNSEEN = /[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** JSON that no terminal obeys. */
export function escaped(json: string): string {
  return json.replace(UNSEEN, (char) =>
    [...Array(char.length).keys()].map((i) => `\\u${char.charCodeAt(i).toString(16).padStart(4, "0")}`).join(""),
  );
}
