import { type ReactNode, useEffect, useRef } from "react";

/** The platform's own modal dialog: focus stays inside, Escape closes, focus goes back to where it was. */
export function Dialog({ label, onClose, children }: { label: string; onClose: () => void; children: ReactNode }) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const dialog = ref.current;
    const before = document.activeElement;
    if (!dialog?.open) dialog?.showModal();
    return () => {
      if (before instanceof HTMLElement || before instanceof SVGElement) before.focus();
    };
  }, []);
  return (
    <dialog ref={ref} aria-label={label} onClose={onClose}>
      {children}
    </dialog>
  );
}
