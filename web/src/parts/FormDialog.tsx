import type { FormEvent, ReactNode } from "react";
import { Dialog } from "./Dialog.tsx";
import styles from "./dialog.module.css";

interface Props {
  label: string;
  title: string;
  /** The word on the black button. */
  act: string;
  ready: boolean;
  error: Error | null;
  onSubmit: () => void;
  onClose: () => void;
  /** Further acts beside it. */
  more?: ReactNode;
  children: ReactNode;
}

/** A dialog that asks a few things and does one. */
export function FormDialog({ label, title, act, ready, error, onSubmit, onClose, more, children }: Props) {
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (ready) onSubmit();
  };
  return (
    <Dialog label={label} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <h2>{title}</h2>
        {children}
        {error && (
          <p className={styles.error} role="alert">
            {error.message}
          </p>
        )}
        <p className={styles.acts}>
          <button type="submit" className={`solid ${styles.do} ${styles.main}`} disabled={!ready}>
            {act}
          </button>
          {more}
          <button type="button" className="link" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}

export { styles as dialogStyles };
