import { useState } from "react";
import { useAcknowledge } from "../api/incidentQueries.ts";
import { useSession } from "../api/sessionQueries.ts";
import { useClock } from "../effects/settings.ts";
import { useWriter } from "../effects/writer.ts";
import type { Incident } from "../model/types.ts";
import { FormDialog, dialogStyles as styles } from "./FormDialog.tsx";
import { NameField } from "./NameField.tsx";

const EXPIRIES = [
  ["30m", "for 30 minutes"],
  ["1h", "for 1 hour"],
  ["4h", "for 4 hours"],
  ["", "until it ends or worsens"],
] as const;

/** Takes an incident, with a name, a note and an end; or gives up one that is taken. */
export function AckDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const clock = useClock();
  const writer = useWriter();
  const me = useSession().data?.user?.name ?? writer.name;
  // Whoever only changes for how long they have it goes on doing what they do.
  const [note, setNote] = useState(incident.acked?.by === me ? (incident.acked.note ?? "") : "");
  const [expiry, setExpiry] = useState<string>("30m");
  const ack = useAcknowledge(incident.id);
  const { acked } = incident;
  const submit = (): void =>
    ack.mutate(
      { ...writer.sign(), ...(note.trim() ? { note: note.trim() } : {}), ...(expiry ? { expires_in: expiry } : {}) },
      { onSuccess: onClose },
    );
  return (
    <FormDialog
      label={`Acknowledge incident ${incident.id}`}
      title={`Take incident ${incident.id}`}
      act="Acknowledge"
      ready={!ack.isPending}
      error={ack.error}
      onSubmit={submit}
      onClose={onClose}
      more={
        acked && (
          <button type="button" className={styles.do} onClick={() => ack.mutate({ ...writer.sign(), clear: true }, { onSuccess: onClose })}>
            Give up
          </button>
        )
      }
    >
      {acked && (
        <p>
          {acked.by} has it{acked.until ? ` until ${clock.until(Date.parse(acked.until))}` : ""}
          {acked.note ? `: ${acked.note}` : ""}. Yours replaces it.
        </p>
      )}
      <NameField writer={writer} />
      <label className={styles.field}>
        What you do about it
        <input name="note" maxLength={4_000} value={note} onChange={(event) => setNote(event.target.value)} />
      </label>
      <label className={styles.field}>
        It holds
        <select name="expires" value={expiry} onChange={(event) => setExpiry(event.target.value)}>
          {EXPIRIES.map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
    </FormDialog>
  );
}
