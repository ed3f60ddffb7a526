import type { NodeDetail } from "headwater/contract";
import { useState } from "react";
import { Link } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useNode, useNodeHistory, useWhatIf } from "../api/nodeQueries.ts";
import { useWorks } from "../api/workQueries.ts";
import { useActKeys } from "../effects/acts.tsx";
import { useBoardTab, useNames, useOpen } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { type Headline, joinEvidence, wayText } from "../model/headline.ts";
import { pendingOf } from "../model/note.ts";
import { faceOf, lookOf, markOf } from "../model/status.ts";
import type { NodeView } from "../model/types.ts";
import { Lasting, Seen } from "../parts/Ago.tsx";
import { Lead, leadStyles } from "../parts/Lead.tsx";
import { NodeActs, NodeMeta } from "../parts/NodeMeta.tsx";
import { Dependents, IfItFails } from "../parts/NodeRelations.tsx";
import { CostTable, DependencyTable, InstanceTable, WitnessTable } from "../parts/NodeTables.tsx";
import { NodePast, NodeTime } from "../parts/NodeTime.tsx";
import { Missing, Section, sectionStyles as styles } from "../parts/Section.tsx";
import { WorksSection } from "../parts/Works.tsx";

export function NodePage({ id }: { id: string }) {
  const detail = useNode(id);
  const board = useBoard();
  const live = board?.nodes.find((node) => node.id === id);
  useBoardTab(live?.name ?? id);
  if (!detail.data) {
    return detail.error ? <Missing what="node" error={detail.error} /> : <p className="quiet">Loading {id}.</p>;
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
    unknown: node.reason && joinEvidence([node.reason.charAt(0).toUpperCase() + node.reason.slice(1)]),
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
  const cause = detail.path.at(-1);
  const causeName = cause && cause !== node.id ? names(cause) : null;
  const impacted = node.role === "impacted" && causeName !== null && incident;
  const headline = nodeHeadline(node);
  const pending = pendingOf(node);
  const [hours, setHours] = useState(1);
  const history = useNodeHistory(node.id, hours);
  // How long these are is not known before: what stands beneath them comes when they are there.
  const works = useWorks();
  const whatIf = useWhatIf(node.id);
  const settled = !works.isPending && !whatIf.isPending;
  return (
    <>
      <p className={styles.crumb} data-page-node={node.id}>
        <Link className="link" href="/">
          Board
        </Link>{" "}
        / {node.tags.area ?? node.team ?? node.kind} / {node.name}
        <NodeActs node={node} />
      </p>
      <Lead
        headline={headline}
        label={node.name}
        size="plain"
        aged
        below={<NodeMeta detail={detail} node={node} />}
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
          {node.since !== null && <i>since {clock.zoned(Date.parse(node.since), Date.now())}</i>}
          <i>
            <Seen id={node.id} every={node.every_ms} /> since the last {node.kind === "service" ? "poll" : "statement"}
          </i>
        </p>
      </Lead>
      {impacted && detail.path.length > 2 && <p className={leadStyles.also}>{wayText(detail.path.map(names), detail.path_cut)}</p>}
      {pending && (
        <p className={leadStyles.also}>
          {pending.text}
          {pending.soon ? `, confirms in ${pending.soon}` : ""}
        </p>
      )}
      {detail.own_word !== null && detail.own_word !== node.status && (
        <p className={leadStyles.also}>
          Its own word is {detail.own_word}; Headwater holds it to be {node.status}
          {node.reason ? `: ${node.reason}` : "."}
        </p>
      )}
      <div className={`${styles.cols} ${styles.spanned}`}>
        <div>
          <WitnessTable detail={detail} node={node} names={names} />
          <NodeTime id={node.id} node={node} history={history} hours={hours} onHours={setHours} />
        </div>
        <div>
          <WorksSection node={node.id} />
          {!works.isPending && <DependencyTable detail={detail} names={names} />}
          {!works.isPending && <IfItFails id={node.id} />}
          {settled && (
            <>
              <Dependents detail={detail} />
              <CostTable detail={detail} />
              <InstanceTable detail={detail} />
              <LastAnswer answer={detail.last_answer} />
            </>
          )}
        </div>
        {settled && !history.isPending && (
          <div>
            <NodePast id={node.id} history={history} hours={hours} />
          </div>
        )}
      </div>
    </>
  );
}

function LastAnswer({ answer }: { answer: NodeDetail["last_answer"] }) {
  if (!answer) return null;
  const size = answer.bytes < 1_000 ? `${answer.bytes} B` : `${(answer.bytes / 1_000).toFixed(1)} kB`;
  return (
    <Section title="Last answer" aside={`${answer.http_status ?? "no status"}, ${Math.round(answer.latency_ms)} ms, ${size}`}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <p className={styles.said} tabIndex={0}>
        {answer.text}
      </p>
    </Section>
  );
}
