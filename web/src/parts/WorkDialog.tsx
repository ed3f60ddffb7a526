import { useState } from "react";
import { now } from "../api/now.ts";
import { useAnnounceWork } from "../api/workQueries.ts";
import { useWriter } from "../effects/writer.ts";
import { FormDialog, dialogStyles as styles } from "./FormDialog.tsx";
import { NameField } from "./NameField.tsx";

const HOUR = 3_600_000;
const LASTS = [
  [0.5 * HOUR, "30 minutes"],
  [HOUR, "1 hour"],
  [2 * HOUR, "2 hours"],
  [4 * HOUR, "4 hours"],
  [8 * HOUR, "8 hours"],
  [24 * HOUR, "1 day"],
] as const;

interface Props {
  chosen: readonly string[];
  nodes: readonly { id: string; name: string }[];
  onClose: () => void;
}

/** Announces work on some nodes: what fails there in that time alerts nobody, and still explains its victims. */
export default function WorkDialog({ chosen, nodes, onClose }: Props) {
  const writer = useWriter();
  const announce = useAnnounceWork();
  const [on, setOn] = useState<readonly string[]>(chosen);
  const [reason, setReason] = useState("");
  const [begins, setBegins] = useState("");
  const [lasts, setLasts] = useState<number>(HOUR);
  const names = new Map(nodes.map((one) => [one.id, one.name]));
  const from = begins === "" ? null : Date.parse(begins);
  const submit = (): void =>
    announce.mutate(
      {
        nodes: [...on],
        reason: reason.trim(),
        ...(from === null ? {} : { from: new Date(from).toISOString() }),
        to: new Date((from ?? now()) + lasts).toISOString(),
        ...writer.sign(),
      },
      { onSuccess: onClose },
    );
  return (
    <FormDialog
      label="Announce work"
      title="Announce work"
      act="Announce"
      ready={!announce.isPending && on.length > 0 && reason.trim() !== ""}
      error={announce.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <label className={styles.field}>
        On
        <select
          name="nodes"
          value=""
          onChange={(event) => {
            if (!on.includes(event.target.value)) setOn([...on, event.target.value]);
          }}
        >
          <option value="" disabled>
            {on.length === 0 ? "choose what is worked on" : "and also"}
          </option>
          {nodes.map((one) => (
            <option key={one.id} value={one.id} disabled={on.includes(one.id)}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      {on.length > 0 && (
        <ul className={styles.chosen} aria-label="Worked on">
          {on.map((id) => (
            <li key={id}>
              {names.get(id) ?? id}{" "}
              <button
                type="button"
                className="link"
                aria-label={`Leave out ${names.get(id) ?? id}`}
                onClick={() => setOn(on.filter((one) => one !== id))}
              >
                leave out
              </button>
            </li>
          ))}
        </ul>
      )}
      <label className={styles.field}>
        What is done
        <input name="reason" required maxLength={400} value={reason} onChange={(event) => setReason(event.target.value)} />
      </label>
      <label className={styles.field}>
        Begins, in this browser’s time; empty is now
        <input name="from" type="datetime-local" value={begins} onChange={(event) => setBegins(event.target.value)} />
      </label>
      <label className={styles.field}>
        Lasts
        <select name="lasts" value={lasts} onChange={(event) => setLasts(Number(event.target.value))}>
          {LASTS.map(([ms, words]) => (
            <option key={ms} value={ms}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <NameField writer={writer} />
    </FormDialog>
  );
}
