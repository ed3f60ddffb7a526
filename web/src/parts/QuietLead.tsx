import { Link } from "wouter";
import { useIncidents } from "../api/incidentQueries.ts";
import { useStrips } from "../api/timeQueries.ts";
import { useClock } from "../effects/settings.ts";
import { dayFacts, dayWords } from "../model/day.ts";
import { BLIND, type Names, quietHeadline, whatFailed } from "../model/headline.ts";
import { duration, setting } from "../model/time.ts";
import type { Board } from "../model/types.ts";
import { Lasting } from "./Ago.tsx";
import { Lead, Sentences } from "./Lead.tsx";
import { Fact, Proof, proofStyles } from "./Proof.tsx";

/** The board without an incident: all is well, or we say what we cannot tell. */
export function QuietLead({ board, names, below, work }: { board: Board; names: Names; below?: React.ReactNode; work?: React.ReactNode }) {
  const clock = useClock();
  const blind = board.freshness.blind;
  const headline = blind ? BLIND : quietHeadline(board);
  const strips = useStrips().data;
  return (
    <Lead headline={headline} label={blind ? "Blind" : "No incident"} size={blind ? undefined : "calm"} below={below} under={work}>
      <Proof>
        {blind ? <BlindProof board={board} /> : <QuietProof board={board} names={names} />}
        <Fact label="24 h">{strips ? dayWords(dayFacts(strips), clock.minute) : "\u00a0"}</Fact>
      </Proof>
    </Lead>
  );
}

function QuietProof({ board, names }: { board: Board; names: Names }) {
  const recent = useIncidents({ limit: 20 });
  // The board knows of the newest before the list that was asked for does.
  const last = [...board.incidents, ...(recent.data?.incidents ?? [])]
    .filter(({ resolved_at, kind, end }) => resolved_at !== null && kind !== "maintenance" && end !== "absorbed")
    .sort((a, b) => (b.resolved_at ?? "").localeCompare(a.resolved_at ?? ""))[0];
  const { freshness, coverage } = board;
  return (
    <>
      <Fact label="for" className={proofStyles.for}>
        {last?.resolved_at ? (
          <>
            <b>
              <Lasting since={last.resolved_at} />
            </b>
            <span>
              since the last incident:{" "}
              <Link className="link" href={`/incidents/${last.id}`}>
                {whatFailed(last, names)}, {setting(Date.parse(last.resolved_at) - Date.parse(last.opened_at))}
              </Link>
            </span>
          </>
        ) : (
          <>
            <b>–</b>
            <span key="none">{recent.isPending ? "\u00a0" : "No incident on record."}</span>
          </>
        )}
      </Fact>
      <Fact label="fresh">
        {freshness.oldest_age_ms === null ? (
          "No answer yet."
        ) : (
          <>
            Oldest answer <b>{duration(freshness.oldest_age_ms)}</b>.
          </>
        )}{" "}
        <Sentences
          text={`${coverage.known} of ${coverage.total} are known${freshness.stale_nodes > 0 ? `, ${freshness.stale_nodes} stale` : ""}.`}
        />
      </Fact>
    </>
  );
}

/** What we knew last, and why we say that the trouble is ours. */
function BlindProof({ board }: { board: Board }) {
  const age = board.freshness.oldest_age_ms;
  const counts = new Map<string, number>();
  for (const node of board.nodes) if (node.last_known) counts.set(node.last_known.status, (counts.get(node.last_known.status) ?? 0) + 1);
  const known = [...counts].map(([status, count]) => `${count} ${status}`);
  return (
    <>
      <Fact label="for" className={proofStyles.for}>
        <b>{age === null ? "–" : <Lasting since={Date.parse(board.generated_at) - age} />}</b>
        <span>since the oldest answer</span>
      </Fact>
      <Fact label="why">
        <b>Our own network is the likely cause.</b> Services on several hosts fail without a connection, and none that still answers reports
        new trouble.
      </Fact>
      <Fact label="before">
        {known.length > 0 ? `Last known: ${known.join(", ")}.` : "Nothing was known before."} No incident is opened or ended meanwhile.
      </Fact>
    </>
  );
}
