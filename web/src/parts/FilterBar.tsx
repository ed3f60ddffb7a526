import { useRef } from "react";
import { useKey } from "../effects/keys.ts";
import { type Filters, SHOW_WORDS, SHOWS, type Show } from "../model/filter.ts";
import styles from "./filter.module.css";

interface Props {
  filters: Filters;
  onChange: (change: Partial<Filters>) => void;
  counts: Record<Show, number>;
  teams: readonly string[];
  systems: readonly { id: string; name: string }[];
  /** Values of each tag, by key. */
  tags: ReadonlyMap<string, readonly string[]>;
  grouping: string;
}

/** Text, not buttons: the words with their counts, and where to look. */
export function FilterBar({ filters, onChange, counts, teams, systems, tags, grouping }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useKey("/", () => input.current?.focus());
  const digits = `digits${Math.min(5, String(counts.all).length)}`;
  const groups = [["team", "team"], ["system", "system"], ...[...tags.keys()].map((key) => [`tag:${key}`, key]), ["none", "none"]] as [
    string,
    string,
  ][];
  return (
    <search className={styles.filter}>
      <input
        ref={input}
        type="search"
        placeholder="/ filter by name, team, tag"
        aria-label="Filter by name, team or tag"
        value={filters.q}
        maxLength={200}
        onChange={(event) => onChange({ q: event.target.value })}
        onKeyDown={(event) => {
          if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
        }}
      />
      {SHOWS.map((show) => (
        <button
          type="button"
          key={show}
          className={show !== "all" && counts[show] === 0 && show !== filters.show ? styles.none : undefined}
          aria-pressed={filters.show === show}
          onClick={() => onChange({ show })}
        >
          {SHOW_WORDS[show]} <span className={`${styles.count} ${styles[digits] ?? ""}`}>{counts[show]}</span>
        </button>
      ))}
      <span className={styles.end}>
        {teams.length > 0 && (
          <Pick label="team" value={filters.team} options={teams.map((team) => [team, team])} onPick={(team) => onChange({ team })} />
        )}
        {systems.length > 0 && (
          <Pick
            label="system"
            value={filters.system}
            options={systems.map((one) => [one.id, one.name])}
            onPick={(system) => onChange({ system })}
          />
        )}
        {[...tags]
          .filter(([key]) => grouping !== `tag:${key}`)
          .slice(0, 2)
          .map(([key, values]) => {
            const chosen = filters.tag?.startsWith(`${key}:`) ? filters.tag : null;
            return (
              <Pick
                key={key}
                label={key}
                value={chosen}
                options={values.map((value) => [`${key}:${value}`, value])}
                onPick={(tag) => onChange({ tag })}
              />
            );
          })}
        <Pick label="group" value={grouping} options={groups} onPick={(group) => onChange({ group })} always />
        <button
          type="button"
          onClick={() => onChange({ view: filters.view === "rows" ? "tiles" : "rows" })}
          aria-label={`View as ${filters.view === "rows" ? "tiles" : "rows"}`}
        >
          {filters.view === "rows" ? "tiles" : "rows"}
        </button>
      </span>
    </search>
  );
}

interface PickProps {
  label: string;
  value: string | null;
  options: readonly (readonly [string, string])[];
  onPick: (value: string | null) => void;
  /** One is always chosen. */
  always?: boolean;
}

/** One choice of the filter line, as words. */
export function Pick({ label, value, options, onPick, always = false }: PickProps) {
  return (
    <span className={`${styles.pick} ${value !== null && !always ? styles.chosen : ""}`}>
      <select aria-label={label} value={value ?? ""} onChange={(event) => onPick(event.target.value === "" ? null : event.target.value)}>
        {!always && <option value="">{label}: any</option>}
        {options.map(([key, words]) => (
          <option key={key} value={key}>
            {label}: {words}
          </option>
        ))}
        {value !== null && !options.some(([key]) => key === value) && (
          <option value={value}>
            {label}: {value}
          </option>
        )}
      </select>
    </span>
  );
}
