import { Labels } from "../contract/index.ts";
import type { LabelFindingKind } from "../domain/label.ts";
import { ApiError } from "./errors.ts";
import { type Payload, payloadOf, sendPayload } from "./payload.ts";
import type { App } from "./types.ts";

/** Where judgements of labels come from; they are made elsewhere, at a bounded rate. */
export interface LabelSource {
  /** The newest one, as JSON; or why there is none. */
  latest(): Promise<{ json: Uint8Array } | { message: string }>;
  /** Findings by team (empty where none answers) and kind; null before the first judgement. */
  counts(): readonly { team: string; kind: LabelFindingKind; count: number }[] | null;
}

/** The same memory as a buffer. */
function bytesOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

/** `GET /api/v1/labels`: every label, and what history and reports say against any. */
export function labelRoutes(app: App, source: LabelSource): void {
  let made: { json: Uint8Array; payload: Payload } | null = null;

  app.get(
    "/api/v1/labels",
    {
      config: { access: "viewer" },
      schema: { summary: "Declared labels, and what history and reports say against any", response: { 200: Labels } },
    },
    async (request, reply) => {
      const latest = await source.latest();
      if ("message" in latest) throw new ApiError("unavailable", latest.message);
      if (made?.json !== latest.json) made = { json: latest.json, payload: payloadOf(bytesOf(latest.json)) };
      return sendPayload(request, reply, made.payload);
    },
  );
}
