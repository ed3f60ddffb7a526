import { type FormEvent, useState } from "react";
import { useAddNote, useSession } from "../api/queries.ts";
import { changeSettings, useSettings } from "../effects/settings.ts";
import type { Incident } from "../model/types.ts";
import { Dialog } from "./Dialog.tsx";
import styles from "./dialog.module.css";

/** Adds a line to an incident's timeline. */
export function NoteDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const settings = useSettings();
  const known = useSession().data?.user?.name ?? null;
  const [name, setName] = useState(settings.name);
  const [text, setText] = useState("");
  const add = useAddNote(incident.id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!known) changeSettings({ name: name.trim() });
    add.mutate({ text: text.trim(), ...(!known && name.trim() ? { name: name.trim() } : {}) }, { onSuccess: onClose });
  };
  return (
    <Dialog label={`Note for incident ${incident.id}`} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <h2>Note for incident {incident.id}</h2>
        <label className={styles.field}>
          Note
          <input name="text" required maxLength={4_000} value={text} onChange={(event) => setText(event.target.value)} />
        </label>
        {!known && (
          <label className={styles.field}>
            Your name
            <input name="name" autoComplete="name" maxLength={80} value={name} onChange={(event) => setName(event.target.value)} />
          </label>
        )}
        {add.error && (
          <p className={styles.error} role="alert">
            {add.error.message}
          </p>
        )}
        <p className={styles.acts}>
          <button type="submit" className={`solid ${styles.do} ${styles.main}`} disabled={add.isPending || text.trim() === ""}>
            Add note
          </button>
          <button type="button" className="link" onClick={onClose}>
            Cancel
          </button>
        </p>
      </form>
    </Dialog>
  );
}
