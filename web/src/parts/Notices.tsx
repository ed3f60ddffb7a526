import { Link } from "wouter";
import { useNewBuild } from "../effects/build.ts";
import { useClock } from "../effects/settings.ts";
import { notices } from "../model/notices.ts";
import type { Board } from "../model/types.ts";
import { leadStyles as styles } from "./Lead.tsx";
import { Mark } from "./Mark.tsx";

/** Headwater's own trouble, one line each, never in the colour of a fault. */
export function Notices({ board }: { board: Board }) {
  const clock = useClock();
  const outdated = useNewBuild();
  const list = notices(board, (at) => clock.zoned(at, Date.now()));
  return (
    <>
      {list.map((notice) => (
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
      ))}
      {outdated && (
        <p className={styles.also} data-notice="build">
          <Mark symbol="unknown" tone="unknown" />
          <b>A newer Headwater is served.</b>
          <span>This page is of the one before.</span>
          <button type="button" className={`link ${styles.end}`} onClick={() => location.reload()}>
            reload
          </button>
        </p>
      )}
    </>
  );
}
