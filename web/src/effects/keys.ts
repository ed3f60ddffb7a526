import { useLayoutEffect, useRef } from "react";

type Action = () => void;

const actions = new Map<string, Action[]>();
const GO_TIME = 1_500;
let goAt = Number.NEGATIVE_INFINITY;

const INERT = "input, textarea, select, [contenteditable]";

function act(key: string, event: KeyboardEvent): boolean {
  const action = actions.get(key)?.at(-1);
  if (!action) return false;
  event.preventDefault();
  action();
  return true;
}

/** Starts listening for the page's keys: inert in inputs, in dialogs, and with modifiers. Returns the undo. */
export function startKeys(): () => void {
  const listen = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest(INERT) || document.querySelector("dialog[open]")) return;
    const { key } = event;
    if (event.timeStamp - goAt < GO_TIME) {
      goAt = Number.NEGATIVE_INFINITY;
      if (act(`g ${key}`, event)) return;
    }
    if (key === "g") {
      goAt = event.timeStamp;
      return;
    }
    act(key, event);
  };
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen);
}

/** Binds a key (`a`, `/`, `?`, `g b`) while the component is there; the last one to bind it wins. Null binds nothing. */
export function useKey(key: string, action: Action | null): void {
  const latest = useRef(action);
  latest.current = action;
  const bound = action !== null;
  useLayoutEffect(() => {
    if (!bound) return;
    const run = (): void => latest.current?.();
    const list = actions.get(key) ?? [];
    actions.set(key, [...list, run]);
    return () => {
      actions.set(
        key,
        (actions.get(key) ?? []).filter((one) => one !== run),
      );
    };
  }, [key, bound]);
}

/** Moves the focus by `step` among the rows of the page, in the order in which they stand. */
export function moveCursor(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("[data-cursor]")].filter((row) => row.offsetParent !== null);
  const here = rows.indexOf(document.activeElement as HTMLElement);
  const next = here === -1 ? (step === 1 ? 0 : rows.length - 1) : Math.min(rows.length - 1, Math.max(0, here + step));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: "nearest" });
}

/** Opens the row that has the focus. */
export function openCursor(): void {
  // Links of a picture are no HTML elements: they have no `click` of their own.
  const row = document.activeElement?.closest("[data-cursor]");
  row?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}
