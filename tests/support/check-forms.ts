const base = `teams: { t: {} }\nresources:\n  db: { kind: database, team: t }\n`;
const svc = (body: string) => `${base}services:\n  a:\n    team: t\n    url: http://a.internal/health/deep\n${body}`;
const deps = (body: string) => svc(`    dependencies:\n${body}`);
const ok = `    dependencies: [{ on: db, criticality: hard }]\n`;
/** Maps with what is to be found in them: `## E:word|word` at the end of a line is an error there, `## W:` a warning. */
export const CHECK_FORMS: Record<string, string> = {
  "url-user-only": `${base}services:\n  a:\n    team: t\n    url: http://user@a.internal/x ## E:user\n${ok}`,
  "url-ftp": `${base}services:\n  a:\n    team: t\n    url: ftp://a.internal/x ## E:http\n${ok}`,
  "url-upper-fine": `${base}services:\n  a:\n    team: t\n    url: HTTP://A.INTERNAL/x\n${ok}`,
  "url-no-scheme": `${base}services:\n  a:\n    team: t\n    url: //a.internal/x ## E:http\n${ok}`,
  "url-number": `${base}services:\n  a:\n    team: t\n    url: 8080 ## E:url\n${ok}`,
  "url-bad-port": `${base}services:\n  a:\n    team: t\n    url: http://a.internal:99999/x ## E:port\n${ok}`,
  "instances-text": `${base}services:\n  a:\n    team: t\n    instances: http://a.internal/x ## E:list\n${ok}`,
  "instances-twice": `${base}services:\n  a:\n    team: t\n    instances:\n      - http://a.internal/x\n      - http://a.internal:80/x ## W:twice\n${ok}`,
  "instances-need": `${base}services:\n  a:\n    team: t\n    instances: [http://a1/x, http://a2/x]\n    need: 3 ## E:need\n${ok}`,
  "need-single": deps(`      - on: db\n        need: 1 ## E:need\n        criticality: hard\n`),
  "need-zero": `${deps(`      - on: [db, c]\n        need: 0 ## E:least|need\n        criticality: hard\n`)}  c: { team: t, url: http://c/x }\n`,
  "need-fraction": `${deps(`      - on: [db, c]\n        need: 1.5 ## E:whole\n        criticality: hard\n`)}  c: { team: t, url: http://c/x }\n`,
  "on-empty": deps(`      - on: [] ## E:empty\n        criticality: hard\n      - { on: db, criticality: hard }\n`),
  "on-twice": deps(`      - on: [db, db] ## E:twice\n        criticality: hard\n`),
  "on-missing": deps(`      - criticality: hard ## E:on\n      - { on: db, criticality: soft }\n`),
  "edge-string": deps(`      - db ## E:mapping|must\n      - { on: db, criticality: soft }\n`),
  ...Object.fromEntries(
    ["10", "10 s", "0s", "-5s", "1h30m", "10S", "1.5s", "ten", "[]"].map((v) => [
      `interval-${v}`,
      svc(`    interval: ${v} ## E:duration|unit|must\n${ok}`),
    ]),
  ),
  "interval-below-default-timeout": svc(`    interval: 500ms ## E:timeout\n${ok}`),
  "timeout-equal": svc(`    interval: 5s\n    timeout: 5s ## E:timeout\n${ok}`),
  "max-age-below": svc(`    interval: 30s\n    max_age: 20s ## E:max_age|age\n${ok}`),
  inherited: `defaults: { interval: 5s }\n${svc(`    timeout: 6s ## E:timeout\n${ok}`)}`,
  "id-upper": `${base}services:\n  Orders: ## E:id\n    team: t\n    url: http://a/x\n${ok}`,
  "id-dash-end": `${base}services:\n  a-: ## E:id\n    team: t\n    url: http://a/x\n${ok}`,
  "id-number-fine": `${base}services:\n  123:\n    team: t\n    url: http://a/x\n${ok}`,
  "id-true-fine": `${base}services:\n  true:\n    team: t\n    url: http://a/x\n${ok}`,
  "id-reference": `${base}services:\n  \u0024{X}: ## E:id\n    team: t\n    url: http://a/x\n${ok}`,
  "renamed-from-self": svc(`    renamed_from: a ## E:renamed|use\n${ok}`),
  "renamed-twice": `${svc(`    renamed_from: old\n${ok}`)}  b:\n    team: t\n    url: http://b/x\n    renamed_from: old ## E:old\n`,
  maintenance:
    svc(ok) +
    `maintenance:\n  - nodes: [dbb] ## E:db\n    from: 2027-03-06T22:00\n    to: 2027-03-07T02:00\n  - nodes: [db]\n    from: 2027-03-08T22:00\n    to: 2027-03-07T02:00 ## E:end|before|to\n  - nodes: [db]\n    from: 2027-03-06T22:00Z ## E:local|offset\n    to: 2027-03-07T02:00\n  - nodes: [db]\n    from: 2027-03-06T22:00\n    to: 2027-03-07T02:00\n    zone: Mars/Base ## E:zone\n  - from: 2027-03-06T22:00 ## E:nodes\n    to: 2027-03-07T02:00\n`,
  headers: svc(`    headers:\n      "x team": a ## E:header\n      x-y: "a\\nb" ## E:header|line\n      x-n: 7\n${ok}`),
  "literal-secret": svc(`    headers:\n      Authorization: Basic dXNlcjpodW50ZXIy ## W:secret\n${ok}`),
  "system-member":
    svc(ok) +
    `systems:\n  s:\n    members:\n      - { node: a, criticality: hard }\n      - { node: a, criticality: soft } ## E:twice\n      - { node: bb, criticality: soft } ## E:bb\n      - { node: s, criticality: soft } ## E:system\n      - { node: db } ## E:criticality\n`,
  self: deps(`      - { on: a, criticality: hard } ## E:itself\n      - { on: db, criticality: hard }\n`),
  cycle3: `teams: { t: {} }\nservices:\n  a: { team: t, url: "http://a/x", dependencies: [{ on: b, criticality: hard }] } ## W:cycle\n  b: { team: t, url: "http://b/x", dependencies: [{ on: c, criticality: hard }] }\n  c: { team: t, url: "http://c/x", dependencies: [{ on: a, criticality: hard }] }\n`,
  "key-twice": `${base}services:\n  a: { team: t, url: "http://a/x" }\n  a: { team: t, url: "http://b/x" } ## E:twice\n`,
  "section-twice": `teams: { t: {} }\nservices: { a: { team: t, url: "http://a/x" } }\nservices: { b: { team: t, url: "http://b/x" } } ## E:twice\n`,
  "field-twice": svc(`    team: t ## E:twice\n${ok}`),
  "alias-unknown": `${base}services:\n  a: *nope ## E:anchor|alias\n`,
  "quote-open": `${base}services:\n  a:\n    team: "t ## E:\n    url: http://a/x\n`,
  "two-docs": `${svc(ok)}---\nservices: {} ## E:document\n`,
  "reference-open": svc(`    headers: { x-a: "\u0024{X" } ## E:reference|{\n${ok}`),
  "reference-file": svc(`    headers: { x-a: "\u0024{file:/nonexist/x}" } ## E:file\n${ok}`),
  "reference-missing": svc(`    headers: { x-a: "\u0024{NOT_SET_ANYWHERE}" } ## E:NOT_SET_ANYWHERE\n${ok}`),
  ...Object.fromEntries(
    ["HARD", "true", "critical", "[hard]"].map((v) => [
      `criticality-${v}`,
      deps(`      - { on: db, criticality: ${v} } ## E:criticality|hard\n`),
    ]),
  ),
  "criticality-null": deps(`      - on: db ## E:criticality\n        criticality:\n`),
  "key-critical": deps(`      - on: db\n        critical: hard ## E:criticality\n`),
  ...Object.fromEntries(
    ["2026-13-01", "2026-02-30", "26-01-01", "2026-10-01T00:00:00Z", "yesterday", "20261001"].map((v) => [
      `reviewed-${v}`,
      deps(`      - { on: db, criticality: hard, reviewed: ${v} } ## E:date\n`),
    ]),
  ),
  "owner-unknown": deps(`      - { on: db, criticality: hard, owner: tt } ## E:tt\n`),
  "owner-list": deps(`      - { on: db, criticality: hard, owner: [t] } ## E:owner\n`),
  "tags-nested": svc(`    tags: { a: { b: c } } ## E:tags|text\n${ok}`),
  "format-near": svc(`    format: sprng-actuator ## E:spring-actuator\n${ok}`),
  "public-yes": `${svc(ok)}systems:\n  s:\n    public: yes ## E:true\n    members: [{ node: a, criticality: hard }]\n`,
  "services-list": `teams: { t: {} }\nservices: ## E:mapping\n  - a\n`,
  "key-service": `${base}service: {} ## E:services\nservices: { a: { team: t, url: "http://a/x", dependencies: [{ on: db, criticality: hard }] } }\n`,
  "key-depends": svc(`    dependancies: [{ on: db, criticality: hard }] ## E:dependencies\n`),
  "team-as-node": deps(`      - { on: t, criticality: hard } ## E:t\n      - { on: db, criticality: hard }\n`),
  unused: `${base}  other: { team: t } ## W:unused|nothing|no service\nservices: { a: { team: t, url: "http://a/x", dependencies: [{ on: db, criticality: hard }] } }\n`,
  "never-known": `teams: { t: {} }\nservices:\n  a: { team: t } ## W:known|nobody|nothing\n  b: { team: t, url: "http://b/x" }\n`,
  ...Object.fromEntries(
    ["/livez", "/health/live", "/actuator/health/liveness", "/ping", "/healthz/live"].map((p) => [
      `live-${p.replaceAll("/", "_")}`,
      `${base}services:\n  a:\n    team: t\n    url: http://a.internal${p} ## W:liveness\n${ok}`,
    ]),
  ),
  "flip-zero": svc(`    flip_after: 0 ## E:least\n${ok}`),
  "flip-text": svc(`    flip_after: "3" ## E:number\n${ok}`),
  "component-both": `${base}  c2: { kind: cache, team: t }\nservices:\n  a:\n    team: t\n    url: http://a/x\n    dependencies:\n      - { on: db, component: x, criticality: hard }\n      - { on: c2, component: [y, x], criticality: soft } ## E:x\n`,
  "component-is-other-id": `${base}  c2: { kind: cache, team: t }\nservices:\n  a:\n    team: t\n    url: http://a/x\n    dependencies:\n      - { on: db, component: c2, criticality: hard }\n      - { on: c2, criticality: soft } ## E:c2\n`,
  "nulls-fine": `${base}services:\n  a: { team: t, url: "http://a/x", tags: , links: , headers: , dependencies: }\n  b: { team: t, url: "http://b/x", dependencies: [{ on: db, criticality: soft }] }\nsystems:\n`,
  "tls-half": svc(`    tls: { cert: c.pem } ## E:needs both E:cannot be read\n${ok}`),
  "depends-on-system":
    svc(`    dependencies:\n      - { on: shop, criticality: hard } ## E:system\n      - { on: db, criticality: hard }\n`) +
    "systems: { shop: { members: [{ node: a, criticality: hard }] } }\n",
  "both-edges": deps(`      - { on: db, criticality: hard }\n      - { on: db, criticality: soft } ## E:twice\n`),
  "url-and-instances": svc(`    instances: [http://a2/x] ## E:instances\n${ok}`),
  "future-review": deps(`      - { on: db, criticality: hard, reviewed: 2099-01-01 } ## W:future\n`),
  "no-owner": `resources: { db: {} }\nservices:\n  a:\n    url: http://a/x\n    dependencies:\n      - { on: db, criticality: hard } ## W:owner\n`,
  "unicode-did-you-mean": `${base}services:\n  a: { team: t, url: "http://a/x", dependencies: [{ on: d-b, criticality: hard }] } ## E:db\n`,
};
