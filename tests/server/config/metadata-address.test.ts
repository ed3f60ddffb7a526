// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references in a map are written like this.
import { describe, expect, test } from "vitest";
import { parseConfig, type References } from "../../../server/src/config/parse.ts";

function warningsOf(path: string, text: string, references: References = { env: () => undefined, file: () => undefined }) {
  const { warnings } = parseConfig([{ path, text }], references, "2026-11-29");
  return warnings.filter(({ code }) => code === "metadata-address");
}

describe("a service polled at a metadata service or a link-local address brings a warning", () => {
  test.each([
    ["AWS, Azure and most others", "169.254.169.254"],
    ["in decimal", "2852039166"],
    ["in hexadecimal", "0xA9FEA9FE"],
    ["in hexadecimal parts", "0xa9.0xfe.0xa9.0xfe"],
    ["in octal", "0251.0376.0251.0376"],
    ["in mixed forms with fewer parts", "169.0376.43518"],
    ["any other link-local address", "169.254.1.1"],
    ["container credentials of AWS", "169.254.170.2"],
    ["AWS over IPv6", "[fd00:ec2::254]"],
    ["AWS over IPv6, written out", "[fd00:0ec2:0:0:0:0:0:0254]"],
    ["Google over IPv6", "[fd20:ce::254]"],
    ["link-local IPv6", "[fe80::1]"],
    ["IPv4 within IPv6", "[::ffff:169.254.169.254]"],
    ["IPv4 behind NAT64", "[64:ff9b::a9fe:a9fe]"],
    ["Google by name", "metadata.google.internal"],
    ["Google by name, in capitals and with the root's dot", "METADATA.google.internal."],
    ["Alibaba", "100.100.100.200"],
    ["Azure's wire server", "168.63.129.16"],
    ["full-width digits", "169。254。169。254"],
  ])("%s", (_what, host) => {
    const text = `services:\n  a: { url: "http://${host}/health" }\n`;
    expect(warningsOf("map/a.yaml", text)).toEqual([
      expect.objectContaining({
        file: "map/a.yaml",
        line: 2,
        column: 13,
        message: expect.stringContaining("the address of a is link-local"),
      }),
    ]);
  });

  test("one of several instances, and one that a reference brings", () => {
    const text = 'services:\n  a: { instances: [ "http://a-1/health", "http://${HOST}/health" ] }\n';
    const references = { env: () => "169.254.169.254", file: () => undefined };
    expect(warningsOf("map/a.yaml", text, references)).toHaveLength(1);
  });
});

test.each([
  "http://metadata:8080/health",
  "http://metadata.shop.internal/health",
  "http://catalog.internal/169.254.169.254",
  "http://169.255.169.254/health",
  "http://100.100.100.201/health",
  "http://[fd00:ec2::255]/health",
  "http://[fec0::1]/health",
  "http://[::1]/health",
  "http://127.0.0.1:8080/health",
  "http://169.254.169.254.internal/health",
])("%s brings none", (url) => {
  expect(warningsOf("map/a.yaml", `services: { a: { url: "${url}" } }`)).toEqual([]);
});

test.each([
  ["canaries", 'canaries: [ "http://169.254.169.254/" ]'],
  ["heartbeat.url", 'heartbeat: { url: "http://169.254.169.254/" }'],
  ["alerts.alertmanager", 'alerts: { alertmanager: { urls: [ "http://metadata.google.internal" ] } }'],
  ["alerts.webhook.url", 'alerts: { webhook: { url: "http://2852039166/" } }'],
])("what Headwater itself would ask is looked at too: %s", (_what, text) => {
  expect(warningsOf("headwater.yaml", `${text}\n`)).toHaveLength(1);
});
