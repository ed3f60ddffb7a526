import { describe, expect, test } from "vitest";
import { normalise } from "../../../server/src/formats/index.ts";
import { judge, samples } from "./samples.ts";

/** Later than every time in the samples but the one that is meant to lie in the future. */
const NOW = Date.parse("2031-03-04T23:15:00Z");

describe("the judged answers", () => {
  test.each(samples().map((sample) => [sample.name, sample] as const))("%s", (_name, { httpStatus, contentType, body, expected }) => {
    const text = contentType?.includes("8859-1") ? body.toString("latin1") : body.toString("utf8");
    const { report } = normalise({ httpStatus, contentType, text, receivedAt: NOW }, "auto");
    expect(judge(expected, report)).toBeNull();
    if (expected.components_match === "any") return;
    for (const want of expected.components ?? []) {
      const have = report?.components.find(({ name }) => name === want.name);
      if (have && want.last_checked) expect(have.lastChecked).toBe(Date.parse(want.last_checked));
    }
  });
});
