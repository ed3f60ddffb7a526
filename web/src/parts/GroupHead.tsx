import { type Group, groupSummary, isCalm, troubled } from "../model/arrange.ts";
import styles from "./nodes.module.css";

/** Null: the group is not foldable. */
type Fold = { open: boolean; onFold: (key: string) => void } | null;

/** The head of a group of rows: its name, how many, what is to be said of them; with `fold`, a button that unfolds it. */
export function GroupHead({ group, fold, calm }: { group: Group; fold: Fold; calm: boolean }) {
  const loud = fold !== null && !isCalm([group]);
  return (
    <div className={styles.groupHead}>
      <h2 title={group.title}>
        <FoldButton group={group} fold={fold} />
      </h2>
      <span>{group.nodes.length}</span>
      <span className={`${styles.end} ${loud ? styles.loud : ""}`}>{calm ? "" : groupSummary(group.nodes)}</span>
    </div>
  );
}

export function FoldButton({ group, fold }: { group: Group; fold: Fold }) {
  if (!fold) return group.title;
  return (
    <button
      type="button"
      className={styles.fold}
      aria-label={group.title}
      aria-expanded={fold.open}
      data-cursor=""
      onClick={() => fold.onFold(group.key)}
    >
      {group.title}
    </button>
  );
}

/** What is folded, and the two ways to have less of it folded at once. */
export function FoldLine({ groups, any, onOpen }: { groups: readonly Group[]; any: boolean; onOpen: (keys: string[]) => void }) {
  const bad = troubled(groups);
  return (
    <p className={styles.foldLine}>
      {groups.length} groups, folded.{" "}
      {bad.length > 0 && (
        <button type="button" className="link" onClick={() => onOpen(bad)}>
          Unfold the {bad.length} with trouble
        </button>
      )}{" "}
      {any && (
        <button type="button" className="link" onClick={() => onOpen([])}>
          Fold all
        </button>
      )}
    </p>
  );
}
