import zlib from "node:zlib";
import { describe, expect, test } from "vitest";
import { decodeBody } from "../../../server/src/poller/body.ts";

const TEXT = '{"status":"UP","où":"été"}';
const head = { contentType: "application/json" as string | null, contentEncoding: null as string | null, maxBody: 262_144 };
const utf16 = (text: string, big: boolean, mark: boolean) => {
  const buffer = Buffer.from((mark ? "\uFEFF" : "") + text, "utf16le");
  return big ? buffer.swap16() : buffer;
};

describe("bytes to text", () => {
  test.each([
    ["plain UTF-8", Buffer.from(TEXT), {}, []],
    ["UTF-8 with a BOM", Buffer.from(`\uFEFF${TEXT}`), {}, []],
    ["Latin-1 by its charset", Buffer.from(TEXT, "latin1"), { contentType: "application/json; charset=ISO-8859-1" }, []],
    ["a quoted charset", Buffer.from(TEXT, "latin1"), { contentType: 'text/plain; charset="windows-1252"' }, []],
    ["UTF-16 LE with a BOM", utf16(TEXT, false, true), {}, []],
    ["UTF-16 BE with a BOM", utf16(TEXT, true, true), {}, []],
    ["UTF-16 LE by its zeros", utf16(TEXT, false, false), {}, []],
    ["UTF-16 BE by its zeros", utf16(TEXT, true, false), {}, []],
    ["gzip", zlib.gzipSync(TEXT), { contentEncoding: "gzip" }, []],
    ["x-gzip in capitals", zlib.gzipSync(TEXT), { contentEncoding: "X-GZIP" }, []],
    ["deflate", zlib.deflateSync(TEXT), { contentEncoding: "deflate" }, []],
    ["raw deflate", zlib.deflateRawSync(TEXT), { contentEncoding: "deflate" }, []],
    ["brotli", zlib.brotliCompressSync(TEXT), { contentEncoding: "br" }, []],
    ["one on top of the other", zlib.brotliCompressSync(zlib.gzipSync(TEXT)), { contentEncoding: "gzip, br" }, []],
    ["gzip without a header", zlib.gzipSync(TEXT), {}, ["gzip_without_header"]],
    ["a header without gzip", Buffer.from(TEXT), { contentEncoding: "gzip" }, ["encoding_header_wrong"]],
    ["a header without brotli", Buffer.from(TEXT), { contentEncoding: "br" }, ["encoding_header_wrong"]],
    ["a charset nobody knows", Buffer.from(TEXT), { contentType: "text/plain; charset=klingon" }, ["unknown_charset"]],
  ])("%s", (_name, bytes, change, codes) => {
    const decoded = decodeBody(bytes, { ...head, ...change });
    expect(decoded).toMatchObject({ ok: true, text: TEXT });
    expect(decoded.ok && decoded.warnings.map(({ code }) => code)).toEqual(codes);
  });

  test("bytes that are no text of the charset are replaced, with a warning", () => {
    const decoded = decodeBody(Buffer.from('{"status":"é"}', "latin1"), head);
    expect(decoded).toMatchObject({ ok: true, text: '{"status":"\uFFFD"}', warnings: [{ code: "undecodable_bytes" }] });
  });

  test("what is left of a gzip body that ends too early is read, with a warning", () => {
    const whole = zlib.gzipSync(JSON.stringify(Array.from({ length: 400 }, (_unused, index) => `check-${index * 7919}`)));
    const decoded = decodeBody(whole.subarray(0, whole.length - 200), { ...head, contentEncoding: "gzip" });
    expect(decoded).toMatchObject({ ok: true, warnings: [{ code: "truncated" }] });
    expect(decoded.ok && decoded.text.startsWith('["check-0"')).toBe(true);
  });

  test("the size after inflation is counted", () => {
    expect(decodeBody(zlib.gzipSync("x".repeat(1_000)), { ...head, contentEncoding: "gzip" })).toMatchObject({ ok: true, bytes: 1_000 });
  });

  test.each([
    ["gzip", zlib.gzipSync(Buffer.alloc(1_000_000)), "gzip"],
    ["unlabelled gzip", zlib.gzipSync(Buffer.alloc(1_000_000)), null],
    ["brotli", zlib.brotliCompressSync(Buffer.alloc(1_000_000)), "br"],
    ["deflate", zlib.deflateSync(Buffer.alloc(1_000_000)), "deflate"],
    ["plain", Buffer.alloc(300_000), null],
  ])("a body that outgrows its limit is too large: %s", (_name, bytes, contentEncoding) => {
    expect(decodeBody(bytes, { ...head, contentEncoding })).toEqual({
      ok: false,
      outcome: "too_large",
      error: "answer larger than 262144 bytes",
    });
  });

  test.each([
    ["zstd", Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), "zstd", "the content encoding is not supported"],
    ["a broken gzip", Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xff, 0xff, 0xff, 0xff]), "gzip", "the body cannot be inflated"],
    ["a pile of encodings", Buffer.from("x"), "gzip, gzip, gzip, gzip", "too many content encodings"],
  ])("what cannot be undone is no report: %s", (_name, bytes, contentEncoding, error) => {
    expect(decodeBody(bytes, { ...head, contentEncoding })).toEqual({ ok: false, outcome: "not_a_report", error });
  });
});
