import type { IncidentDetail } from "headwater/contract";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useAcknowledge, useAddNote, useBoard, useIncident, useMap, useMayWrite, useNode, useSession } from "../api/queries.ts";
import { useActKeys, useActs } from "../effects/acts.tsx";
import { useBoardTab, useNames } from "../effects/board.ts";
import { moveCursor, useKey } from "../effects/keys.ts";
import { changeSettings, useClock, useSettings } from "../effects/settings.ts";
import { headlineOf, type Names, onsetOrder } from "../model/headline.ts";
import { lookOf } from "../model/status.ts";
import { offset } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import { Lasting, Left } from "../parts/Ago.tsx";
import { Lead, leadStyles, Sentences } from "../parts/Lead.tsx";
import { Mark, StateWord } from "../parts/Mark.tsx";
import { OnsetAxis } from "../parts/OnsetAxis.tsx";
import { Failure, Section, sectionStyles as styles } from "../parts/Section.tsx";

const SEVERITIES = { page: "pages", ticket: "ticket", info: "alerts nobody" } as const;

export function IncidentPage({ id }: { id: number }) {
  const detail = useIncident(id);
  const board = useBoard();
  const names = useNames(board?.nodes);
  const data = detail.data;
  useBoardTab(data ? `${id} ${names(data.anchor)}` : `incident ${id}`);
  if (!data) return detail.error ? <Failure error={detail.error} /> : <p className="quiet">Loading incident {id}.</p>;
  const live = board?.incidents.find((one) => one.id === id);
  return <Loaded detail={live ? { ...data, ...live } : data} nodes={board?.nodes ?? []} names={names} />;
}

interface Props {
  detail: IncidentDetail;
  nodes: readonly NodeView[];
  names: Names;
}

function Loaded({ detail, nodes, names }: Props) {
  const clock = useClock();
  useActKeys(detail);
  useKey("j", () => moveCursor(1));
  useKey("k", () => moveCursor(-1));
  const node = nodes.find((one) => one.id === (detail.cause?.node ?? detail.anchor));
  const start = detail.cause?.first_seen ?? detail.opened_at;
  return (
    <>
      <Lead
        headline={headlineOf(detail, node, names)}
        label={`Incident ${detail.id}`}
        acked={detail.acked !== null && detail.status !== "resolved"}
        aged
        below={<OnsetAxis incident={detail} names={names} nodes={nodes} />}
      >
        <p className={leadStyles.age}>
          <b>
            <Lasting since={start} until={detail.resolved_at} />
          </b>
          <i>
            since {clock.time(Date.parse(start), Date.now())} {clock.zone}
          </i>
          <i>
            incident {detail.id}, {detail.status}, {SEVERITIES[detail.severity]}
          </i>
          {detail.absorbed_by !== undefined && (
            <i>
              absorbed by{" "}
              <Link className="link" href={`/incidents/${detail.absorbed_by}`}>
                incident {detail.absorbed_by}
              </Link>
            </i>
          )}
          {detail.unverified_since && <i>unverified since {clock.time(Date.parse(detail.unverified_since), Date.now())}</i>}
          {detail.end === "removed_from_map" && <i>its cause left the map</i>}
        </p>
      </Lead>
      <div className={styles.cols}>
        <div>
          <Evidence detail={detail} nodes={nodes} names={names} />
          <Impact detail={detail} nodes={nodes} names={names} />
        </div>
        <div>
          <WhoHasIt detail={detail} names={names} nodes={nodes} />
          <Timeline detail={detail} nodes={nodes} names={names} />
        </div>
      </div>
    </>
  );
}

