import { DIALECTS } from "./registry.ts";
import { wordsFor } from "./vocabulary.ts";

/** `docs/dialects.md`: what every answer means, and how each dialect is recognised and mapped. */
export function describeDialects(): string {
  return [INTRO, vocabulary(), HEAD, ...DIALECTS.map(section)].join("\n");
}

const INTRO = `# Dialects of deep endpoints

<!-- Generated from the registry in server/src/formats; the test beside it rewrites this page: vitest run --project unit -u -->

Headwater reads the answer of a deep endpoint by its shape, whatever the media type says and at any HTTP status. With \`format: auto\`,
the default, the first dialect of the list below that recognises the answer reads it; \`format: NAME\` in the map pins one. Try
\`headwater probe URL\` to see what Headwater makes of yours.

## What an answer means

A service's status is the worst of three: its own word, the class of the HTTP status, and what its components imply.

- 2xx: the body decides. Empty is healthy. HTML, and anything not recognised, gives no report, and the service is unknown.
- 3xx: no report, unknown; redirects are never followed.
- 401, 403, 404, 406 and 410: no report, unknown, since the probe is misconfigured.
- Other 4xx, and 501: as the body says, but never healthy unless the dialect uses the code; no report for what is not recognised.
- Other 5xx: unhealthy; degraded where the dialect sends it for a mere warning. With a body that no dialect reads it is possibly the gateway's word.

Further:

- A healthy word over a component that is down or degraded is at least degraded; unhealthy when that component is stated hard.
  Informational components have no effect.
- Without a word the components decide: a hard one down is unhealthy, any other down or degraded is degraded. Unknown components
  never lower a service, and nothing but unknown ones is unknown.
- A word that nobody knows is unknown, and kept for display. A number is never a status.
- Composites become their leaves, named \`parent/child\`, eight levels deep; a composite that is worse than all its leaves is kept
  as well. At most 500 components are kept, those that fail before
  those that are up. Equal names are kept apart: \`db\`, \`db#2\`.
- Latencies are milliseconds, by the unit of the dialect or of the text (\`45ms\`, \`1m3.5s\`, \`00:00:01.5\`, \`PT0.5S\`). Negative and absurd
  ones are left out.
- Times need a zone. Zero values mean never. A time in the future leaves the age unknown, with a warning.
- Error texts are cut to one redacted line of 300 characters and a category: timeout, refused, dns, tls, auth, pool_exhausted, http_5xx, error.
- Keys that come twice in one JSON object are merged to the worse value. NaN is no JSON. Several JSON documents, one a line, are one list.
  JSON of more than 20,000 members and list items, or of more than 5,000 members of one object, is not read.

## Vocabulary

Words are compared whole, without case and punctuation: \`OUT_OF_SERVICE\` is \`outofservice\`, and \`unhealthy\` holds no \`healthy\`. Short sentences of
filler and one such word count too ("Server is not ready").
`;

const HEAD = `## The dialects, in the order in which they are asked
`;

function vocabulary(): string {
  const rows = (["up", "degraded", "down", "unknown"] as const).map((status) => `- ${status}: ${wordsFor(status).sort().join(", ")}`);
  return [...rows, ""].join("\n");
}

function section({ name, title, recognised, mapped }: (typeof DIALECTS)[number]): string {
  return `### \`${name}\`\n\n${title}.\n\n- Recognised: ${recognised}.\n- Mapped: ${mapped}.\n`;
}
