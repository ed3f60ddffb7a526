import type { LabelEdge } from "headwater/contract";
import { Link } from "wouter";
import type { Names } from "../model/headline.ts";
import { reviewWords } from "../model/labels.ts";
import tables from "./table.module.css";

/** Declared labels: how much is needed, when that was last looked at, where it is written. */
export function LabelTable({ edges, names }: { edges: readonly LabelEdge[]; names: Names }) {
  return (
    <table className={`${tables.table} ${tables.labels}`}>
      <thead>
        <tr>
          <th>service</th>
          <th>needs</th>
          <th>how much</th>
          <th className={tables.num}>reviewed</th>
          <th className={`${tables.num} ${tables.opt}`}>in doubt</th>
          <th className={tables.opt}>place</th>
        </tr>
      </thead>
      <tbody>
        {edges.map((edge) => (
          <tr key={`${edge.from}>${edge.to}`}>
            <th scope="row">
              <Link href={`/nodes/${encodeURIComponent(edge.from)}`} data-cursor="">
                {names(edge.from)}
              </Link>
            </th>
            <td>{names(edge.to)}</td>
            <td className={tables.word}>
              {edge.criticality}
              {edge.group === null ? "" : `, group ${edge.group + 1}`}
            </td>
            <td className={tables.num}>
              {edge.review_old || edge.review_age_ms === null ? <b>{reviewWords(edge)}</b> : reviewWords(edge)}
            </td>
            <td className={`${tables.num} ${tables.opt}`}>{edge.findings === 0 ? "–" : <b>{edge.findings}</b>}</td>
            <td className={tables.opt}>
              {edge.file}:{edge.line}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
