import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { getBoard, useBoard } from "../api/boardQueries.ts";
import { fetchIncident } from "../api/incidentQueries.ts";
import { now } from "../api/now.ts";
import { useMayWrite } from "../api/sessionQueries.ts";
import { namesOf } from "../model/headline.ts";
import { incidentMarkdown } from "../model/markdown.ts";
import type { Incident } from "../model/types.ts";
import { AckDialog } from "../parts/AckDialog.tsx";
import { NoteDialog } from "../parts/NoteDialog.tsx";
import { copyText } from "./copy.ts";
import { useKey } from "./keys.ts";

const MarkDialog = lazy(() => import("../parts/MarkDialog.tsx"));
const WorkDialog = lazy(() => import("../parts/WorkDialog.tsx"));

/** What can be done with an incident or a node, from anywhere on the page. */
export interface Acts {
  acknowledge(incident: Incident): void;
  note(incident: Incident): void;
  copy(incident: Incident): void;
  /** Marks a change on a node, or everywhere. */
  mark(node: string | null): void;
  /** Announces work on some nodes. */
  work(nodes: readonly string[]): void;
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
  const [open, setOpen] = useState<Open | null>(null);
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
      mark: (node) => setOpen({ kind: "mark", nodes: node === null ? [] : [node] }),
      work: (nodes) => setOpen({ kind: "work", nodes }),
      copied,
    }),
    [copied],
  );
  // Who goes back leaves the page that was asked about.
  useEffect(() => {
    addEventListener("popstate", close);
    return () => removeEventListener("popstate", close);
  }, [close]);
  const mayWrite = useMayWrite();
  useKey("m", mayWrite ? () => acts.mark(focusedNode()) : null);
  useKey("w", mayWrite ? () => acts.work([focusedNode() ?? []].flat()) : null);
  return (
    <ActsContext value={acts}>
      {children}
      {(open?.kind === "mark" || open?.kind === "work") && <NodeDialog open={open} onClose={close} />}
      {open?.kind === "ack" && <AckDialog incident={open.incident} onClose={close} />}
      {open?.kind === "note" && <NoteDialog incident={open.incident} onClose={close} />}
      <p className="vh" role="status">
        {copied && (copied.done ? `Incident ${copied.id} copied as Markdown.` : "The browser did not allow copying.")}
      </p>
    </ActsContext>
  );
}

type Open = { kind: "ack" | "note"; incident: Incident } | { kind: "mark" | "work"; nodes: readonly string[] };

/** The node of the row that has the focus, or the one that the page is about. */
function focusedNode(): string | null {
  const place = document.activeElement?.closest("[data-node]") ?? document.querySelector("[data-page-node]");
  return place?.getAttribute("data-node") ?? place?.getAttribute("data-page-node") ?? null;
}

function NodeDialog({ open, onClose }: { open: { kind: "mark" | "work"; nodes: readonly string[] }; onClose: () => void }) {
  const nodes = useBoard()?.nodes ?? [];
  return (
    <Suspense>
      {open.kind === "mark" ? (
        <MarkDialog node={open.nodes[0] ?? null} nodes={nodes} onClose={onClose} />
      ) : (
        <WorkDialog chosen={open.nodes} nodes={nodes} onClose={onClose} />
      )}
    </Suspense>
  );
}

/** Where the fuller story cannot be had, what the board knows is copied. */
async function copyIncident(incident: Incident): Promise<boolean> {
  const detail = await fetchIncident(incident.id).catch(() => undefined);
  const board = getBoard();
  const link = new URL(`incidents/${incident.id}`, document.baseURI).href;
  return copyText(incidentMarkdown(detail ?? incident, { names: namesOf(board?.nodes ?? []), now: now(), link, detail, board }));
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
