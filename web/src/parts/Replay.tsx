import type { IncidentDetail } from "headwater/contract";
import { Link } from "wouter";
import { now } from "../api/now.ts";
import { useKey } from "../effects/keys.ts";
import { useClock } from "../effects/settings.ts";
import { eventLine } from "../model/eventWords.ts";
import type { Names } from "../model/headline.ts";
import { replayRange } from "../model/replay.ts";
import { duration } from "../model/time.ts";
import { ClockText } from "./Ago.tsx";
import styles from "./replay.module.css";

interface Props {
  incident: IncidentDetail;
  /** The moment shown, epoch milliseconds; null is now. */
  at: number | null;
  onMove: (at: number | null) => void;
  names: Names;
}

/** Scrubs through an incident: by second with the slider, by event with the two buttons or the arrow keys. */
export function Replay({ incident, at, onMove, names }: Props) {
  const clock = useClock();
  const start = Date.parse(incident.opened_at);
  const { from, to: end } = replayRange(incident, now());
  const moments = [...new Set(incident.events.map((event) => Date.parse(event.at)).filter((one) => one >= from && one <= end))].sort(
    (a, b) => a - b,
  );
  const here = at ?? end;
  const step = (forward: boolean): void => {
    const next = forward ? moments.find((one) => one > here) : moments.findLast((one) => one < here);
    onMove(next ?? (forward ? null : from));
  };
  useKey("ArrowLeft", () => step(false));
  useKey("ArrowRight", () => step(true));
  const latest = incident.events.filter((event) => Date.parse(event.at) <= here).sort((a, b) => b.at.localeCompare(a.at))[0];
  const latestAt = latest && clock.time(Date.parse(latest.at), here);
  return (
    <div className={styles.replay}>
      <button type="button" onClick={() => step(false)} aria-label="Event before">
        ◀
      </button>
      <input
        type="range"
        aria-label="Moment shown"
        aria-valuetext={at === null ? "now" : clock.time(here)}
        min={from}
        max={end}
        step={1_000}
        value={here}
        onChange={(event) => onMove(Number(event.target.value))}
        onKeyDown={(event) => {
          // By event like everywhere on the page; with shift by second, as the slider itself does.
          if (event.shiftKey || (event.key !== "ArrowLeft" && event.key !== "ArrowRight")) return;
          event.preventDefault();
          step(event.key === "ArrowRight");
        }}
      />
      <button type="button" onClick={() => step(true)} aria-label="Event after">
        ▶
      </button>
      <b>
        {at === null ? (
          <>
            now, <ClockText format={clock.time} />
          </>
        ) : (
          `${clock.time(here, Date.now())}, ${here < start ? "−" : "+"}${duration(Math.abs(here - start))}`
        )}
      </b>
      <span>{latest && `${latestAt === clock.time(here, here) && at !== null ? "" : latestAt} ${eventLine(latest, names)}`.trim()}</span>
      {at !== null && (
        <Link className="link" href={`/?at=${new Date(here).toISOString()}`}>
          the board then
        </Link>
      )}
      {at !== null && (
        <button type="button" className="link" onClick={() => onMove(null)}>
          back to now
        </button>
      )}
    </div>
  );
}
