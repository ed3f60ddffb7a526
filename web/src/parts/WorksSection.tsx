import { useBoard } from "../api/boardQueries.ts";
import { useMayWrite } from "../api/sessionQueries.ts";
import { useEndWork, useWorks } from "../api/workQueries.ts";
import { useActs } from "../effects/acts.tsx";
import { useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { useNow } from "../effects/ticker.ts";
import { worksOn } from "../model/works.ts";
import forms from "./form.module.css";
import { Failure, Section } from "./Section.tsx";
import tables from "./table.module.css";

/** Work under way and to come; `node` shows only what concerns it. */
export function WorksSection({ node }: { node?: string }) {
  const acts = useActs();
  const clock = useClock();
  const names = useNames(useBoard()?.nodes);
  const mayWrite = useMayWrite();
  const works = useWorks();
  const end = useEndWork();
  const at = useNow(30_000);
  const shown = (works.data?.maintenance ?? []).filter((work) => node === undefined || work.nodes.includes(node));
  if (node !== undefined && shown.length === 0) return null;
  return (
    <Section
      title="Announced work"
      aside={
        node === undefined && mayWrite ? (
          <span className={forms.acts}>
            <button type="button" onClick={() => acts.work([])}>
              Announce work<kbd>w</kbd>
            </button>
          </span>
        ) : undefined
      }
    >
      <Failure error={works.error ?? end.error} />
      {works.data && shown.length === 0 && <p className="quiet">None is under way or to come.</p>}
      {shown.length > 0 && (
        <table className={tables.table}>
          <tbody>
            {shown.map((work) => {
              const { id } = work;
              return (
                <tr key={`${id}${work.from}${work.reason}`}>
                  <th scope="row">{worksOn(work, names)}</th>
                  <td>
                    {work.reason}
                    {work.by && <span className="quiet">, {work.by}</span>}
                  </td>
                  <td className={tables.num}>
                    {Date.parse(work.from) > at ? `${clock.day(Date.parse(work.from))} to ` : "until "}
                    {clock.day(Date.parse(work.to))}
                  </td>
                  <td className={tables.num}>
                    {id === null ? (
                      <span className="quiet">in the map</span>
                    ) : (
                      mayWrite && (
                        <button type="button" className="link" disabled={end.isPending} onClick={() => end.mutate(id)}>
                          {Date.parse(work.from) > at ? "call off" : "end now"}
                        </button>
                      )
                    )}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      )}
    </Section>
  );
}
