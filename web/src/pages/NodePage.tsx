import type { NodeDetail } from "headwater/contract";
import { useState } from "react";
import { Link } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useNode, useNodeHistory, useWhatIf } from "../api/nodeQueries.ts";
import { now } from "../api/now.ts";
import { useWorks } from "../api/workQueries.ts";
import { useActKeys } from "../effects/acts.tsx";
import { useBoardTab, useNames, useOpen } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { byCause, type Headline, sinceItsOnset, wayText, whereToLook } from "../model/headline.ts";
import { type Linked, nodeSecond, ownWords, turnWords } from "../model/nodeWords.ts";
import { lookOf, markOf } from "../model/status.ts";
import type { NodeView } from "../model/types.ts";
import { worksAt } from "../model/works.ts";
import { Lasting, Seen } from "../parts/Ago.tsx";
import { Lead, leadStyles } from "../parts/Lead.tsx";
import { NodeActs, NodeMeta } from "../parts/NodeMeta.tsx";
import { Dependents, IfItFails } from "../parts/NodeRelations.tsx";
import { CostTable, DependencyTable, InstanceTable, WitnessTable } from "../parts/NodeTables.tsx";
import { NodePast, NodeTime } from "../parts/NodeTime.tsx";
import { Missing, Section, sectionStyles as styles } from "../parts/Section.tsx";
import { WorksSection } from "../parts/WorksSection.tsx";

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

/** `orders is unhealthy.`, and what is said behind it. */
function nodeHeadline(node: NodeView, second: Linked | null): Headline {
  const { symbol, tone } = markOf(node, second?.incident?.severity);
  const first = `${node.name} is ${lookOf(node.status).word}.`;
  return { tone: "quiet", symbol, markTone: tone, first, second: second && second.before + second.link + second.after };
}

function LoadedNode({ detail, node }: { detail: NodeDetail; node: NodeView }) {
  const board = useBoard();
  const clock = useClock();
  const names = useNames(board?.nodes);
  const open = useOpen(board);
  useActKeys(open.find((one) => one.id === node.incident));
  const [hours, setHours] = useState(1);
  const history = useNodeHistory(node.id, hours);
  const works = useWorks();
  // How long it is, is not known before: what stands beneath it comes when it is there.
  const whatIf = useWhatIf(node.id);
  const ends = worksAt(works.data?.maintenance ?? [], now()).find((work) => work.nodes.includes(node.id))?.to;
  const second = nodeSecond(node, open, names, ends === undefined ? null : clock.until(Date.parse(ends)));
  const cause = second?.incident && whereToLook(second.incident);
  const isWay = node.role === "impacted" && detail.path.length > 2 && detail.path.at(-1) === cause;
  const own = ownWords(detail, node, names);
  const turn = turnWords(node);
  const { since } = sinceItsOnset(node, byCause(open).get(node.id));
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
        headline={nodeHeadline(node, second)}
        label={node.name}
        room={`${node.name} is unhealthy.`}
        size="plain"
        aged
        under={
          <div className={leadStyles.more}>
            {isWay && <p>{wayText(detail.path.map(names), detail.path_cut)}</p>}
            {turn && <p>{turn}</p>}
            {own && <p>{own}</p>}
          </div>
        }
        below={<NodeMeta detail={detail} node={node} />}
        second={second && <Second sentence={second} hot={node.role === "impacted"} />}
      >
        <p className={leadStyles.age}>
          <b>{since === null ? "–" : <Lasting since={since} />}</b>
          {since !== null && <i>since {clock.zoned(Date.parse(since), Date.now())}</i>}
          <i>
            <Seen id={node.id} every={node.every_ms} /> since the last {node.kind === "service" ? "poll" : "statement"}
          </i>
        </p>
      </Lead>
      <div className={`${styles.cols} ${styles.spanned}`}>
        <div>
          <WitnessTable detail={detail} names={names} />
          <NodeTime id={node.id} node={node} history={history} hours={hours} onHours={setHours} />
        </div>
        <div>
          <DependencyTable detail={detail} names={names} />
          <Dependents detail={detail} />
          <InstanceTable detail={detail} />
          <CostTable detail={detail} />
          <LastAnswer answer={detail.last_answer} />
          <IfItFails id={node.id} />
        </div>
        {!works.isPending && !whatIf.isPending && !history.isPending && (
          <div>
            <WorksSection node={node.id} />
            <NodePast id={node.id} history={history} hours={hours} />
          </div>
        )}
      </div>
    </>
  );
}

/** The sentence behind the state; what explains it is red while it pages. */
function Second({ sentence: { before, incident, link, after }, hot }: { sentence: Linked; hot: boolean }) {
  return (
    <>
      {before}
      {incident && (
        <Link className={`link ${hot && incident.severity === "page" ? leadStyles.hot : ""}`} href={`/incidents/${incident.id}`}>
          {link}
        </Link>
      )}
      {after}
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
