import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useBoard, useMap, useMapCheck } from "../api/queries.ts";
import { useBoardTab } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { setting } from "../model/time.ts";
import { ChangesSection } from "../parts/Changes.tsx";
import forms from "../parts/form.module.css";
import { Problems } from "../parts/Problems.tsx";
import { Failure, Section, sectionStyles as styles } from "../parts/Section.tsx";
import tables from "../parts/table.module.css";
import { WorksSection } from "../parts/Works.tsx";

/** Rows of the map's table shown before somebody asks for all. */
const FIRST = 100;

/** The map as loaded, with its places; the refused one with its mistakes; a box to try a change. */
export function ConfigPage() {
  useBoardTab("Config");
  const clock = useClock();
  const map = useMap();
  const board = useBoard();
  const [all, setAll] = useState(false);
  if (!map.data) return map.error ? <Failure error={map.error} /> : <p className="quiet">Loading the map.</p>;
  const { nodes, edges, teams, systems, hash, commit, warnings } = map.data;
  const status = board?.map ?? map.data.status;
  const needs = new Map<string, string[]>();
  for (const edge of edges) needs.set(edge.from, [...(needs.get(edge.from) ?? []), edge.to]);
  const shown = all ? nodes : nodes.slice(0, FIRST);
  const tags = new Map<string, number>();
  for (const node of nodes)
    for (const [key, value] of Object.entries(node.tags)) tags.set(`${key}:${value}`, (tags.get(`${key}:${value}`) ?? 0) + 1);
  const loaded = Date.parse(status.loaded_at);
  return (
    <>
      <h1 className={styles.title}>{status.refused ? "A newer map was refused." : `Map ${status.revision} is in force.`}</h1>
      <p className={styles.sub}>
        Revision {status.revision}, loaded {clock.time(loaded, Date.now())} {clock.zone}, sha {hash.slice(0, 8)}
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
          <Section title="The map as loaded" aside={count(nodes.length, "node")}>
            <table className={tables.table}>
              <thead>
                <tr>
                  <th>node</th>
                  <th className={tables.opt}>every</th>
                  <th className={tables.opt}>format</th>
                  <th>needs</th>
                  <th>place</th>
                </tr>
              </thead>
              <tbody>
                {shown.map((node) => (
                  <tr key={node.id}>
                    <th scope="row" title={node.urls.join("\n")}>
                      <Link href={`/nodes/${encodeURIComponent(node.id)}`}>{node.id}</Link>
                    </th>
                    <td className={tables.opt}>
                      {node.interval_ms === null ? (node.resource_kind ?? "not polled") : setting(node.interval_ms)}
                    </td>
                    <td className={tables.opt}>{node.format ?? "–"}</td>
                    <td>{needs.get(node.id)?.join(", ") ?? "–"}</td>
                    <td>
                      {node.file}:{node.line}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
            {shown.length < nodes.length && (
              <p className={forms.acts}>
                <button type="button" onClick={() => setAll(true)}>
                  All {nodes.length}
                </button>
              </p>
            )}
          </Section>
        </div>
        <div>
          <WorksSection />
          <ChangesSection />
          <CheckBox />
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
      </div>
    </>
  );
}

/** Checks map text as if the file stood in the folder; nothing is applied. */
function CheckBox() {
  const check = useMapCheck();
  const [file, setFile] = useState("map/change.yaml");
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    check.mutate({ file, text });
  };
  const { data } = check;
  return (
    <Section title="Check a change" aside="nothing is applied">
      <form className={forms.form} onSubmit={submit}>
        <label>
          As the file
          <input value={file} maxLength={200} onChange={(event) => setFile(event.target.value)} />
        </label>
        <label>
          Its text
          <textarea value={text} spellCheck={false} maxLength={1_000_000} onChange={(event) => setText(event.target.value)} />
        </label>
        <p className={forms.row}>
          <button type="submit" className={`solid ${forms.do} ${forms.main}`} disabled={check.isPending || text.trim() === ""}>
            Check
          </button>
          <span role="status">
            {data &&
              (data.errors.length === 0
                ? "It would be accepted."
                : `${data.errors.length} ${data.errors.length === 1 ? "mistake" : "mistakes"}: it would be refused.`)}
          </span>
        </p>
      </form>
      <Failure error={check.error} />
      {data && <Problems problems={data.errors} word="error" />}
      {data && <Problems problems={data.warnings} word="warning" />}
    </Section>
  );
}

function count(many: number, one: string, more = `${one}s`): string {
  return `${many} ${many === 1 ? one : more}`;
}
