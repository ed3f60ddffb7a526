import { isObject, textOf } from "../json.ts";
import { structured } from "../structured.ts";

/** Atlassian Statuspage, the public pages of many hosted services: `none` is the good indicator. */
export const statuspage = structured({
  name: "statuspage",
  title: "Atlassian Statuspage `status.json` and `summary.json`",
  recognised: "`page`, and `status` is an object with `indicator`",
  mapped:
    "indicator none healthy, minor and major degraded, critical unhealthy; components by their status, those under maintenance unknown",
  matches: (value) => isObject(value.page) && isObject(value.status) && textOf(value.status.indicator) !== null,
  adjust: (reading, value) =>
    isObject(value.status) && value.status.indicator === "none" ? { ...reading, word: { status: "up" } } : reading,
});
