import forms from "./form.module.css";

/** Shows the whole of a list of which the first are shown; nothing where all are. */
export function More({ of, onMore }: { of: number; onMore: (() => void) | null }) {
  if (!onMore) return null;
  return (
    <p className={forms.acts}>
      <button type="button" onClick={onMore}>
        All {of}
      </button>
    </p>
  );
}
