import path from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../../server/src/config/parse.ts";
import { judgeFile } from "../../../server/src/config/probes/judge.ts";
import { PROBE_CLIENTS } from "../../support/probe-clients.ts";
import { PROBE_FORMS } from "../../support/probe-forms.ts";

const MAP = `defaults: { interval: 10s, timeout: 2s }
services:
  orders: { url: "http://orders.shop.svc:8080/health/deep" }
  catalog: { url: "http://catalog.shop.svc:8080/actuator/health", timeout: 5s }
  payments: { url: "http://payments.shop.svc:9000/v1/health", interval: 15s, timeout: 4s }
`;
const { map } = parseConfig([{ path: "map/shop.yaml", text: MAP }], "keep", "2026-11-29");
if (!map) throw new Error("the map is broken");

/** A manifest without its marks, and the findings that they stand for. */
function unmarked(file: string, marked: string): { text: string; expected: string[] } {
  const expected: string[] = [];
  const lines = marked.split("\n").map((line, index) => {
    const [, text, rules, end] = /^(.*?)\s*## ([\w: -]+?)(\r?)$/.exec(line) ?? [];
    if (text === undefined) return line;
    for (const rule of rules?.trim().split(" ") ?? []) expected.push(`${file}:${index + 1} ${rule}`);
    return `${text}${end}`;
  });
  return { text: lines.join("\n"), expected: expected.sort() };
}

describe("probes are judged in whatever form they are written", () => {
  test.each(Object.entries({ ...PROBE_FORMS, ...PROBE_CLIENTS }))("%s", (_, files) => {
    for (const [file, marked] of Object.entries(files)) {
      const { text, expected } = unmarked(file, marked);
      const found = judgeFile({ path: file, text }, path.basename(path.dirname(file)), map) ?? [];
      expect(found.map(({ line, rule, level }) => `${file}:${line} ${rule}${level ? `:${level}` : ""}`).sort()).toEqual(expected);
    }
  });
});

test("every finding says who acts on the probe, and what to do instead", () => {
  const messages = Object.values({ ...PROBE_FORMS, ...PROBE_CLIENTS }).flatMap((files) =>
    Object.entries(files).flatMap(
      ([file, marked]) => judgeFile({ path: file, text: unmarked(file, marked).text }, path.basename(path.dirname(file)), map) ?? [],
    ),
  );
  expect(new Set(messages.map(({ rule }) => rule)).size).toBe(15);
  for (const { message } of messages) {
    expect(message).toMatch(/The kubelet|Kubernetes|Cloud Run|App Service|Docker|Services/);
    expect(message).toMatch(/\. (?:Ask|Set|Keep|Give|Add|Let|Name|A shallow|Fine)/);
  }
});

test("aliases cannot multiply what is looked at", () => {
  let text =
    "l0: &l0 { apiVersion: apps/v1, kind: Deployment, metadata: { name: a }, spec: { template: { spec: { containers: [{ name: a, ports: [{ containerPort: 1 }] }] } } } }\n";
  for (let level = 1; level < 12; level++)
    text += `l${level}: &l${level} { apiVersion: v1, kind: List, items: [${Array(10)
      .fill(`*l${level - 1}`)
      .join(", ")}] }\n`;
  const found = judgeFile({ path: "a.yaml", text: `${text}apiVersion: v1\nkind: List\nitems: [*l11, *l11]\n` }, "", map);
  expect(found?.map(({ rule }) => rule)).toEqual(["readiness-missing"]);
});
