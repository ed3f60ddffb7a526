import { type FormEvent, useState } from "react";
import { useMapCheck } from "../api/mapQueries.ts";
import forms from "./form.module.css";
import { Problems } from "./Problems.tsx";
import { Failure, Section } from "./Section.tsx";

/** Checks map text as if the file stood in the folder; nothing is applied. */
export function MapCheckBox() {
  const check = useMapCheck();
  const [file, setFile] = useState("map/change.yaml");
  const [text, setText] = useState("");
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    check.mutate({ file, text });
  };
  const { data } = check;
  return (
    <Section title="Check a change" aside="nothing is applied">
      <form className={forms.form} onSubmit={submit}>
        <label>
          As the file
          <input value={file} maxLength={200} onChange={(event) => setFile(event.target.value)} />
        </label>
        <label>
          Its text
          <textarea value={text} spellCheck={false} maxLength={1_000_000} onChange={(event) => setText(event.target.value)} />
        </label>
        <p className={forms.row}>
          <button type="submit" className={`solid ${forms.do} ${forms.main}`} disabled={check.isPending || text.trim() === ""}>
            Check
          </button>
          <span role="status">
            {data &&
              (data.errors.length === 0
                ? "It would be accepted."
                : `${data.errors.length} ${data.errors.length === 1 ? "mistake" : "mistakes"}: it would be refused.`)}
          </span>
        </p>
      </form>
      <Failure error={check.error} />
      {data && <Problems problems={data.errors} word="error" />}
      {data && <Problems problems={data.warnings} word="warning" />}
    </Section>
  );
}
