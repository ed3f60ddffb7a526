import { Link } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useMap } from "../api/mapQueries.ts";
import { useChanges, useWorks } from "../api/workQueries.ts";
import { useBoardTab } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { CHANGE_DAYS, ChangesSection } from "../parts/Changes.tsx";
import { MapCheckBox } from "../parts/MapCheckBox.tsx";
import { MapTable } from "../parts/MapTable.tsx";
import { Problems } from "../parts/Problems.tsx";
import { Failure, Section, sectionStyles as styles } from "../parts/Section.tsx";
import tables from "../parts/table.module.css";
import { WorksSection } from "../parts/WorksSection.tsx";

/** The map as loaded, with its places; the refused one with its mistakes; a box to try a change. */
export function ConfigPage() {
  useBoardTab("Config");
  const clock = useClock();
  const map = useMap();
  // How many of these there are is not known before: the column comes with them.
  const works = useWorks();
  const changes = useChanges(CHANGE_DAYS);
  const board = useBoard();
  if (!map.data) return map.error ? <Failure error={map.error} /> : <p className="quiet">Loading the map.</p>;
  const { nodes, edges, teams, systems, hash, commit, warnings } = map.data;
  const status = board?.map ?? map.data.status;
  const tags = new Map<string, number>();
  for (const node of nodes)
    for (const [key, value] of Object.entries(node.tags)) tags.set(`${key}:${value}`, (tags.get(`${key}:${value}`) ?? 0) + 1);
  const loaded = Date.parse(status.loaded_at);
  return (
    <>
      <h1 className={styles.title}>{status.refused ? "A newer map was refused." : `Map ${status.revision} is in force.`}</h1>
      <p className={styles.sub}>
        Revision {status.revision}, loaded {clock.zoned(loaded, Date.now())}, sha {hash.slice(0, 8)}
        {commit ? `, commit ${commit.slice(0, 7)}` : ""}: {count(nodes.length, "node")}, {count(edges.length, "dependency", "dependencies")}
        , {count(systems.length, "system")}, {count(teams.length, "team")}.
      </p>
      {status.refused && (
        <Section title="Refused" aside={`${clock.time(Date.parse(status.refused.at), Date.now())}, revision ${status.revision} runs on`}>
          <Problems problems={status.refused.problems} word="error" />
        </Section>
      )}
      {warnings.length > 0 && (
        <Section title="Doubts" aside={`${warnings.length}`}>
          <Problems problems={warnings} word="warning" />
        </Section>
      )}
      <div className={styles.cols}>
        <div>
          <MapTable map={map.data} />
        </div>
        {!works.isPending && !changes.isPending && (
          <div>
            <WorksSection />
            <ChangesSection />
            <MapCheckBox />
            <Section title="Teams and tags" aside="with their counts; each leads to the board">
              <p className={styles.meta}>
                {teams.map((team) => (
                  <Link key={team.id} className="link" href={`/?team=${encodeURIComponent(team.id)}`}>
                    {team.name} {team.nodes}
                  </Link>
                ))}
                {[...tags].slice(0, 60).map(([tag, count]) => (
                  <Link key={tag} className="link" href={`/?tag=${encodeURIComponent(tag)}`}>
                    {tag} {count}
                  </Link>
                ))}
              </p>
            </Section>
            <Section title="Systems" aside={`${systems.length}`}>
              <table className={tables.table}>
                <tbody>
                  {systems.map((system) => (
                    <tr key={system.id}>
                      <th scope="row">
                        {system.name}
                        {system.public && <span className="quiet">, public</span>}
                      </th>
                      <td>{system.members.length === 1 ? "1 member" : `${system.members.length} members`}</td>
                      <td>
                        {system.file}:{system.line}
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </Section>
          </div>
        )}
      </div>
    </>
  );
}

function count(many: number, one: string, more = `${one}s`): string {
  return `${many} ${many === 1 ? one : more}`;
}
