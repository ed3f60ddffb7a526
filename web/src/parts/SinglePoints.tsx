import { Link } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useSinglePoints } from "../api/mapQueries.ts";
import { Section } from "./Section.tsx";
import tables from "./table.module.css";

/** Nodes whose failure alone makes a system unhealthy: where a label weighs most. */
export function SinglePoints() {
  const points = useSinglePoints().data?.points;
  const systems = new Map(useBoard()?.systems.map((system) => [system.id, system.name]));
  if (!points || points.length === 0) return null;
  return (
    <Section title="Single points of failure" aside={`${points.length}, those that break most first`}>
      <table className={tables.table}>
        <thead>
          <tr>
            <th>node</th>
            <th>makes unhealthy</th>
            <th className={tables.num}>nodes</th>
          </tr>
        </thead>
        <tbody>
          {points.slice(0, 20).map((point) => (
            <tr key={point.node}>
              <th scope="row">
                <Link href={`/nodes/${encodeURIComponent(point.node)}`} data-cursor="">
                  {point.name}
                </Link>
              </th>
              <td>{point.systems.map((id) => systems.get(id) ?? id).join(", ") || "–"}</td>
              <td className={tables.num}>
                {point.unhealthy} unhealthy
                {point.degraded > 0 ? `, ${point.degraded} degraded` : ""}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
