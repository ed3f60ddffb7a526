import zlib from "node:zlib";
import type { Warning } from "../domain/observation.ts";

/** What the header says of a body, and how large it may be once inflated, in bytes. */
export interface BodyHead {
  contentType: string | null;
  contentEncoding: string | null;
  maxBody: number;
}

export type Decoded =
  | { ok: true; text: string; bytes: number; warnings: Warning[] }
  | { ok: false; outcome: "too_large" | "not_a_report"; error: string };

/** Encodings on top of each other that are undone; more are refused. */
const MAX_LAYERS = 3;

/**
 * The text of a body: inflated by `Content-Encoding`, or when it begins as gzip does; read by its BOM, its charset, or the
 * zeros of UTF-16, else as UTF-8. `bytes` counts them after inflation, which stops at `maxBody`. Never throws.
 */
export function decodeBody(bytes: Uint8Array, head: BodyHead): Decoded {
  const warnings: Warning[] = [];
  if (bytes.length > head.maxBody) return tooLarge(head.maxBody);
  try {
    const plain = inflate(bytes, head, warnings);
    return { ok: true, text: toText(plain, head.contentType, warnings), bytes: plain.length, warnings };
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE") return tooLarge(head.maxBody);
    return { ok: false, outcome: "not_a_report", error: error instanceof Unsupported ? error.message : "the body cannot be inflated" };
  }
}

function tooLarge(limit: number): Decoded {
  return { ok: false, outcome: "too_large", error: `answer larger than ${limit} bytes` };
}

class Unsupported extends Error {}

function inflate(bytes: Uint8Array, { contentEncoding, maxBody }: BodyHead, warnings: Warning[]): Uint8Array {
  let plain = bytes;
  for (const name of contentEncoding === null ? [] : layersOf(contentEncoding)) plain = undo(name, plain, maxBody, warnings);
  if (!isGzip(plain)) return plain;
  warnings.push({ code: "gzip_without_header", message: "the body is gzip, but no Content-Encoding says so" });
  return gunzip(plain, maxBody, warnings);
}

/** The encodings of a header, the one laid on last first. */
function layersOf(contentEncoding: string): string[] {
  const names = contentEncoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_LAYERS) throw new Unsupported("too many content encodings");
  return names.reverse();
}

function undo(name: string, bytes: Uint8Array, limit: number, warnings: Warning[]): Uint8Array {
  if (bytes.length === 0) return bytes;
  if (name === "gzip" || name === "x-gzip") return isGzip(bytes) ? gunzip(bytes, limit, warnings) : asItIs(bytes, name, warnings);
  if (name !== "deflate" && name !== "br") throw new Unsupported("the content encoding is not supported");
  const options = { maxOutputLength: limit };
  try {
    if (name === "br") return zlib.brotliDecompressSync(bytes, options);
    return isZlib(bytes) ? zlib.inflateSync(bytes, options) : zlib.inflateRawSync(bytes, options);
  } catch (error) {
    if (codeOf(error) === "ERR_BUFFER_TOO_LARGE" || !/^\s*[{[<"\w]/.test(Buffer.from(bytes.subarray(0, 16)).toString("latin1")))
      throw error;
    return asItIs(bytes, name, warnings);
  }
}

/** A proxy on the way has inflated the body and left the header. */
function asItIs(bytes: Uint8Array, name: string, warnings: Warning[]): Uint8Array {
  warnings.push({ code: "encoding_header_wrong", message: `Content-Encoding says ${name}, but the body is not` });
  return bytes;
}

function gunzip(bytes: Uint8Array, limit: number, warnings: Warning[]): Uint8Array {
  try {
    return zlib.gunzipSync(bytes, { maxOutputLength: limit });
  } catch (error) {
    if (codeOf(error) !== "Z_BUF_ERROR") throw error;
    warnings.push({ code: "truncated", message: "the compressed body ends too early" });
    return zlib.gunzipSync(bytes, { maxOutputLength: limit, finishFlush: zlib.constants.Z_SYNC_FLUSH });
  }
}

function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function isZlib(bytes: Uint8Array): boolean {
  const [first = 0, second = 0] = bytes;
  return (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
}

const UTF8 = new TextDecoder("utf-8");

function toText(bytes: Uint8Array, contentType: string | null, warnings: Warning[]): string {
  const charset = byMark(bytes) ?? stated(contentType, warnings) ?? byZeros(bytes);
  const text = (charset === null ? UTF8 : new TextDecoder(charset)).decode(bytes);
  if (text.includes("\uFFFD")) warnings.push({ code: "undecodable_bytes", message: `some bytes are no ${charset ?? "utf-8"} text` });
  return text;
}

function byMark([first, second]: Uint8Array): string | null {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xef && second === 0xbb ? "utf-8" : null;
}

function stated(contentType: string | null, warnings: Warning[]): string | null {
  const label = /;\s*charset\s*=\s*"?([^\s;"]{1,40})/i.exec(contentType ?? "")?.[1];
  if (label === undefined || /^utf-?8$/i.test(label)) return null;
  try {
    return new TextDecoder(label).encoding;
  } catch {
    warnings.push({ code: "unknown_charset", message: "the charset of the media type is not known; read as UTF-8" });
    return null;
  }
}

/** JSON and plain words begin with ASCII, so that a zero beside the first byte tells UTF-16. */
function byZeros([first, second]: Uint8Array): string | null {
  if (second === 0 && first) return "utf-16le";
  return first === 0 && second ? "utf-16be" : null;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
