import type { Findings } from "./problems.ts";
import { placeOf, type ScalarNode, textOf } from "./tree.ts";

/** Names and addresses outside the link-local ranges under which clouds serve credentials to whoever asks from inside. */
const NAMES = /^(?:metadata\.goog|metadata\.google\.internal|metadata\.azure\.internal|instance-data(?:\.ec2\.internal)?)$/;
const FOUR = new Set(["100.100.100.200", "168.63.129.16", "192.0.0.192"]);
const SIX = new Set(["fd00:ec2::254", "fd20:ce::254"]);

/**
 * Whether a host, as `URL` writes it, is a cloud's metadata service or link-local. Decimal, octal and hexadecimal forms of
 * an IPv4 address are one by then; within IPv6 it is looked for as mapped and as translated (NAT64).
 */
function isMetadataHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  if (!name.startsWith("[")) return NAMES.test(name) || isFour(name);
  const six = name.slice(1, -1);
  const inside = /^(?:::ffff:|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(six);
  if (inside) return isFour(dotted(Number.parseInt(inside[1] ?? "", 16), Number.parseInt(inside[2] ?? "", 16)));
  return SIX.has(six) || /^fe[89ab][0-9a-f]:/.test(six);
}

function isFour(host: string): boolean {
  return FOUR.has(host) || /^169\.254\.\d+\.\d+$/.test(host);
}

function dotted(high: number, low: number): string {
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** Warns where an address that Headwater itself would ask is such a host; `what` begins the sentence. */
export function checkMetadataAddress(node: ScalarNode, what: string, findings: Findings): void {
  if (node.opaque || node.bad || !URL.canParse(textOf(node)) || !isMetadataHost(new URL(textOf(node)).hostname)) return;
  findings.warning(
    placeOf(node),
    "metadata-address",
    `${what} is link-local or a cloud's metadata service, which hands credentials to whoever asks: no service is watched there`,
  );
}
