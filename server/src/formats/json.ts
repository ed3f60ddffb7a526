/** A JSON object as JSON.parse makes it: `__proto__` is a key like any other. Read fields by fixed names, or by `Object.entries`. */
export type Json = { [key: string]: unknown };

/** True for a JSON object, false for arrays, null and scalars. */
export function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
