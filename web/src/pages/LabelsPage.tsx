import type { Labels } from "headwater/contract";
import { useLocation, useSearch } from "wouter";
import { useBoard } from "../api/boardQueries.ts";
import { useLabels, useSinglePoints } from "../api/mapQueries.ts";
import { useBoardTab, useNames } from "../effects/board.ts";
import { useClock } from "../effects/settings.ts";
import { FINDING_WORDS, historyWords, type LabelFilter, labelsByTeam, NOBODY, parseLabelFilter } from "../model/labels.ts";
import { setting } from "../model/time.ts";
import { Pick } from "../parts/FilterBar.tsx";
import { Findings } from "../parts/Findings.tsx";
import filterStyles from "../parts/filter.module.css";
import { LabelTable } from "../parts/LabelTable.tsx";
import { Revisions } from "../parts/Revisions.tsx";
import { Failure, Section, sectionStyles as styles } from "../parts/Section.tsx";
import { SinglePoints } from "../parts/SinglePoints.tsx";

/** What people declare about each dependency, where history and reports speak against it, and how the map came to be. */
export function LabelsPage() {
  useBoardTab("Labels");
  const labels = useLabels();
  return (
    <>
      {labels.data ? (
        <Declared labels={labels.data} />
      ) : (
        <>
          <h1 className={styles.title}>Labels</h1>
          {labels.error ? <Failure error={labels.error} /> : <p className="quiet">Loading the labels.</p>}
          {labels.error && <Aside />}
        </>
      )}
    </>
  );
}

function Declared({ labels }: { labels: Labels }) {
  const clock = useClock();
  const search = new URLSearchParams(useSearch());
  const [, navigate] = useLocation();
  const names = useNames(useBoard()?.nodes);
  const filter = parseLabelFilter(search);
  const teams = labelsByTeam(labels, filter);
  const go = (key: string, value: string | null): void => {
    if (value) search.set(key, value);
    else search.delete(key);
    navigate(`/labels${search.size > 0 ? `?${search}` : ""}`, { replace: true });
  };
  const total = labels.findings_total;
  return (
    <>
      <h1 className={styles.title}>
        {total === 0
          ? "No label is in doubt."
          : total === 1
            ? "1 label is in doubt."
            : `${total} doubts about ${labels.edges.length} labels.`}
      </h1>
      <p className={styles.sub}>
        A label is a decision: how much a service needs what it depends on, who answers for that, and when it was last looked at. History{" "}
        {historyWords(labels, clock.date)} was held against them; a review is old after {setting(labels.review_after_ms)}.
      </p>
      <Bar labels={labels} filter={filter} onGo={go} />
      <div className={styles.cols}>
        <div>
          {teams.length === 0 && <p className={styles.sub}>Nothing answers to this filter.</p>}
          {teams.map((team) => (
            <Section
              key={team.key}
              title={team.name}
              aside={[
                ...(team.contact ? [team.contact] : []),
                `${team.findings.length} in doubt of ${team.labels} ${team.labels === 1 ? "label" : "labels"}`,
              ].join(", ")}
            >
              {filter.view === "all" ? (
                <LabelTable edges={team.edges} names={names} />
              ) : (
                <Findings findings={team.findings} names={names} />
              )}
            </Section>
          ))}
        </div>
        <Aside />
      </div>
    </>
  );
}

/** What concerns the map as a whole, beside the labels; how many points there are is not known before. */
function Aside() {
  const points = useSinglePoints();
  return (
    <div>
      <SinglePoints />
      {!points.isPending && <Revisions />}
    </div>
  );
}

interface BarProps {
  labels: Labels;
  filter: LabelFilter;
  onGo: (key: string, value: string | null) => void;
}

function Bar({ labels, filter, onGo }: BarProps) {
  const kinds = new Set(labels.findings.map((one) => one.kind));
  return (
    <search className={filterStyles.filter}>
      <button type="button" aria-pressed={filter.view === "findings"} onClick={() => onGo("show", null)}>
        In doubt {labels.findings_total}
      </button>
      <button type="button" aria-pressed={filter.view === "all"} onClick={() => onGo("show", "all")}>
        All labels {labels.edges.length}
      </button>
      <span className={filterStyles.end}>
        <Pick
          label="team"
          value={filter.team}
          options={labels.teams.map((team) => [team.team ?? NOBODY, team.team === null ? "no owner" : team.name])}
          onPick={(team) => onGo("team", team)}
        />
        {filter.view === "findings" && (
          <Pick
            label="doubt"
            value={filter.kind}
            options={[...kinds].map((kind) => [kind, FINDING_WORDS[kind]])}
            onPick={(kind) => onGo("kind", kind)}
          />
        )}
      </span>
    </search>
  );
}
