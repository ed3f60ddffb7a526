import { Link, useLocation } from "wouter";
import { useBoardPart } from "../api/boardQueries.ts";
import { loginPath } from "../api/client.ts";
import { stream, useConnection } from "../api/live.ts";
import { useSession } from "../api/sessionQueries.ts";
import { type Connection, isCut } from "../api/stream.ts";
import { toggleTheme, toggleUtc, useClock } from "../effects/settings.ts";
import { age, duration } from "../model/time.ts";
import { ClockText } from "./Ago.tsx";
import styles from "./masthead.module.css";

const PAGES = [
  ["/", "Board"],
  ["/incidents", "Incidents"],
  ["/map", "Map"],
  ["/labels", "Labels"],
  ["/history", "History"],
  ["/config", "Config"],
] as const;

/** For this long after coming back it is said how long we were away. */
const NOTED = 60_000;

function isHere(href: string, path: string): boolean {
  if (href === "/") return path === "/" || path.startsWith("/nodes/");
  return path === href || path.startsWith(`${href}/`);
}

/** One line: where we are, whether it is live, the time. */
export function Masthead({ onHelp }: { onHelp: () => void }) {
  const [path] = useLocation();
  const site = useBoardPart((board) => board.site);
  const clock = useClock();
  return (
    <header className={styles.mast}>
      <Link className={styles.site} href="/">
        Headwater <span>{site}</span>
      </Link>
      <nav className={styles.nav} aria-label="Pages">
        {PAGES.map(([href, word]) => (
          <Link key={href} href={href} data-text={word} aria-current={isHere(href, path) ? "page" : undefined}>
            {word}
          </Link>
        ))}
      </nav>
      <div className={styles.right}>
        <LiveDot />
        <ClockText className={styles.desk} format={(now) => clock.zoned(now, now)} />
        <button type="button" aria-pressed={clock.utc} onClick={toggleUtc} title="Show times in UTC (u)">
          UTC
        </button>
        <button type="button" className="noprint" onClick={toggleTheme}>
          Theme
        </button>
        <button type="button" className={styles.desk} onClick={onHelp} aria-label="Keys and help">
          ?
        </button>
      </div>
    </header>
  );
}

export function LiveDot() {
  const connection = useConnection();
  if (connection.kind === "lost") return <span className={`${styles.live} ${styles.lost}`}>not connected</span>;
  if (connection.kind === "refused") return <span className={`${styles.live} ${styles.lost}`}>signed out</span>;
  if (connection.kind === "connecting") return <span className={`${styles.live} ${styles.lost}`}>connecting</span>;
  const heard = connection.heardAt ?? 0;
  const { returned } = connection;
  return (
    <span className={styles.live}>
      <ClockText
        format={() => {
          const away = returned && Date.now() - returned.at < NOTED && returned.away >= 1_000;
          return `live, ${away ? `was offline ${duration(returned.away)}` : age(Date.now() - heard)}`;
        }}
      />
    </span>
  );
}

/** The black bar: nothing below it is known to be true now. */
export function ConnectionBanner() {
  const connection = useConnection();
  const [path] = useLocation();
  // Before the login nothing is owed an answer.
  if (!isCut(connection) || path === "/login") return null;
  return (
    <section className={`solid ${styles.offline}`} aria-label="Connection">
      {connection.kind === "refused" ? <Refused heardAt={connection.heardAt} /> : <Lost connection={connection} />}
    </section>
  );
}

function Lost({ connection: { heardAt, retryAt } }: { connection: Connection }) {
  const clock = useClock();
  return (
    <>
      <span className="vh" role="alert">
        Not connected.
      </span>
      {heardAt === null ? (
        <span>Headwater has not answered yet.</span>
      ) : (
        <>
          <b>
            Not connected for <ClockText format={() => duration(Date.now() - heardAt)} />.
          </b>
          <span>What you see is from {clock.zoned(heardAt, Date.now())}.</span>
        </>
      )}
      <span className={styles.retry}>
        <ClockText
          format={() => ((retryAt ?? 0) > Date.now() ? `Retrying in ${duration((retryAt ?? 0) - Date.now() + 999)}.` : "Retrying.")}
        />
        <button type="button" onClick={stream.retry}>
          now
        </button>
      </span>
    </>
  );
}

/** The server answers, but not to us: a session ends after a while. Behind a proxy the page itself is the way to its login. */
function Refused({ heardAt }: { heardAt: number | null }) {
  const clock = useClock();
  const proxied = useSession().data?.auth === "proxy";
  return (
    <>
      <b role="alert">Your session has ended.</b>
      {heardAt !== null && <span>What you see is from {clock.zoned(heardAt, Date.now())}.</span>}
      {proxied ? <a href={location.href}>Sign in again</a> : <Link href={loginPath()}>Sign in again</Link>}
    </>
  );
}
