import { useEffect, useRef, useState } from "react";
import { useBoard } from "../api/boardQueries.ts";
import { useCut } from "../api/live.ts";
import { useBoardTab, useNames, useOpen } from "../effects/board.ts";
import { useNewBuild } from "../effects/build.ts";
import { useClock } from "../effects/settings.ts";
import { useWakeLock } from "../effects/wakeLock.ts";
import {
  alsoSentence,
  areTaken,
  BLIND,
  byCause,
  headlineOf,
  joinEvidence,
  LEVEL_WORDS,
  moreOpen,
  quietHeadline,
  sinceItsOnset,
  whoHas,
} from "../model/headline.ts";
import { notices } from "../model/notices.ts";
import { faceOf, lookOf, markOf } from "../model/status.ts";
import { duration } from "../model/time.ts";
import { inNames } from "../model/timeline.ts";
import type { Board, Incident, NodeView } from "../model/types.ts";
import { chooseForWall, leftWords } from "../model/wall.ts";
import { Ago, ClockText, Lasting } from "../parts/Ago.tsx";
import headlineStyles from "../parts/headline.module.css";
import { bandOf, Sentences } from "../parts/Lead.tsx";
import { Glyph, Mark } from "../parts/Mark.tsx";
import { ConnectionBanner, LiveDot } from "../parts/Masthead.tsx";
import styles from "./wall.module.css";

/** Further incidents that are named; the rest is a count. */
const ALSO = 3;

/** The board for a screen on a wall: nothing to click, read from six metres. */
export function WallPage() {
  useWakeLock();
  useBoardTab(null);
  // A wall is touched by nobody: a new build is taken over by loading it.
  const outdated = useNewBuild();
  useEffect(() => {
    if (outdated) location.reload();
  }, [outdated]);
  const board = useBoard();
  const lost = useCut();
  const still = useStillPointer();
  return (
    <div className={`${styles.wall} ${lost ? styles.lost : ""} ${still ? styles.still : ""}`}>
      <ConnectionBanner />
      <main>{board ? <Loaded board={board} /> : <p>Loading the board.</p>}</main>
      <footer className={styles.foot}>
        <span>
          <b>Headwater</b> {board?.site}
        </span>
        <span>
          <LiveDot />
          {board && board.freshness.oldest_age_ms !== null && `, oldest answer ${duration(board.freshness.oldest_age_ms)}`}
        </span>
        <WallClock />
      </footer>
    </div>
  );
}

function WallClock() {
  const clock = useClock();
  return (
    <span>
      <b>
        <ClockText format={clock.minute} />
      </b>{" "}
      <ClockText format={clock.zone} />
    </span>
  );
}

function Loaded({ board }: { board: Board }) {
  const clock = useClock();
  const names = useNames(board.nodes);
  const open = useOpen(board);
  const first = board.freshness.blind ? undefined : open.find((one) => one.kind !== "maintenance");
  const headline = first ? headlineOf(first, board.nodes, names) : board.freshness.blind ? BLIND : quietHeadline(board);
  const others = open.filter((one) => one !== first && one.kind !== "maintenance");
  const also = others.slice(0, ALSO).map((one) => alsoSentence(one, board.nodes, names, first));
  const more = others.length - ALSO;
  if (more > 0) also.push(moreOpen(more));
  const own = notices(board, clock.minute).map((notice) => notice.title);
  const start = first?.cause?.first_seen ?? first?.opened_at;
  return (
    <>
      <section
        className={`${bandOf(headline.tone, areTaken(open))} ${styles.lead} ${headline.tone === "quiet" ? styles.calm : ""}`}
        data-tone={headline.tone}
      >
        <div className={styles.grid}>
          <h1 className={headlineStyles.say}>
            <Mark symbol={headline.symbol} tone={headline.markTone} className={headlineStyles.mark} />
            <em>{headline.first}</em> {headline.second && <span>{headline.second}</span>}
          </h1>
          {start && (
            <p className={styles.age}>
              <b>
                <Lasting since={start} />
              </b>
              first sign {clock.minute(Date.parse(start))} {clock.zone(Date.parse(start))}
            </p>
          )}
        </div>
        {first && (
          <p className={styles.who}>
            <b>{whoHas(first, clock.until)}</b> {first.acked?.note}
          </p>
        )}
        <p className={styles.why}>
          {first?.cause && (
            <Sentences text={`${LEVEL_WORDS[first.cause.level]}: ${inNames(names)(joinEvidence(first.cause.why.slice(0, 1)))}`} />
          )}{" "}
          {[...also, ...own].join(" ")}
        </p>
      </section>
      <section className={styles.systems} aria-label="Systems">
        {board.systems.map((system) => {
          const look = lookOf(system.status);
          const hollow =
            look.rank > 0 && look.word !== "unknown" && open.some((one) => one.cause && one.systems.some((each) => each.id === system.id));
          return (
            <div key={system.id}>
              <Mark symbol={hollow ? look.hollow : look.solid} tone={hollow ? "grey" : look.word} className={styles.small} />
              <b>{system.name}</b>
              <span>{look.word}</span>
              {system.coverage.known < system.coverage.total && (
                <span className={styles.partial}>
                  {system.coverage.known} of {system.coverage.total}
                </span>
              )}
            </div>
          );
        })}
      </section>
      <WallNodes board={board} open={open} />
    </>
  );
}

