import { useState } from "react";
import { useAddNote } from "../api/incidentQueries.ts";
import { useWriter } from "../effects/writer.ts";
import type { Incident } from "../model/types.ts";
import { FormDialog, dialogStyles as styles } from "./FormDialog.tsx";
import { NameField } from "./NameField.tsx";

/** Adds a line to an incident's timeline. */
export function NoteDialog({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const writer = useWriter();
  const [text, setText] = useState("");
  const add = useAddNote(incident.id);
  return (
    <FormDialog
      label={`Note for incident ${incident.id}`}
      title={`Note for incident ${incident.id}`}
      act="Add note"
      ready={!add.isPending && text.trim() !== ""}
      error={add.error}
      onSubmit={() => add.mutate({ text: text.trim(), ...writer.sign() }, { onSuccess: onClose })}
      onClose={onClose}
    >
      <label className={styles.field}>
        Note
        <input name="text" required maxLength={4_000} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <NameField writer={writer} />
    </FormDialog>
  );
}