function Evidence({ detail, names }: Props) {
  const { cause, candidates } = detail;
  if (!cause) {
    return (
      <Section title="What we cannot tell" aside={detail.kind}>
        <dl className={`${leadStyles.proof} ${leadStyles.long}`}>
          {candidates.length === 0 && (
            <div>
              <dt>cause</dt>
              <dd>{detail.kind === "maintenance" ? "Announced work." : "Nothing that we see explains it."}</dd>
            </div>
          )}
          {candidates.map((one) => (
            <div key={one.node}>
              <dt>{one.confidence.toFixed(2)}</dt>
              <dd>
                <b>{names(one.node)}</b>. {one.why}
              </dd>
            </div>
          ))}
        </dl>
      </Section>
    );
  }
  return (
    <Section title="Why we say so" aside={`${cause.level}, ${cause.confidence.toFixed(2)}`}>
      <dl className={`${leadStyles.proof} ${leadStyles.long}`}>
        <div>
          <dt>for</dt>
          <dd>
            <ul>
              {cause.why.map((text) => (
                <li key={text}>
                  <Sentences text={text} />
                </li>
              ))}
            </ul>
          </dd>
        </div>
        {cause.against.length > 0 && (
          <div className={leadStyles.weak}>
            <dt>against</dt>
            <dd>
              <ul>
                {cause.against.map((text) => (
                  <li key={text}>{text}</li>
                ))}
              </ul>
            </dd>
          </div>
        )}
        {cause.runner_up && (
          <div className={leadStyles.weak}>
            <dt>runner-up</dt>
            <dd>
              <b>{names(cause.runner_up.node)}</b>, {cause.runner_up.confidence.toFixed(2)}: {cause.runner_up.why}
            </dd>
          </div>
        )}
        {cause.decided_by && (
          <div className={leadStyles.weak}>
            <dt>to decide</dt>
            <dd>{cause.decided_by}</dd>
          </div>
        )}
      </dl>
    </Section>
  );
}

