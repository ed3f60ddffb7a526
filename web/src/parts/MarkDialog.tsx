import { useState } from "react";
import { now } from "../api/now.ts";
import { useMarkChange } from "../api/workQueries.ts";
import { useWriter } from "../effects/writer.ts";
import { FormDialog, dialogStyles as styles } from "./FormDialog.tsx";
import { NameField } from "./NameField.tsx";

const AGO = [
  [0, "now"],
  [5, "5 minutes ago"],
  [15, "15 minutes ago"],
  [30, "30 minutes ago"],
  [60, "an hour ago"],
] as const;

interface Props {
  node: string | null;
  nodes: readonly { id: string; name: string }[];
  onClose: () => void;
}

/** Marks a deploy or another change, for timelines and for the reasons of what fails after it. */
export default function MarkDialog({ node, nodes, onClose }: Props) {
  const writer = useWriter();
  const mark = useMarkChange();
  const [text, setText] = useState("");
  const [where, setWhere] = useState(node ?? "");
  const [link, setLink] = useState("");
  const [ago, setAgo] = useState(0);
  const submit = (): void =>
    mark.mutate(
      {
        text: text.trim(),
        ...(where ? { node: where } : {}),
        ...(link.trim() ? { link: link.trim() } : {}),
        ...(ago > 0 ? { at: new Date(now() - ago * 60_000).toISOString() } : {}),
        ...writer.sign(),
      },
      { onSuccess: onClose },
    );
  return (
    <FormDialog
      label="Mark a change"
      title="Mark a change"
      act="Mark"
      ready={!mark.isPending && text.trim() !== ""}
      error={mark.error}
      onSubmit={submit}
      onClose={onClose}
    >
      <label className={styles.field}>
        What changed
        <input name="text" required maxLength={400} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <label className={styles.field}>
        Where
        <select name="node" value={where} onChange={(event) => setWhere(event.target.value)}>
          <option value="">everywhere</option>
          {nodes.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.field}>
        When
        <select name="ago" value={ago} onChange={(event) => setAgo(Number(event.target.value))}>
          {AGO.map(([minutes, words]) => (
            <option key={minutes} value={minutes}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <label className={styles.field}>
        Link, if there is one
        <input name="link" type="url" maxLength={2_000} value={link} onChange={(event) => setLink(event.target.value)} />
      </label>
      <NameField writer={writer} />
    </FormDialog>
  );
}
