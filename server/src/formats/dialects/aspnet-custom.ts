import { pick } from "../fields.ts";
import type { Json } from "../json.ts";
import { structured } from "../structured.ts";

/** Writers of one's own around ASP.NET's three words. */
export const aspnetCustom = structured({
  name: "aspnet-custom",
  title: "ASP.NET Core health checks with a writer of one's own",
  recognised: "`status` is exactly Healthy, Degraded or Unhealthy, and checks are listed",
  mapped: "as hand-written JSON, with bare durations in milliseconds",
  matches: (value) => isAspNet(value) && Object.values(value).some((member) => typeof member === "object" && member !== null),
  habits: { unit: "ms" },
});

function isAspNet(value: Json): boolean {
  const status = pick(value, "status");
  return status === "Healthy" || status === "Degraded" || status === "Unhealthy";
}
