import { readCheck } from "../check.ts";
import type { Dialect, Document } from "../dialect.ts";
import { isObject, type Json, textOf } from "../json.ts";
import { hasNoOther } from "../structured.ts";
import { wordOf } from "../word.ts";

/** Kibana: the word is `status.overall`, the rest only for those who may see it. */
export const kibana: Dialect = {
  name: "kibana",
  title: "Kibana `/api/status`",
  recognised: "`status` is an object with `overall`",
  mapped: "`core/…` hard, `plugins/…` soft; the error is `summary`; version 7 lists `statuses` by `id`",
  kinds: ["object"],
  matches: (doc) => isObject(doc.value) && isObject(doc.value.status) && isObject(doc.value.status.overall) && hasNoOther(doc),
  normalise(doc) {
    if (!isObject(doc.value) || !isObject(doc.value.status)) return null;
    const { overall, core, plugins, statuses } = doc.value.status;
    addAll(doc, "core", core, "hard");
    addAll(doc, "plugins", plugins, "soft");
    for (const status of Array.isArray(statuses) ? statuses : [])
      if (isObject(status)) add(doc, textOf(status.id) ?? "status", status, null);
    const word = isObject(overall) ? wordOf(overall.level ?? overall.state) : null;
    return word ? { word } : { word, rawWord: "" };
  },
};

function addAll(doc: Document, group: string, members: unknown, criticality: "hard" | "soft"): void {
  if (!isObject(members)) return;
  for (const [name, member] of Object.entries(members)) if (isObject(member)) add(doc, `${group}/${name}`, member, criticality);
}

function add(doc: Document, name: string, member: Json, criticality: "hard" | "soft" | null): void {
  const check = readCheck({ status: member.level ?? member.state });
  const error = textOf(member.summary) ?? textOf(member.message);
  doc.components.add({ name, status: check.word?.status ?? "unknown", criticality, error, raw: check.raw });
}
