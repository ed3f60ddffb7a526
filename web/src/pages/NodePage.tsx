import type { NodeDetail } from "headwater/contract";
import { Link } from "wouter";
import { useBoard, useIncidents, useNode, useWhatIf } from "../api/queries.ts";
import { useActKeys } from "../effects/acts.tsx";
import { useBoardTab, useNames, useOpen } from "../effects/board.ts";
import { moveCursor, useKey } from "../effects/keys.ts";
import { useClock } from "../effects/settings.ts";
import type { Headline } from "../model/headline.ts";
import { faceOf, lookOf, markOf } from "../model/status.ts";
import { age, duration } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import { Ago, Lasting, Seen } from "../parts/Ago.tsx";
import { Lead, leadStyles } from "../parts/Lead.tsx";
import { NodeLinks } from "../parts/NodeLinks.tsx";
import { CostTable, DependencyTable, InstanceTable, WitnessTable } from "../parts/NodeTables.tsx";
import { NodeTime } from "../parts/NodeTime.tsx";
import { Failure, Section, sectionStyles as styles } from "../parts/Section.tsx";

export function NodePage({ id }: { id: string }) {
  const detail = useNode(id);
  const board = useBoard();
  const live = board?.nodes.find((node) => node.id === id);
  useBoardTab(live?.name ?? id);
  if (!detail.data) {
    return detail.error ? <Failure error={detail.error} /> : <p className="quiet">Loading {id}.</p>;
  }
  // The stream is ahead of the detail: what both know is taken from the board.
  return <LoadedNode detail={detail.data} node={live ?? detail.data.node} />;
}

/** `orders is unhealthy.`, and what is to be said of that where no cause elsewhere explains it. */
function nodeHeadline(node: NodeView): Headline {
  const mark = markOf(node);
  const face = faceOf(node);
  const seconds = {
    cause: "It is the cause.",
    own: "A fault of its own.",
    unknown: node.reason,
    maintenance: "Announced work.",
    impacted: null,
    healthy: null,
  };
  return {
    tone: "quiet",
    symbol: mark.symbol,
    markTone: mark.tone,
    first: `${node.name} is ${lookOf(node.status).word}.`,
    second: seconds[face],
  };
}

function LoadedNode({ detail, node }: { detail: NodeDetail; node: NodeView }) {
  const board = useBoard();
  const clock = useClock();
  const names = useNames(board?.nodes);
  const open = useOpen(board);
  const incident = open.find((one) => one.id === node.incident);
  useActKeys(incident);
  useKey("j", () => moveCursor(1));
  useKey("k", () => moveCursor(-1));
  const cause = detail.path.at(-1);
  const causeName = cause && cause !== node.id ? names(cause) : null;
  const impacted = node.role === "impacted" && causeName !== null && incident;
  const headline = nodeHeadline(node);
  return (
    <>
      <p className={styles.crumb}>
        <Link className="link" href="/">
          Board
        </Link>{" "}
        / {node.tags.area ?? node.team ?? node.kind} / {node.name}
      </p>
      <Lead
        headline={headline}
        label={node.name}
        size="plain"
        aged
        below={<Meta detail={detail} node={node} />}
        second={
          node.role === "root_cause" && incident ? (
            <>
              It is the cause of{" "}
              <Link className="link" href={`/incidents/${incident.id}`}>
                incident {incident.id}
              </Link>
              .
            </>
          ) : (
            impacted && (
              <>
                Because of{" "}
                <Link className={`link ${incident.severity === "page" ? leadStyles.hot : ""}`} href={`/incidents/${incident.id}`}>
                  {causeName}
                </Link>
                .
              </>
            )
          )
        }
      >
        <p className={leadStyles.age}>
          <b>{node.since === null ? "–" : <Lasting since={node.since} />}</b>
          {node.since !== null && (
            <i>
              since {clock.time(Date.parse(node.since), Date.now())} {clock.zone}
            </i>
          )}
          <i>
            {node.kind === "service" ? "last poll" : "last statement"} <Seen id={node.id} /> ago
          </i>
        </p>
      </Lead>
      {impacted && detail.path.length > 2 && <p className={leadStyles.also}>{detail.path.map(names).join(" → ")}</p>}
      {node.pending && (
        <p className={leadStyles.also}>
          {node.pending.count} of {node.pending.needed} results say {node.pending.status}.
        </p>
      )}
      {detail.own_word !== null && detail.own_word !== node.status && (
        <p className={leadStyles.also}>
          Its own word is {detail.own_word}; Headwater holds it to be {node.status}
          {node.reason ? `: ${node.reason}` : "."}
        </p>
      )}
      <div className={styles.cols}>
        <div>
          <WitnessTable detail={detail} node={node} names={names} />
          <NodeTime id={node.id} node={node} />
          <PastIncidents id={node.id} />
        </div>
        <div>
          <DependencyTable detail={detail} names={names} />
          <IfItFails id={node.id} />
          <Dependents detail={detail} />
          <CostTable detail={detail} />
          <InstanceTable detail={detail} />
          {detail.last_answer && (
            <Section
              title="Last answer"
              aside={`${detail.last_answer.http_status ?? "no status"}, ${Math.round(detail.last_answer.latency_ms)} ms, ${detail.last_answer.bytes < 1_000 ? `${detail.last_answer.bytes} B` : `${(detail.last_answer.bytes / 1_000).toFixed(1)} kB`}`}
            >
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
              <p className={styles.said} tabIndex={0}>
                {detail.last_answer.text}
              </p>
            </Section>
          )}
        </div>
      </div>
    </>
  );
}

