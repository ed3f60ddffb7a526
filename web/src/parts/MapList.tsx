import { Link } from "wouter";
import { type Graph, neighbours } from "../model/graph.ts";
import type { Names } from "../model/headline.ts";
import { faceOf } from "../model/status.ts";
import type { NodeView } from "../model/types.ts";
import { StateWord } from "./Mark.tsx";
import tables from "./table.module.css";

interface ListProps {
  graph: Graph;
  stateOf: (id: string) => NodeView | undefined;
  nameOf: (id: string) => string;
  hrefOf: (id: string) => string;
  names: Names;
}

/** The same facts as the picture, in words. */
export function MapList({ graph, stateOf, nameOf, hrefOf, names }: ListProps) {
  const ties = neighbours(graph);
  return (
    <table className={tables.table}>
      <thead>
        <tr>
          <th>node</th>
          <th>state</th>
          <th>needs</th>
          <th className={tables.opt}>needed by</th>
        </tr>
      </thead>
      <tbody>
        {graph.ids.map((id) => {
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
                <StateWord status={node?.status ?? "unknown"} explained={node !== undefined && faceOf(node) === "impacted"}>
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
              <td>
                {tie?.needs.map((edge) => `${names(edge.to)}${edge.criticality === "hard" ? "" : ` (${edge.criticality})`}`).join(", ") ||
                  "–"}
              </td>
              <td className={tables.opt}>{tie?.neededBy.map((edge) => names(edge.from)).join(", ") || "–"}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
