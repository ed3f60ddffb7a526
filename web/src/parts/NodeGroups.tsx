import { memo, type ReactElement, useContext, useMemo } from "react";
import type { DayLines } from "../api/timeQueries.ts";
import { useTurns } from "../effects/turns.ts";
import { type Group, groupSummary, isCalm } from "../model/arrange.ts";
import { byCause, type Names, sinceItsOnset, whereToLook } from "../model/headline.ts";
import { faceOf } from "../model/status.ts";
import type { Interval } from "../model/strip.ts";
import type { Incident, NodeView } from "../model/types.ts";
import { MomentContext } from "./Ago.tsx";
import { FoldButton, GroupHead } from "./GroupHead.tsx";
import { NodeRow, NodeTile } from "./NodeItem.tsx";
import styles from "./nodes.module.css";

/** Groups longer than this may break over columns. */
const LONG = 16;

/** What is told of every node, beside what it is itself. */
interface Told {
  view: "rows" | "tiles";
  open: readonly Incident[];
  names: Names;
  strips: DayLines | undefined;
  explained: ReadonlyMap<string, readonly Interval[]>;
  /** What was announced, by node. */
  works: ReadonlyMap<string, string>;
  /** Who has an incident, in words. */
  whoHas: (incident: Incident) => string;
}

interface Props extends Told {
  groups: readonly Group[];
  /** Keys of the groups whose nodes are shown; null shows all, and folds none. */
  unfolded: ReadonlySet<string> | null;
  onFold: (key: string) => void;
}

/** In how many columns rows stand at this width; the style sheet's own limits. */
const columns = (): number => (innerWidth >= 2_000 ? 3 : innerWidth > 1_140 ? 2 : 1);

/** Pixels of the screen that are left for the list below what stands there already; a part of it at least. */
function room(): number {
  const above = document.getElementById("main")?.lastElementChild?.getBoundingClientRect().bottom ?? 0;
  return Math.max(innerHeight / 3, innerHeight - above);
}
const screenOfRows = (): number => columns() * Math.ceil(room() / 24);
const screenOfTiles = (): number => Math.ceil(innerWidth / 236) * Math.ceil(room() / 64);

/** For a node that another explains, that incident: its own, or for a cause the one in which it is a victim too. */
function explainerOf(node: NodeView, open: readonly Incident[], victims: ReadonlyMap<string, Incident>): Incident | undefined {
  const face = faceOf(node);
  if (face === "impacted" || node.role === "at_risk") return open.find((one) => one.id === node.incident) ?? victims.get(node.id);
  const victim = victims.get(node.id);
  return (face === "cause" || face === "own") && victim && victim.id !== node.incident ? victim : undefined;
}

/** Makes the items of nodes. A node that is the very same has the very same item, so that nothing is done for it when others move. */
function itemsOf({ view, open, names, strips, explained, works, whoHas }: Told): (node: NodeView) => ReactElement {
  const Item = view === "tiles" ? NodeTile : NodeRow;
  const victims = new Map<string, Incident>();
  for (const incident of open) {
    if (incident.cause) for (const one of incident.impacted) if (!victims.has(one.node)) victims.set(one.node, incident);
  }
  const causes = byCause(open);
  const from = strips ? Date.parse(strips.from) : 0;
  const to = strips ? Date.parse(strips.to) : 1;
  const made = new WeakMap<NodeView, ReactElement>();
  const make = (node: NodeView): ReactElement => {
    const explainer = explainerOf(node, open, victims);
    const caused = causes.get(node.id);
    return (
      <Item
        key={node.id}
        node={sinceItsOnset(node, caused)}
        because={explainer ? names(whereToLook(explainer)) : null}
        incident={explainer?.id ?? null}
        taken={caused?.acked ? whoHas(caused) : null}
        severity={caused?.severity}
        names={names}
        work={works.get(node.id) ?? null}
        cells={strips?.nodes[node.id]}
        from={from}
        to={to}
        explained={explained.get(node.id)}
        p95={strips?.p95[node.id] ?? null}
      />
    );
  };
  return (node) => {
    const item = made.get(node) ?? make(node);
    made.set(node, item);
    return item;
  };
}

/** All nodes, in groups, as rows or tiles. */
export const NodeGroups = memo(function NodeGroups({
  groups,
  unfolded,
  onFold,
  view,
  open,
  names,
  strips,
  explained,
  works,
  whoHas,
}: Props) {
  const itemOf = useMemo(
    () => itemsOf({ view, open, names, strips, explained, works, whoHas }),
    [view, open, names, strips, explained, works, whoHas],
  );
  const isOpen = (group: Group): boolean => unfolded?.has(group.key) ?? true;
  const calm = isCalm(groups);
  const foldOf = (group: Group) => unfolded && { open: isOpen(group), onFold };
  const drawn = useTurns(
    groups.reduce((sum, group) => sum + (isOpen(group) ? group.nodes.length : 0), 0),
    view === "tiles" ? screenOfTiles : screenOfRows,
    view === "tiles" ? 1 : columns(),
  );
  // The place of a node that is not drawn yet has the size that it will have, so that nothing moves when it is.
  let place = 0;
  if (groups.length === 0) return <p className={styles.none}>Nothing on the map answers to this filter.</p>;
  if (view === "tiles") {
    return groups.map((group) => (
      <section key={group.key} className={styles.tileGroup} aria-label={group.title}>
        <div className={styles.tileHead}>
          <h2 title={group.title}>
            <FoldButton group={group} fold={foldOf(group)} />
          </h2>
          <span>{group.nodes.length === 1 ? "1 node" : `${group.nodes.length} nodes`}</span>
          {!calm && <span>{groupSummary(group.nodes)}</span>}
        </div>
        {isOpen(group) && (
          <ul className={styles.tiles}>
            {group.nodes.map((node) => (drawn(place++) ? itemOf(node) : <li key={node.id} className={styles.tilePlace} />))}
          </ul>
        )}
      </section>
    ));
  }
  return (
    <>
      {groups.some(isOpen) && (
        <div className={styles.heads} aria-hidden="true">
          <Head />
          <Head />
          <Head />
        </div>
      )}
      <div className={styles.groups}>
        {groups.map((group) => (
          <section
            key={group.key}
            className={`${styles.group} ${isOpen(group) && group.nodes.length > LONG ? styles.long : ""}`}
            aria-label={group.title}
          >
            <GroupHead group={group} fold={foldOf(group)} calm={calm} />
            {isOpen(group) && (
              <ul>{group.nodes.map((node) => (drawn(place++) ? itemOf(node) : <li key={node.id} className={styles.rowPlace} />))}</ul>
            )}
          </section>
        ))}
      </div>
    </>
  );
});

function Head() {
  const past = useContext(MomentContext) !== null;
  return (
    <div className={`${styles.row} ${styles.head}`}>
      <span />
      <span>node</span>
      <span>state</span>
      <span>why</span>
      <span className={styles.axis}>
        <span>{past ? "24 h before" : "24 h ago"}</span>
        <span>{past ? "then" : "now"}</span>
      </span>
      <span className={`${styles.p95} num`}>p95</span>
      <span className="num">for</span>
      <span className="num">seen</span>
    </div>
  );
}
