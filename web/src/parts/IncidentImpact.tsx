import type { IncidentDetail } from "headwater/contract";
import { useState } from "react";
import { Link } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useMap } from "../api/mapQueries.ts";
import { impactSentence, type Names, stillWaiting } from "../model/headline.ts";
import { impactBySystem, impactByTeam } from "../model/impact.ts";
import { offset } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import { StateWord } from "./Mark.tsx";
import { Section, sectionStyles as styles } from "./Section.tsx";
import tables from "./table.module.css";

interface Props {
  detail: IncidentDetail;
  nodes: readonly NodeView[];
  names: Names;
}

/** Who suffers, by team or by system, each with its way to the cause. */
export function IncidentImpact({ detail, nodes, names }: Props) {
  const [by, setBy] = useState<"team" | "system">("team");
  const map = useMap().data;
  const systems = useBoard()?.systems ?? [];
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const contacts = new Map(map?.teams.map((team) => [team.id, team.contact]));
  const edges = new Map(map?.edges.map((edge) => [`${edge.from}>${edge.to}`, edge.criticality]));
  const groups = by === "team" ? impactByTeam(detail, byId, contacts) : impactBySystem(detail, systems);
  const count = detail.impacted.length;
  return (
    <Section
      title={
        count === 0
          ? "Impact"
          : detail.status === "recovering"
            ? `Waiting for a good result: ${stillWaiting(detail, nodes)} of ${count}`
            : `${count} impacted`
      }
      aside={
        count > 0 && systems.length > 0 ? (
          <span className={styles.ranges}>
            {(["team", "system"] as const).map((one) => (
              <button type="button" key={one} aria-pressed={by === one} onClick={() => setBy(one)}>
                by {one}
              </button>
            ))}
          </span>
        ) : undefined
      }
    >
      <Summary detail={detail} names={names} systems={new Map(systems.map((system) => [system.id, system.name]))} />
      {count === 0 ? (
        <p className="quiet">{impactSentence(detail, nodes)}</p>
      ) : (
        <table className={`${tables.table} ${tables.paths}`}>
          <thead>
            <tr>
              <th>service</th>
              <th>{detail.status === "resolved" ? "state now" : "state"}</th>
              <th>path to the cause</th>
              <th className={tables.opt}>edge</th>
              <th className={tables.num}>after</th>
            </tr>
          </thead>
          {groups.map((group) => (
            <tbody key={group.key}>
              <tr className={tables.team}>
                <th colSpan={5} scope="rowgroup">
                  <span className={tables.between}>
                    {group.title}
                    <span className={tables.quiet}>{group.aside}</span>
                  </span>
                </th>
              </tr>
              {group.victims.map((one) => {
                const path = detail.paths[one.node] ?? [];
                const node = byId.get(one.node);
                return (
                  <tr key={one.node}>
                    <th scope="row">
                      <Link href={`/nodes/${encodeURIComponent(one.node)}`} data-cursor="">
                        {names(one.node)}
                      </Link>
                    </th>
                    <td>
                      <StateWord
                        status={node?.status ?? "unknown"}
                        explained={detail.kind !== "undetermined" && node?.role !== "root_cause"}
                      />
                    </td>
                    <td className={tables.path}>
                      <PathTo path={path} cut={detail.paths_cut?.[one.node] ?? 0} names={names} />
                    </td>
                    <td className={tables.opt}>{edges.get(`${path[0]}>${path[1]}`) ?? "–"}</td>
                    <td className={tables.num}>{offset(one.after)}</td>
                  </tr>
                );
              })}
            </tbody>
          ))}
        </table>
      )}
    </Section>
  );
}

/** What that does to the systems, and who is fine so far but reaches the cause. */
function Summary({ detail, names, systems }: { detail: IncidentDetail; names: Names; systems: ReadonlyMap<string, string> }) {
  const effects = detail.systems.filter((one) => one.effect !== "healthy");
  const { at_risk } = detail;
  const over = detail.status !== "open";
  const said = [
    ...(effects.length > 0
      ? [`${effects.map((one) => `${systems.get(one.id) ?? one.id} ${over ? "was" : "is"} ${one.effect}`).join(", ")}.`]
      : []),
    ...(at_risk.length > 0
      ? [`${at_risk.length} ${over ? "were " : ""}at risk: ${at_risk.slice(0, 4).map(names).join(", ")}${at_risk.length > 4 ? " …" : ""}.`]
      : []),
  ];
  return said.length > 0 ? <p className={styles.sub}>{said.join(" ")}</p> : null;
}

function PathTo({ path, cut, names }: { path: readonly string[]; cut: number; names: Names }) {
  if (path.length === 0) return <span className="quiet">no declared path</span>;
  return path.map((id, index) => (
    <span key={id}>
      {index > 0 && <span className="quiet"> → {cut > 0 && index === path.length - 1 && `${cut} more → `}</span>}
      {index === path.length - 1 ? <b>{names(id)}</b> : names(id)}
    </span>
  ));
}
