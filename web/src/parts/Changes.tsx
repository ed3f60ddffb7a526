import type { ChangeView } from "headwater/contract";
import { useBoard } from "../api/boardQueries.ts";
import { useMayWrite } from "../api/sessionQueries.ts";
import { useChanges } from "../api/workQueries.ts";
import { useActs } from "../effects/acts.tsx";
import { useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import forms from "./form.module.css";
import { Failure, Section } from "./Section.tsx";
import tables from "./table.module.css";

/** Changes this young are listed. */
export const CHANGE_DAYS = 7;
const MOST = 20;

/** Deploys and other changes that somebody marked lately. */
export function ChangesSection() {
  const acts = useActs();
  const mayWrite = useMayWrite();
  const changes = useChanges(CHANGE_DAYS);
  const list = changes.data?.changes ?? [];
  return (
    <Section
      title="Marked changes"
      aside={
        mayWrite ? (
          <span className={forms.acts}>
            <button type="button" onClick={() => acts.mark(null)}>
              Mark a change<kbd>m</kbd>
            </button>
          </span>
        ) : undefined
      }
    >
      <Failure error={changes.error} />
      {changes.data && list.length === 0 && <p className="quiet">None in {CHANGE_DAYS} days.</p>}
      {list.length > 0 && <ChangeTable changes={list} />}
    </Section>
  );
}

/** Changes, newest first: when, where, what, by whom. */
export function ChangeTable({ changes }: { changes: readonly Omit<ChangeView, "by">[] }) {
  const clock = useClock();
  const names = useNames(useBoard()?.nodes);
  return (
    <table className={tables.table}>
      <tbody>
        {changes.slice(0, MOST).map((change) => (
          <tr key={`${change.at}${change.node}${change.text}`}>
            <td className={tables.when}>{clock.day(Date.parse(change.at))}</td>
            <th scope="row">{change.node === null ? "everywhere" : names(change.node)}</th>
            <td>
              {change.text}
              {change.link && (
                <>
                  {" "}
                  <a className="link" href={change.link} rel="noreferrer" aria-label="what was marked">
                    ↗
                  </a>
                </>
              )}
              {"by" in change && typeof change.by === "string" && <span className="quiet">, {change.by}</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
