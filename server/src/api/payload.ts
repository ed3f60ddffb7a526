import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";

const zip = promisify(gzip);

/** JSON that is encoded once and shared by everyone who asks; zipped when the first one wants it so, off this thread. */
export interface Payload {
  raw: Buffer;
  zipped(): Promise<Buffer>;
}

/** Members of a JSON list or object, each as bytes of its own: one long text of them all would take too long at once. */
export class Members {
  readonly #parts: Buffer[] = [];

  /** Adds one, as JSON. */
  add(text: string): void {
    this.#parts.push(Buffer.from(this.#parts.length > 0 ? `,${text}` : text));
  }

  /** All of them between two brackets. */
  between(open: "[" | "{", close: "]" | "}"): Buffer[] {
    return [Buffer.from(open), ...this.#parts, Buffer.from(close)];
  }
}

export function payloadOf(raw: Buffer): Payload {
  let zipped: Promise<Buffer> | null = null;
  return {
    raw,
    zipped() {
      zipped ??= zip(raw, { level: 4 });
      return zipped;
    },
  };
}

/** Answers with a payload, zipped for those who accept that. */
export async function sendPayload(request: FastifyRequest, reply: FastifyReply, payload: Payload): Promise<FastifyReply> {
  reply.type("application/json; charset=utf-8").header("vary", "accept-encoding");
  if (payload.raw.length < 1_024 || !acceptsGzip(request.headers["accept-encoding"])) return reply.send(payload.raw);
  return reply.header("content-encoding", "gzip").send(await payload.zipped());
}

/** Whether an Accept-Encoding header allows gzip; `gzip;q=0` does not. */
function acceptsGzip(header: string | string[] | undefined): boolean {
  return [header ?? ""]
    .flat()
    .join(",")
    .split(",")
    .some((part) => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      return (name === "gzip" || name === "*") && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    });
}
