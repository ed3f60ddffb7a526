import { type FormEvent, useState } from "react";
import { useAcknowledge, useSession } from "../api/queries.ts";
import { changeSettings, useClock, useSettings } from "../effects/settings.ts";
import type { Incident } from "../model/types.ts";
import { Dialog } from "./Dialog.tsx";
import styles from "./dialog.module.css";

const EXPIRIES = [
  ["30m", "for 30 minutes"],
  ["1h", "for 1 hour"],
  ["4h", "for 4 hours"],
  ["", "until it ends or worsens"],
] as const;

/** Takes an incident, with a name, a note and an end; or gives up one that is taken. */
export function AckDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const settings = useSettings();
  const known = useSession().data?.user?.name ?? null;
  const clock = useClock();
  const [name, setName] = useState(settings.name);
  const [note, setNote] = useState("");
  const [expiry, setExpiry] = useState<string>("30m");
  const ack = useAcknowledge(incident.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!known) changeSettings({ name: name.trim() });
    ack.mutate(
      {
        ...(!known && name.trim() ? { name: name.trim() } : {}),
        ...(note.trim() ? { note: note.trim() } : {}),
        ...(expiry ? { expires_in: expiry } : {}),
      },
      { onSuccess: onClose },
    );
  };
  return (
    <Dialog label={`Acknowledge incident ${incident.id}`} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <h2>Take incident {incident.id}</h2>
        {incident.acked && (
          <p>
            {incident.acked.by} has it{incident.acked.until ? ` until ${clock.minute(Date.parse(incident.acked.until))}` : ""}. Yours
            replaces it.
          </p>
        )}
        {!known && (
          <label className={styles.field}>
            Your name
            <input name="name" autoComplete="name" maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
          </label>
        )}
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
        {ack.error && (
          <p className={styles.error} role="alert">
            {ack.error.message}
          </p>
        )}
        <p className={styles.acts}>
          <button type="submit" className={`solid ${styles.do} ${styles.main}`} disabled={ack.isPending}>
            Acknowledge
          </button>
          {incident.acked && (
            <button type="button" className={styles.do} onClick={() => ack.mutate({ clear: true }, { onSuccess: onClose })}>
              Give up
            </button>
          )}
          <button type="button" className="link" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
