import { createSign, generateKeyPairSync, type KeyObject, randomBytes } from "node:crypto";
import { isIPv4 } from "node:net";

export interface Certificate {
  /** PEM texts. */
  cert: string;
  key: string;
}

export interface CertificateOptions {
  commonName: string;
  /** DNS names and IPv4 addresses that the certificate is for. */
  names?: readonly string[];
  /** Days from now; negative numbers lie in the past. */
  from?: number;
  to?: number;
  /** Signed by itself where there is none. */
  issuer?: Certificate & { commonName: string };
  ca?: boolean;
}

const ECDSA_SHA256 = sequence(oid("2a8648ce3d040302"));

/** Makes an X.509 certificate with a fresh P-256 key, so that tests of TLS need no tool and no file that expires. */
export function makeCertificate(options: CertificateOptions): Certificate {
  const { commonName, names = [], from = -1, to = 1, issuer, ca = false } = options;
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const extensions = [
    ...(ca ? [extension("551d13", sequence(tlv(0x01, Buffer.from([0xff]))))] : []),
    ...(names.length > 0 ? [extension("551d11", sequence(...names.map(generalName)))] : []),
  ];
  const tbs = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_SHA256,
    distinguishedName(issuer?.commonName ?? commonName),
    sequence(time(from), time(to)),
    distinguishedName(commonName),
    publicKey.export({ type: "spki", format: "der" }),
    ...(extensions.length > 0 ? [tlv(0xa3, sequence(...extensions))] : []),
  );
  const signingKey: KeyObject | string = issuer?.key ?? privateKey;
  const signature = createSign("sha256").update(tbs).sign(signingKey);
  const der = sequence(tbs, ECDSA_SHA256, tlv(0x03, Buffer.concat([Buffer.from([0]), signature])));
  const base64 = der.toString("base64").replace(/.{64}/g, "$&\n");
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  };
}

function tlv(tag: number, content: Buffer): Buffer {
  const { length } = content;
  const head = length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
}

function sequence(...parts: Buffer[]): Buffer {
  return tlv(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
  return tlv(0x06, Buffer.from(hex, "hex"));
}

function extension(hex: string, value: Buffer): Buffer {
  return sequence(oid(hex), tlv(0x04, value));
}

function generalName(name: string): Buffer {
  return isIPv4(name) ? tlv(0x87, Buffer.from(name.split(".").map(Number))) : tlv(0x82, Buffer.from(name));
}

function distinguishedName(commonName: string): Buffer {
  return sequence(tlv(0x31, sequence(oid("550403"), tlv(0x0c, Buffer.from(commonName)))));
}

function time(days: number): Buffer {
  const iso = new Date(Date.now() + days * 86_400_000).toISOString();
  return tlv(0x18, Buffer.from(`${iso.slice(0, 19).replace(/[-T:]/g, "")}Z`));
}
