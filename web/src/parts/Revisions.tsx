import type { RevisionDiff } from "headwater/contract";
import { useRevisions } from "../api/mapQueries.ts";
import { useClock } from "../effects/settings.ts";
import { Problems } from "./Problems.tsx";
import { Failure, Section } from "./Section.tsx";
import styles from "./timeline.module.css";

/** Accepted maps, each with what it changed in effect; and the last one refused, with its mistakes. */
export function Revisions() {
  const clock = useClock();
  const revisions = useRevisions(50);
  const refused = revisions.data?.refused;
  // Whether one was refused is not known before.
  if (revisions.isPending) return null;
  return (
    <>
      {refused && (
        <Section title="Refused" aside={clock.time(Date.parse(refused.at), Date.now())}>
          <Problems problems={refused.problems} word="error" />
        </Section>
      )}
      <Section title="Revisions of the map" aside="newest first">
        <Failure error={revisions.error} />
        <ol className={`${styles.time} ${styles.revisions}`}>
          {revisions.data?.revisions.map((one) => (
            <li key={one.revision}>
              <b>{one.revision}</b>
              <time dateTime={one.at}>{clock.day(Date.parse(one.at))}</time>
              <div>
                {one.summary} <span className="quiet">{one.commit?.slice(0, 7) ?? one.hash.slice(0, 8)}</span>
                {one.diff && <Diff diff={one.diff} />}
              </div>
            </li>
          ))}
        </ol>
      </Section>
    </>
  );
}

function Diff({ diff }: { diff: RevisionDiff }) {
  const { changes, changes_total, affected, affected_total, teams } = diff;
  if (changes_total === 0) return <p className="quiet">Nothing changes in effect.</p>;
  return (
    <details>
      <summary>
        {changes_total} {changes_total === 1 ? "change" : "changes"} in effect
        {affected_total > 0 ? `, ${affected_total} ${affected_total === 1 ? "fails" : "fail"} otherwise than before` : ""}
      </summary>
      <ul>
        {changes.map((change) => (
          <li key={change}>{change}</li>
        ))}
      </ul>
      {changes_total > changes.length && <p>and {changes_total - changes.length} more</p>}
      {affected.length > 0 && (
        <p>
          Otherwise than before: {affected.join(", ")}
          {affected_total > affected.length ? ` and ${affected_total - affected.length} more` : ""}.
        </p>
      )}
      {teams.length > 0 && <p>To be asked: {teams.join(", ")}.</p>}
    </details>
  );
}
