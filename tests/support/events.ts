import { get, type IncomingMessage } from "node:http";

interface ServerEvent {
  event: string;
  id: string | null;
  data: unknown;
}

/** A viewer of an event stream over a real socket. */
export interface Viewer {
  response: IncomingMessage;
  /** The next event, whenever it comes. */
  next(): Promise<ServerEvent>;
  /** Resolves when the server, or `leave`, has ended the stream. */
  ended: Promise<void>;
  leave(): void;
}

export function watch(url: string, headers: Record<string, string> = {}): Promise<Viewer> {
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, (response) => {
      const events: ServerEvent[] = [];
      const waiting: ((event: ServerEvent) => void)[] = [];
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
          const event = parse(text.slice(0, end));
          text = text.slice(end + 2);
          if (!event) continue;
          const taker = waiting.shift();
          if (taker) taker(event);
          else events.push(event);
        }
      });
      response.on("error", () => {});
      resolve({
        response,
        next: () =>
          new Promise((take) => {
            const event = events.shift();
            if (event) take(event);
            else waiting.push(take);
          }),
        ended: new Promise((end) => response.once("close", () => end())),
        leave: () => request.destroy(),
      });
    });
    request.once("error", reject);
  });
}

/** Null for a block without an event, such as `retry: 2000`. */
function parse(block: string): ServerEvent | null {
  const fields = new Map(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
  const data = fields.get("data");
  return data === undefined ? null : { event: fields.get("event") ?? "message", id: fields.get("id") ?? null, data: JSON.parse(data) };
}
