import type { NodeDetail } from "headwater/contract";
import { Link } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useIncidents } from "../api/incidentQueries.ts";
import { useWhatIf } from "../api/nodeQueries.ts";
import { useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { whatFailed } from "../model/headline.ts";
import { isAccountedFor } from "../model/status.ts";
import { age } from "../model/time.ts";
import { Ago } from "./Ago.tsx";
import { StateWord } from "./Mark.tsx";
import { Section, sectionStyles as styles } from "./Section.tsx";
import tables from "./table.module.css";

export function IfItFails({ id }: { id: string }) {
  const whatIf = useWhatIf(id).data;
  const board = useBoard();
  const names = useNames(board?.nodes);
  if (!whatIf) return null;
  const systems = whatIf.systems.filter((one) => one.effect !== "healthy");
  const count = whatIf.impacted.length;
  const effect =
    systems.length === 0
      ? "no system"
      : `${systems.length} ${systems.length === 1 ? "system" : "systems"}: ${systems.map((one) => `${one.name} ${one.effect}`).join(", ")}`;
  return (
    <Section title="If it fails" aside={whatIf.at_risk.length > 0 ? `${whatIf.at_risk.length} at risk` : undefined}>
      <p>
        {count === 0 ? "No other node impacted" : `${count} ${count === 1 ? "service" : "services"} impacted`}, {effect}.
      </p>
      {count > 0 && (
        <details>
          <summary className="quiet">which</summary>
          <p className="quiet">{whatIf.impacted.map((one) => `${names(one.node)} ${one.status}`).join(", ")}</p>
        </details>
      )}
    </Section>
  );
}

/** Who needs it, each with its mark: as wide as before when a state changes. */
export function Dependents({ detail }: { detail: NodeDetail }) {
  const board = useBoard();
  const names = useNames(board?.nodes);
  const { dependents } = detail;
  if (dependents.length === 0) return null;
  // The stream is ahead of the detail.
  const live = new Map(board?.nodes.map((node) => [node.id, node]));
  return (
    <Section title="What needs it" aside={`${dependents.length}`}>
      <ul className={styles.listed}>
        {dependents.map((one) => {
          const node = live.get(one.id);
          const { status } = node ?? one;
          return (
            <li key={one.id} title={status}>
              <StateWord status={status} explained={node !== undefined && isAccountedFor(node)}>
                <Link className="link" href={`/nodes/${encodeURIComponent(one.id)}`}>
                  {names(one.id)}
                </Link>{" "}
                <span className="quiet">
                  {one.criticality}
                  <span className="vh">, {status}</span>
                </span>
              </StateWord>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

export function PastIncidents({ id }: { id: string }) {
  const clock = useClock();
  const incidents = useIncidents({ node: id, limit: 10 }).data?.incidents ?? [];
  const board = useBoard();
  const names = useNames(board?.nodes);
  if (incidents.length === 0) return null;
  return (
    <Section title="Incidents" aside="newest first">
      <table className={tables.table}>
        <tbody>
          {incidents.map((one) => (
            <tr key={one.id}>
              <td className={tables.when}>{clock.day(Date.parse(one.opened_at))}</td>
              <th scope="row">{one.cause ? whatFailed(one, names) : one.kind}</th>
              <td className={tables.when}>
                <Link className="link" href={`/incidents/${one.id}`} data-cursor="">
                  incident {one.id}
                </Link>
              </td>
              <td className={tables.num}>
                {one.resolved_at ? (
                  age(Date.parse(one.resolved_at) - Date.parse(one.opened_at))
                ) : (
                  <>
                    {one.status}, <Ago at={one.opened_at} />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