const COLUMNS = 4;
/** Of the width of the screen: the height of a row. */
const ROW = 0.021;

/** As many nodes as the rest of the screen holds: nobody scrolls a wall. */
function WallNodes({ board, open }: { board: Board; open: readonly Incident[] }) {
  const ref = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(Number.POSITIVE_INFINITY);
  useEffect(() => {
    const place = ref.current;
    if (!place) return;
    const measure = (): void => {
      const phone = innerWidth <= 640;
      setRoom(phone ? Number.POSITIVE_INFINITY : Math.floor(place.clientHeight / (innerWidth * ROW)) * COLUMNS);
    };
    const observer = new ResizeObserver(measure);
    observer.observe(place);
    return () => observer.disconnect();
  }, []);
  const clock = useClock();
  const choice = chooseForWall(board.nodes, room);
  const left = leftWords(choice);
  const causes = byCause(open);
  return (
    <>
      <div ref={ref} className={styles.rest}>
        <ul className={styles.all}>
          {choice.shown.map((one) => {
            const caused = causes.get(one.id);
            return (
              <WallNode
                key={one.id}
                node={sinceItsOnset(one, caused)}
                severity={caused?.severity}
                taken={caused?.acked ? whoHas(caused, clock.until) : null}
              />
            );
          })}
        </ul>
      </div>
      <p className={styles.left}>{left}</p>
    </>
  );
}

interface WallNodeProps {
  node: NodeView;
  /** Of the incident that it causes, and who has that. */
  severity: Incident["severity"] | undefined;
  taken: string | null;
}

function WallNode({ node, severity, taken }: WallNodeProps) {
  const face = faceOf(node);
  const hot = face === "cause" || face === "own" || face === "unknown";
  return (
    <li
      className={`${hot ? styles.hot : ""} ${face === "cause" && node.status === "unhealthy" && severity !== "info" ? styles.cause : ""}`}
    >
      <Mark {...markOf(node, severity)} className={styles.small} />
      <span className={styles.name}>
        {node.name}
        {taken !== null && <Glyph name="taken" title={taken} />}
      </span>
      <span>
        {face === "unknown" && "unknown "}
        {face === "maintenance" && "work "}
        {face !== "healthy" && node.since !== null && <Ago at={node.since} />}
      </span>
    </li>
  );
}

function useStillPointer(): boolean {
  const [still, setStill] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const move = (): void => {
      setStill(false);
      clearTimeout(timer);
      timer = setTimeout(() => setStill(true), 3_000);
    };
    addEventListener("pointermove", move);
    return () => {
      removeEventListener("pointermove", move);
      clearTimeout(timer);
    };
  }, []);
  return still;
}
