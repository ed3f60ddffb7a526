import { everyItem, structured } from "../structured.ts";

/** Vert.x health checks: procedures have an `id` and may be nested; older versions have only `outcome` at the top. */
export const vertx = structured({
  name: "vertx",
  title: "Eclipse Vert.x health checks",
  recognised: "`checks` is a list of objects with `id` and `status`, beside `outcome`",
  mapped: "nested checks to leaves `parent/child`; the error is `data.cause`",
  matches: (value) =>
    typeof value.outcome === "string" && everyItem(value.checks, (check) => typeof check.id === "string" && !("name" in check)),
});
