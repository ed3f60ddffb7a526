/** Headers whose values are secrets, by their names. */
const SECRET_NAME = /auth|token|key|secret|cookie|passw|credential|signature|session/i;
/** What is shorter stands in many a text by chance. */
const SHORTEST = 6;
const MASK = "***";

const known = new WeakMap<object, readonly string[]>();

/** What must not come back in an answer: the values of secret headers, whole and without their scheme. */
function secretsOf(headers: Readonly<Record<string, string>>): readonly string[] {
  let secrets = known.get(headers);
  if (!secrets) {
    const values = Object.entries(headers).flatMap(([name, value]) =>
      SECRET_NAME.test(name) ? [value, value.replace(/^\S+\s+/, "")] : [],
    );
    secrets = [...new Set(values)].filter((value) => value.length >= SHORTEST).sort((a, b) => b.length - a.length);
    known.set(headers, secrets);
  }
  return secrets;
}

/** The text of an answer without the secrets that were sent with the question, as services echo what they were sent. */
export function withoutEcho(text: string, headers: Readonly<Record<string, string>>): string {
  let out = text;
  for (const secret of secretsOf(headers)) if (out.includes(secret)) out = out.replaceAll(secret, MASK);
  return out;
}
