import { useMemo, useState } from "react";
import { Link } from "wouter";
import { type Graph, neighbours } from "../model/graph.ts";
import type { Names } from "../model/headline.ts";
import type { Mark } from "../model/status.ts";
import type { NodeView } from "../model/types.ts";
import { StateWord } from "./Mark.tsx";
import { sectionStyles as styles } from "./Section.tsx";
import tables from "./table.module.css";

interface ListProps {
  graph: Graph;
  stateOf: (id: string) => NodeView | undefined;
  markAt: (id: string) => Mark;
  nameOf: (id: string) => string;
  hrefOf: (id: string) => string;
  names: Names;
}

/** Rows that are listed at once; a table of thousands would hold up the page. */
const PAGE = 300;
/** Neighbours that are named; a node's own page has all. */
const TIES = 30;

const more = (count = 0): string => (count > TIES ? ` and ${count - TIES} more` : "");

/** The same facts as the picture, in words. */
export function MapList({ graph, stateOf, markAt, nameOf, hrefOf, names }: ListProps) {
  const ties = useMemo(() => neighbours(graph), [graph]);
  const [most, setMost] = useState(PAGE);
  const left = graph.ids.length - most;
  return (
    <>
      <table className={`${tables.table} ${tables.ties}`}>
        <thead>
          <tr>
            <th>node</th>
            <th>state</th>
            <th>needs</th>
            <th className={tables.opt}>needed by</th>
          </tr>
        </thead>
        <tbody>
          {graph.ids.slice(0, most).map((id) => {
            const node = stateOf(id);
            const tie = ties.get(id);
            return (
              <tr key={id}>
                <th scope="row">
                  <Link href={hrefOf(id)} data-cursor="">
                    {nameOf(id)}
                  </Link>
                </th>
                <td>
                  <StateWord status={node?.status ?? "unknown"} explained={markAt(id).tone === "grey"}>
                    {node?.status ?? "unknown"}
                    {node?.role === "root_cause"
                      ? ", cause"
                      : node?.role === "impacted"
                        ? ", impacted"
                        : node?.role === "at_risk"
                          ? ", at risk"
                          : ""}
                  </StateWord>
                </td>
                <td className={tables.path}>
                  <span className={tables.lead}>needs </span>
                  {tie?.needs
                    .slice(0, TIES)
                    .map((edge) => `${names(edge.to)}${edge.criticality === "hard" ? "" : ` (${edge.criticality})`}`)
                    .join(", ") || "nothing"}
                  {more(tie?.needs.length)}
                </td>
                <td className={tables.opt}>
                  {tie?.neededBy
                    .slice(0, TIES)
                    .map((edge) => names(edge.from))
                    .join(", ") || "–"}
                  {more(tie?.neededBy.length)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {left > 0 && (
        <p className={styles.sub}>
          {most} of {graph.ids.length} are listed.{" "}
          <button type="button" className="link" onClick={() => setMost(most + PAGE)}>
            {Math.min(PAGE, left)} more
          </button>
        </p>
      )}
    </>
  );
}
