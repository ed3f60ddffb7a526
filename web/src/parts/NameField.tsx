import type { Writer } from "../effects/writer.ts";
import styles from "./dialog.module.css";

/** Asks for a name where no login tells it. */
export function NameField({ writer }: { writer: Writer }) {
  if (!writer.asks) return null;
  return (
    <label className={styles.field}>
      Your name
      <input name="name" autoComplete="name" maxLength={80} value={writer.name} onChange={(event) => writer.setName(event.target.value)} />
    </label>
  );
}
