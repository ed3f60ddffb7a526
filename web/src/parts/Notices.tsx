import { Link } from "wouter";
import { useClock } from "../effects/settings.ts";
import { notices } from "../model/headline.ts";
import type { Board } from "../model/types.ts";
import { leadStyles as styles } from "./Lead.tsx";
import { Mark } from "./Mark.tsx";

/** Headwater's own trouble, one line each, never in the colour of a fault. */
export function Notices({ board }: { board: Board }) {
  const clock = useClock();
  return notices(board, (at) => clock.time(at, Date.now())).map((notice) => (
    <p key={notice.key} className={styles.also} data-notice={notice.key}>
      <Mark symbol="unknown" tone="unknown" />
      <b>{notice.title}</b>
      <span>{notice.text}</span>
      {notice.key === "map" && (
        <Link className={`link ${styles.end}`} href="/config">
          all mistakes
        </Link>
      )}
    </p>
  ));
}
