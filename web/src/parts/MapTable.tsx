import type { MapView } from "headwater/contract";
import { Fragment, useState } from "react";
import { Link } from "wouter";
import { apiUrl } from "../api/client.ts";
import { copyText } from "../effects/copy.ts";
import { useShortened } from "../effects/shorten.ts";
import { setting } from "../model/time.ts";
import forms from "./form.module.css";
import { More } from "./More.tsx";
import { Section } from "./Section.tsx";
import tables from "./table.module.css";

/** Rows shown before somebody asks for all. */
const FIRST = 100;

/** Every node of the map in force: how it is watched, what it needs, and where that is written. */
export function MapTable({ map }: { map: MapView }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const { nodes, edges } = map;
  const needs = new Map<string, string[]>();
  for (const edge of edges) needs.set(edge.from, [...(needs.get(edge.from) ?? []), edge.to]);
  const { shown, more } = useShortened(nodes, FIRST);
  return (
    <Section
      title="The map as loaded"
      aside={
        <span className={forms.acts}>
          <a href={apiUrl("map/schema")} download="headwater.schema.json">
            Schema
          </a>
          <button type="button" onClick={() => void copyText(JSON.stringify(map, null, 2)).then(setCopied)}>
            {copied === null ? "Copy as JSON" : copied ? "Copied" : "Not allowed"}
          </button>
        </span>
      }
    >
      <table className={`${tables.table} ${tables.ties}`}>
        <thead>
          <tr>
            <th>node</th>
            <th className={tables.opt}>every</th>
            <th className={tables.opt}>format or kind</th>
            <th>needs</th>
            <th>place</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((node) => (
            <tr key={node.id}>
              <th scope="row" title={node.urls.join("\n")}>
                <Link href={`/nodes/${encodeURIComponent(node.id)}`} data-cursor="">
                  {node.id}
                </Link>
              </th>
              <td className={`${tables.opt} ${tables.tight}`}>{node.interval_ms === null ? "not polled" : setting(node.interval_ms)}</td>
              <td className={`${tables.opt} ${tables.tight}`}>{formatOf(node)}</td>
              <td className={tables.path}>
                <span className={tables.lead}>needs </span>
                {needs.get(node.id)?.join(", ") ?? "nothing"}
              </td>
              <td className={`${tables.tight} ${tables.place}`}>
                <MapPlace file={node.file} line={node.line} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <More of={nodes.length} onMore={more} />
    </Section>
  );
}

/** Where something is written; a narrow column breaks it after a folder. */
function MapPlace({ file, line }: { file: string; line: number }) {
  const folders = file.split("/");
  const name = folders.pop();
  return (
    <>
      {folders.map((folder, depth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a folder is known by its depth
        <Fragment key={depth}>
          {folder}/<wbr />
        </Fragment>
      ))}
      {name}:{line}
    </>
  );
}

/** The dialect that is spoken; where another is declared, both. Of what is not polled, its kind. */
function formatOf(node: MapView["nodes"][number]): string {
  if (node.format === null) return node.resource_kind ?? "–";
  if (node.detected === null) return node.format;
  return node.format === "auto" || node.format === node.detected ? node.detected : `${node.detected}, declared ${node.format}`;
}
