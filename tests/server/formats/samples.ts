import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** One judged answer of `tests/fixtures/health` or `tests/fixtures/judged.json`. */
export interface Sample {
  name: string;
  httpStatus: number;
  contentType: string | null;
  headers: Record<string, string>;
  body: Buffer;
  expected: Expected;
}

export interface Expected {
  service_status: string;
  also_acceptable?: string[];
  components: ExpectedComponent[] | null;
  components_match: "exact" | "names_free" | "subset" | "any";
}

interface ExpectedComponent {
  name: string;
  status: string;
  latency_ms?: number;
  error?: string;
  criticality?: string;
  last_checked?: string;
}

/** What is judged of a report; both the pure function's and the command's are brought into this shape. */
export interface Seen {
  status: string;
  components: readonly {
    name: string;
    status: string;
    criticality?: string | undefined;
    latencyMs?: number | undefined;
    error?: string | undefined;
  }[];
}

const FOLDER = join(import.meta.dirname, "../../fixtures/health");

/** All judged answers. */
export function samples(): Sample[] {
  return [...given(), ...judged()];
}

interface Judged {
  name: string;
  status: number;
  media: string | null;
  headers?: Record<string, string>;
  /** A text as it is sent, or JSON; of what is neither, the bytes in base64. */
  body?: unknown;
  base64?: string;
  expected: Expected;
}

/** Answers of our own, judged by the rules before they were read for the first time. */
function judged(): Sample[] {
  const list: Judged[] = JSON.parse(readFileSync(join(FOLDER, "../judged.json"), "utf8"));
  return list.map(({ name, status, media, headers = {}, body, base64, expected }) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const bytes = base64 === undefined ? Buffer.from(text) : Buffer.from(base64, "base64");
    return { name, httpStatus: status, contentType: media, headers, body: bytes, expected };
  });
}

function given(): Sample[] {
  const files = readdirSync(FOLDER);
  return files
    .filter((file) => file.endsWith(".meta.json"))
    .sort()
    .map((file) => {
      const name = file.replace(".meta.json", "");
      const meta = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
      const body = files.find((other) => other.startsWith(`${name}.`) && !other.endsWith(".meta.json"));
      return {
        name,
        httpStatus: meta.http_status ?? 200,
        contentType: meta.content_type ?? null,
        headers: meta.headers ?? {},
        body: body ? readFileSync(join(FOLDER, body)) : Buffer.alloc(0),
        expected: meta.expected,
      };
    });
}

/** Null when the report is as expected, else what is wrong with it. */
export function judge(expected: Expected, seen: Seen | null): string | null {
  const status = seen?.status ?? "unknown";
  const wanted = [expected.service_status, ...(expected.also_acceptable ?? [])];
  if (!wanted.includes(status)) return `status ${status}, want ${wanted.join(" or ")}`;
  if (expected.components === null || expected.components_match === "any") return null;
  const components = seen?.components ?? [];
  if (expected.components_match === "names_free") {
    const list = (all: readonly { status: string }[]) =>
      all
        .map((one) => one.status)
        .sort()
        .join();
    return list(components) === list(expected.components) ? null : `components ${list(components)}, want ${list(expected.components)}`;
  }
  for (const want of expected.components) {
    const wrong = judgeOne(
      want,
      components.find(({ name }) => name === want.name),
    );
    if (wrong) return `${want.name}: ${wrong}`;
  }
  if (expected.components_match === "exact" && components.length !== expected.components.length) {
    return `${components.map(({ name }) => name).join()}: ${components.length} components, want ${expected.components.length}`;
  }
  return null;
}

function judgeOne(want: ExpectedComponent, have: Seen["components"][number] | undefined): string | null {
  if (!have) return "missing";
  if (have.status !== want.status) return `${have.status}, want ${want.status}`;
  if (want.criticality && have.criticality !== want.criticality) return `${have.criticality}, want ${want.criticality}`;
  if (want.latency_ms === undefined && have.latencyMs !== undefined) return `an invented latency ${have.latencyMs}`;
  const wrong =
    want.latency_ms !== undefined && Math.abs((have.latencyMs ?? Number.NaN) - want.latency_ms) <= Math.max(0.5, want.latency_ms * 0.01);
  if (want.latency_ms !== undefined && !wrong) return `latency ${have.latencyMs}, want ${want.latency_ms}`;
  const flat = (text: string | undefined) => (text ?? "").replace(/\s+/g, " ").trim();
  if (want.error !== undefined && flat(have.error) !== flat(want.error)) return `error ${have.error}, want ${want.error}`;
  return null;
}
