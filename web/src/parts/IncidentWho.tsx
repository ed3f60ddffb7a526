import type { IncidentDetail } from "headwater/contract";
import { type FormEvent, useState } from "react";
import { Link } from "wouter";
import { useAcknowledge, useAddNote } from "../api/incidentQueries.ts";
import { useNode } from "../api/nodeQueries.ts";
import { useMayWrite } from "../api/sessionQueries.ts";
import { useActs } from "../effects/acts.tsx";
import { useClock } from "../effects/settings.ts";
import { useWriter } from "../effects/writer.ts";
import { whereToLook } from "../model/headline.ts";
import { Left } from "./Ago.tsx";
import forms from "./form.module.css";
import { leadStyles } from "./Lead.tsx";
import { NodeLinks } from "./NodeLinks.tsx";
import { Failure, Section } from "./Section.tsx";

/** Who has the incident and until when, a place for notes, and what can be done with it. */
export function IncidentWho({ detail }: { detail: IncidentDetail }) {
  const clock = useClock();
  const { acked } = detail;
  const over = detail.status === "resolved";
  return (
    <Section
      title="Who has it"
      aside={
        acked?.until && !over ? (
          <>
            ends in <Left until={acked.until} />
          </>
        ) : undefined
      }
    >
      <p>
        {acked ? (
          <>
            <b>{acked.by}</b> since {clock.time(Date.parse(acked.at), Date.now())}
            {acked.note ? `: ${acked.note}` : ""}
          </>
        ) : (
          <b>{over ? "Nobody took it." : "Nobody has it yet."}</b>
        )}
      </p>
      <Owner node={whereToLook(detail)} />
      <NoteForm detail={detail} />
      <IncidentActs detail={detail} />
    </Section>
  );
}

/** Whose the cause is, and where they are reached. */
function Owner({ node }: { node: string }) {
  const detail = useNode(node, 60_000).data;
  const team = detail?.node.team;
  return (
    <p className="quiet">
      {team ? (
        <>
          {detail.node.name} is of{" "}
          <Link className="link" href={`/?team=${encodeURIComponent(team)}`}>
            {team}
          </Link>
          {detail.contact && `, ${detail.contact}`}.
        </>
      ) : (
        "\u00a0"
      )}
    </p>
  );
}

/** A line for the timeline; who writes is asked once, where the server does not know it. */
function NoteForm({ detail }: { detail: IncidentDetail }) {
  const writer = useWriter();
  const mayWrite = useMayWrite();
  const note = useAddNote(detail.id);
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (text.trim() !== "") note.mutate({ text: text.trim(), ...writer.sign() }, { onSuccess: () => setText("") });
  };
  if (!mayWrite) return null;
  return (
    <>
      <form className={forms.note} onSubmit={submit}>
        {writer.asks && !writer.named && (
          <input
            className={forms.name}
            placeholder="Your name"
            aria-label="Your name"
            autoComplete="name"
            maxLength={80}
            value={writer.name}
            onChange={(event) => writer.setName(event.target.value)}
          />
        )}
        <input
          placeholder="Add a note"
          aria-label="Add a note"
          maxLength={4_000}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button
          type="submit"
          className={`${forms.do} ${detail.acked || detail.status === "resolved" ? `solid ${forms.main}` : ""}`}
          disabled={note.isPending}
        >
          Add note
        </button>
      </form>
      <Failure error={note.error} />
    </>
  );
}

function IncidentActs({ detail }: { detail: IncidentDetail }) {
  const acts = useActs();
  const writer = useWriter();
  const mayWrite = useMayWrite();
  const ack = useAcknowledge(detail.id);
  const node = whereToLook(detail);
  const links = useNode(node, 60_000).data?.links ?? {};
  const { acked } = detail;
  const over = detail.status === "resolved";
  return (
    <>
      <p className={`${forms.acts} ${leadStyles.thumb}`}>
        {mayWrite && !acked && !over && (
          <button type="button" className={`solid ${forms.do} ${forms.main}`} onClick={() => acts.acknowledge(detail)}>
            Acknowledge<kbd>a</kbd>
          </button>
        )}
        {mayWrite && acked && !over && (
          <>
            <button
              type="button"
              onClick={() => ack.mutate({ ...writer.sign(), ...(acked.note ? { note: acked.note } : {}), expires_in: "30m" })}
            >
              Extend by 30 m
            </button>
            <button type="button" onClick={() => ack.mutate({ ...writer.sign(), clear: true })}>
              Give up
            </button>
          </>
        )}
        <button type="button" onClick={() => acts.copy(detail)}>
          {acts.copied?.id === detail.id ? (acts.copied.done ? "Copied" : "Not allowed") : "Copy as Markdown"}
          <kbd>c</kbd>
        </button>
      </p>
      <p className={forms.acts}>
        <Link href={`/map?incident=${detail.id}`}>Replay on the map</Link>
        {mayWrite && (
          <button type="button" onClick={() => acts.mark(node)}>
            Mark a change<kbd>m</kbd>
          </button>
        )}
        <NodeLinks links={links} />
      </p>
      <Failure error={ack.error} />
    </>
  );
}
