import { type ReactNode, useId } from "react";
import { ApiError } from "../api/client.ts";
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

/** Whether the server knows nothing of that name. */
export const isNotFound = (error: Error): boolean => error instanceof ApiError && error.code === "not_found";

/** Instead of a page: there is nothing of that name, or why it could not be had. */
export function Missing({ what, error = null }: { what: string; error?: Error | null }) {
  if (error && !isNotFound(error)) return <Failure error={error} />;
  return <h1 className={styles.title}>There is no such {what}.</h1>;
}

export { styles as sectionStyles };
