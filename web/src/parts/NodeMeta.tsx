import type { NodeDetail } from "headwater/contract";
import { Link } from "wouter";
import { useMayWrite } from "../api/sessionQueries.ts";
import { useActs } from "../effects/acts.tsx";
import { setting } from "../model/time.ts";
import type { NodeView } from "../model/types.ts";
import { NodeLinks } from "./NodeLinks.tsx";
import { sectionStyles as styles } from "./Section.tsx";

/** What an operator can do to a node, beside the way back to the board; its room is kept for everybody, so that nothing moves. */
export function NodeActs({ node }: { node: NodeView }) {
  const acts = useActs();
  const mayWrite = useMayWrite();
  return (
    <span className={`${styles.end} ${mayWrite ? "" : styles.later} noprint`}>
      <button type="button" className="link" onClick={() => acts.mark(node.id)}>
        Mark a change<kbd>m</kbd>
      </button>
      <button type="button" className="link" onClick={() => acts.work([node.id])}>
        Announce work<kbd>w</kbd>
      </button>
    </span>
  );
}

/** Whose the node is, where it belongs, how it is watched, and where to go from here. */
export function NodeMeta({ detail, node }: { detail: NodeDetail; node: NodeView }) {
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
      {detail.format && (
        <span>
          format <b>{detail.format}</b>
        </span>
      )}
      {detail.cost && (
        <span>
          every <b>{setting(detail.cost.interval_ms)}</b>
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
