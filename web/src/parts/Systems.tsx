import { Link } from "wouter";
import { lookOf } from "../model/status.ts";
import type { Incident, SystemView } from "../model/types.ts";
import { Mark } from "./Mark.tsx";
import styles from "./systems.module.css";

/** What users of the product see: a word each, and how much of it is known. */
export function Systems({ systems, open }: { systems: readonly SystemView[]; open: readonly Incident[] }) {
  if (systems.length === 0) return null;
  const explained = new Set(open.flatMap((incident) => (incident.cause ? incident.systems.map((one) => one.id) : [])));
  return (
    <section className={styles.systems} aria-label="Systems">
      {systems.map((system) => {
        const look = lookOf(system.status);
        const hollow = look.rank > 0 && look.word !== "unknown" && explained.has(system.id);
        const { known, total } = system.coverage;
        return (
          <div key={system.id} className={styles.system}>
            <Mark symbol={hollow ? look.hollow : look.solid} tone={hollow ? "grey" : look.word} />
            <Link href={`/?system=${encodeURIComponent(system.id)}`} title={system.name}>
              <b>{system.name}</b>
            </Link>
            <span>{look.word}</span>
            <span className={`${styles.known} ${known < total ? styles.partial : ""}`}>
              {known} of {total}
              <span> known</span>
            </span>
          </div>
        );
      })}
    </section>
  );
}