function Meta({ detail, node }: { detail: NodeDetail; node: NodeView }) {
  const known = detail.format ? `${detail.format}` : null;
  return (
    <p className={styles.meta}>
      {detail.description && <span>{detail.description}</span>}
      <span>{node.resource_kind ?? node.kind}</span>
      {node.team !== null && (
        <span>
          team{" "}
          <Link className="link" href={`/?team=${encodeURIComponent(node.team)}`}>
            <b>{node.team}</b>
          </Link>
        </span>
      )}
      {detail.contact && <span>{detail.contact}</span>}
      {Object.entries(node.tags).map(([key, value]) => (
        <span key={key}>
          {key} <b>{value}</b>
        </span>
      ))}
      {known && <span>{known}</span>}
      {detail.cost && (
        <span>
          every <b>{duration(detail.cost.interval_ms)}</b>
        </span>
      )}
      {detail.systems.map((system) => (
        <span key={system.id}>
          {system.criticality} in{" "}
          <Link className="link" href={`/?system=${encodeURIComponent(system.id)}`}>
            {system.name}
          </Link>
        </span>
      ))}
      <NodeLinks links={detail.links} />
      <span>
        <Link className="link" href={`/map?focus=${encodeURIComponent(node.id)}&depth=2`}>
          On the map
        </Link>
      </span>
      <span>
        {detail.place.file}:{detail.place.line}
      </span>
    </p>
  );
}

function IfItFails({ id }: { id: string }) {
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
        {count === 0 ? "Nothing else is impacted" : `${count} ${count === 1 ? "service" : "services"} impacted`}, {effect}.
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

function Dependents({ detail }: { detail: NodeDetail }) {
  const board = useBoard();
  const names = useNames(board?.nodes);
  const { dependents } = detail;
  if (dependents.length === 0) return null;
  return (
    <Section title="What needs it" aside={`${dependents.length}`}>
      <p>
        {dependents.map((one, index) => (
          <span key={one.id}>
            {index > 0 && ", "}
            <Link className="link" href={`/nodes/${encodeURIComponent(one.id)}`}>
              {names(one.id)}
            </Link>{" "}
            <span className="quiet">
              {one.criticality}
              {one.status === "healthy" ? "" : `, ${one.status}`}
            </span>
          </span>
        ))}
      </p>
    </Section>
  );
}

function PastIncidents({ id }: { id: string }) {
  const clock = useClock();
  const incidents = useIncidents({ node: id, limit: 10 }).data?.incidents ?? [];
  const board = useBoard();
  const names = useNames(board?.nodes);
  if (incidents.length === 0) return null;
  return (
    <Section title="Incidents" aside={`the last ${incidents.length}`}>
      <ul className={styles.problems}>
        {incidents.map((one) => (
          <li key={one.id}>
            <Link className="link" href={`/incidents/${one.id}`}>
              incident {one.id}
            </Link>{" "}
            {clock.day(Date.parse(one.opened_at))}, {one.cause ? `cause ${names(one.cause.node)}` : one.kind}, {one.status}
            {one.resolved_at ? ` after ${age(Date.parse(one.resolved_at) - Date.parse(one.opened_at))}` : ""}
            {!one.resolved_at && (
              <>
                {" "}
                for <Ago at={one.opened_at} />
              </>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
