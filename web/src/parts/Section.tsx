import { type ReactNode, useId } from "react";
import styles from "./section.module.css";

/** A section of an inner page. */
export function Section({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  const id = useId();
  return (
    <section className={styles.sec} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && aside !== null && <span className={styles.aside}>{aside}</span>}
      </div>
      {children}
    </section>
  );
}

/** What a failed question says, in the server's words. */
export function Failure({ error }: { error: Error | null }) {
  if (!error) return null;
  return (
    <p className={styles.error} role="alert">
      {error.message}
    </p>
  );
}

export { styles as sectionStyles };
