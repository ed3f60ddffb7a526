import type { ReactNode } from "react";
import styles from "./proof.module.css";

/** Evidence as labelled lines; `long` where it has a page to itself. */
export function Proof({ long = false, children }: { long?: boolean; children: ReactNode }) {
  return <dl className={`${styles.proof} ${long ? styles.long : ""}`}>{children}</dl>;
}

interface FactProps {
  label: string;
  /** What does not count most. */
  weak?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

export function Fact({ label, weak = false, className, children }: FactProps) {
  return (
    <div className={weak ? styles.weak : undefined}>
      <dt>{label}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}

export { styles as proofStyles };