function Impact({ detail, nodes, names }: Props) {
  const map = useMap().data;
  const board = useBoard();
  const systemNames = new Map(board?.systems.map((system) => [system.id, system.name]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const contacts = new Map(map?.teams.map((team) => [team.id, team.contact]));
  const edges = new Map(map?.edges.map((edge) => [`${edge.from}>${edge.to}`, edge.criticality]));
  const order = onsetOrder(detail);
  const teams = [...new Set(order.map((one) => byId.get(one.node)?.team ?? ""))];
  const risk =
    detail.at_risk.length > 0
      ? `, ${detail.at_risk.length} at risk: ${detail.at_risk.slice(0, 4).map(names).join(", ")}${detail.at_risk.length > 4 ? " …" : ""}`
      : "";
  const systems = detail.systems.filter((one) => one.effect !== "healthy");
  return (
    <Section
      title={detail.status === "recovering" ? "Still waiting for a good result" : "Impact by team"}
      aside={`${order.length} impacted${risk}`}
    >
      {systems.length > 0 && (
        <p className={styles.sub}>{systems.map((one) => `${systemNames.get(one.id) ?? one.id} ${one.effect}`).join(", ")}</p>
      )}
      {order.length === 0 ? (
        <p className="quiet">Nothing else is impacted.</p>
      ) : (
        <table className={`${styles.table} ${styles.paths}`}>
          <thead>
            <tr>
              <th>service</th>
              <th>state</th>
              <th>path to the cause</th>
              <th className={styles.opt}>edge</th>
              <th className={styles.num}>after</th>
            </tr>
          </thead>
          {teams.map((team) => (
            <tbody key={team}>
              <tr className={styles.team}>
                <th colSpan={5} scope="rowgroup">
                  <span className={styles.between}>
                    {team || "no team"}
                    <span className={styles.quiet}>{contacts.get(team)}</span>
                  </span>
                </th>
              </tr>
              {order
                .filter((one) => (byId.get(one.node)?.team ?? "") === team)
                .map((one) => {
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
                        <StateWord status={node?.status ?? "unknown"} explained={node?.role !== "root_cause"} />
                      </td>
                      <td className={styles.path}>
                        <PathTo path={path} names={names} />
                      </td>
                      <td className={styles.opt}>{edges.get(`${path[0]}>${path[1]}`) ?? "–"}</td>
                      <td className={styles.num}>{offset(one.after)}</td>
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

function PathTo({ path, names }: { path: readonly string[]; names: Names }) {
  if (path.length === 0) return <span className="quiet">no declared path</span>;
  return path.map((id, index) => (
    <span key={id}>
      {index > 0 && <span className="quiet"> → </span>}
      {index === path.length - 1 ? <b>{names(id)}</b> : names(id)}
    </span>
  ));
}

function WhoHasIt({ detail }: Props) {
  const clock = useClock();
  const acts = useActs();
  const settings = useSettings();
  const mayWrite = useMayWrite();
  const known = useSession().data?.user?.name ?? null;
  const ack = useAcknowledge(detail.id);
  const note = useAddNote(detail.id);
  const [text, setText] = useState("");
  const links = useNode(detail.cause?.node ?? detail.anchor, 60_000).data?.links ?? {};
  const { acked } = detail;
  const named = !known && settings.name ? { name: settings.name } : {};
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    note.mutate({ text: text.trim(), ...named }, { onSuccess: () => setText("") });
  };
  const over = detail.status === "resolved";
  return (
    <Section
      title="Who has it"
      aside={
        acked?.until && !over ? (
          <>
            ends in <Left until={acked.until} />
          </>
        ) : undefined
      }
    >
      <p>
        {acked ? (
          <>
            <b>{acked.by}</b> since {clock.time(Date.parse(acked.at), Date.now())}
            {acked.note ? `: ${acked.note}` : ""}
          </>
        ) : (
          <b>{over ? "Nobody took it." : "Nobody has it yet."}</b>
        )}
      </p>
      {mayWrite && (
        <form className={styles.note} onSubmit={submit}>
          <input
            placeholder="Add a note"
            aria-label="Add a note"
            maxLength={4_000}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
          <button type="submit" className={`${styles.do} ${acked || over ? `solid ${styles.main}` : ""}`} disabled={note.isPending}>
            Add note
          </button>
        </form>
      )}
      <p className={`${styles.acts} ${leadStyles.thumb}`}>
        {mayWrite && !acked && !over && (
          <button type="button" className={`solid ${styles.do} ${styles.main}`} onClick={() => acts.acknowledge(detail)}>
            Acknowledge<kbd>a</kbd>
          </button>
        )}
        {mayWrite && acked && !over && (
          <>
            <button type="button" onClick={() => ack.mutate({ ...named, ...(acked.note ? { note: acked.note } : {}), expires_in: "30m" })}>
              Extend by 30 m
            </button>
            <button type="button" onClick={() => ack.mutate({ ...named, clear: true })}>
              Give up
            </button>
          </>
        )}
        <button type="button" onClick={() => acts.copy(detail)}>
          {acts.copied?.id === detail.id ? (acts.copied.done ? "Copied" : "Not allowed") : "Copy as Markdown"}
          <kbd>c</kbd>
        </button>
      </p>
      <p className={styles.acts}>
        <Link href={`/map?incident=${detail.id}`}>Replay on the map</Link>
        {Object.entries(links).map(([word, href]) => (
          <a key={word} href={href} rel="noreferrer">
            {word.charAt(0).toUpperCase()}
            {word.slice(1)} ↗
          </a>
        ))}
      </p>
      {mayWrite && !known && !settings.name && (
        <label className="label noprint">
          You are{" "}
          <input
            className={styles.name}
            placeholder="your name"
            maxLength={80}
            defaultValue={settings.name}
            onBlur={(event) => changeSettings({ name: event.target.value.trim() })}
          />
        </label>
      )}
      <Failure error={ack.error ?? note.error} />
    </Section>
  );
}

const PEOPLE = new Set(["note", "ack", "unack"]);

function Timeline({ detail, nodes, names }: Props) {
  const clock = useClock();
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const events = [...detail.events].sort((a, b) => b.at.localeCompare(a.at));
  const first = Date.parse(detail.opened_at);
  return (
    <Section title="Timeline" aside={`newest first, ${clock.zone}`}>
      {events.length === 0 && <p className="quiet">Nothing is recorded yet.</p>}
      <ol className={styles.time}>
        {events.map((event) => {
          const node = event.node === null ? undefined : byId.get(event.node);
          const cause = event.node !== null && event.node === detail.cause?.node && (event.kind === "opened" || event.kind === "cause");
          const look = lookOf(node?.status ?? "unknown");
          return (
            <li key={`${event.at}${event.kind}${event.node}${event.text}`}>
              <time dateTime={event.at}>{clock.time(Date.parse(event.at), first)}</time>
              {PEOPLE.has(event.kind) ? (
                <span className="quiet">¶</span>
              ) : cause ? (
                <Mark
                  symbol={detail.severity === "page" ? "unhealthy" : "degraded"}
                  tone={detail.severity === "page" ? "unhealthy" : "degraded"}
                />
              ) : event.kind === "impact" && node ? (
                <Mark symbol={look.rank > 0 ? look.hollow : "degraded-o"} tone="grey" />
              ) : event.kind === "resolved" || event.kind === "recovering" ? (
                <Mark symbol="healthy" tone="healthy" />
              ) : (
                <span className="quiet">·</span>
              )}
              <span>
                {event.by && <b>{event.by} </b>}
                {event.kind === "ack" && "acknowledged"}
                {event.kind === "unack" && "gave it up"}
                {event.kind === "change" && "change: "}
                {PEOPLE.has(event.kind) ? (
                  <span className={styles.words}>{event.text}</span>
                ) : cause ? (
                  <b>{event.text}</b>
                ) : (
                  event.text || (event.node && names(event.node))
                )}
              </span>
            </li>
          );
        })}
      </ol>
    </Section>
  );
}
