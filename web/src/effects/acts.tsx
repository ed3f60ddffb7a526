import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { now } from "../api/now.ts";
import { fetchIncident, getBoard, useMayWrite } from "../api/queries.ts";
import { namesOf } from "../model/headline.ts";
import { incidentMarkdown } from "../model/markdown.ts";
import type { Incident } from "../model/types.ts";
import { AckDialog } from "../parts/AckDialog.tsx";
import { NoteDialog } from "../parts/NoteDialog.tsx";
import { copyText } from "./copy.ts";
import { useKey } from "./keys.ts";

/** What can be done with an incident, from anywhere on the page. */
export interface Acts {
  acknowledge(incident: Incident): void;
  note(incident: Incident): void;
  copy(incident: Incident): void;
  /** The last copy, for saying so. */
  copied: { id: number; done: boolean } | null;
}

const ActsContext = createContext<Acts | null>(null);

export function useActs(): Acts {
  const acts = useContext(ActsContext);
  if (!acts) throw new Error("useActs outside of ActsProvider");
  return acts;
}

/** Holds the two dialogs, so that they survive every update of the page behind them. */
export function ActsProvider({ children }: { children: ReactNode }) {
  const [open, setOpen] = useState<{ kind: "ack" | "note"; incident: Incident } | null>(null);
  const [copied, setCopied] = useState<Acts["copied"]>(null);
  const close = useCallback(() => setOpen(null), []);
  const acts = useMemo<Acts>(
    () => ({
      acknowledge: (incident) => setOpen({ kind: "ack", incident }),
      note: (incident) => setOpen({ kind: "note", incident }),
      copy(incident) {
        void copyIncident(incident).then((done) => {
          setCopied({ id: incident.id, done });
          setTimeout(() => setCopied(null), 4_000);
        });
      },
      copied,
    }),
    [copied],
  );
  return (
    <ActsContext value={acts}>
      {children}
      {open?.kind === "ack" && <AckDialog incident={open.incident} onClose={close} />}
      {open?.kind === "note" && <NoteDialog incident={open.incident} onClose={close} />}
      <p className="vh" role="status">
        {copied && (copied.done ? `Incident ${copied.id} copied as Markdown.` : "The browser did not allow copying.")}
      </p>
    </ActsContext>
  );
}

/** Where the fuller story cannot be had, what the board knows is copied. */
async function copyIncident(incident: Incident): Promise<boolean> {
  const detail = await fetchIncident(incident.id).catch(() => undefined);
  const names = namesOf(getBoard()?.nodes ?? []);
  const link = new URL(`incidents/${incident.id}`, document.baseURI).href;
  return copyText(incidentMarkdown(detail ?? incident, { names, now: now(), link, detail }));
}

/** Binds a, n and c to an incident; on a list, to the row that has the focus first. */
export function useActKeys(incident: Incident | undefined, incidents: readonly Incident[] = []): void {
  const acts = useActs();
  const chosen = (): Incident | undefined => {
    const id = Number(document.activeElement?.closest("[data-incident]")?.getAttribute("data-incident"));
    return incidents.find((one) => one.id === id) ?? incident;
  };
  const bind = (act: (incident: Incident) => void): (() => void) | null =>
    incident || incidents.length > 0
      ? () => {
          const target = chosen();
          if (target) act(target);
        }
      : null;
  const mayWrite = useMayWrite();
  useKey("a", mayWrite ? bind(acts.acknowledge) : null);
  useKey("n", mayWrite ? bind(acts.note) : null);
  useKey("c", bind(acts.copy));
}
