import type { LabelFinding } from "headwater/contract";
import { useState } from "react";
import { Link } from "wouter";
import { copyText } from "../effects/copy.ts";
import { useClock } from "../effects/settings.ts";
import { joinEvidence, type Names } from "../model/headline.ts";
import { evidenceWords } from "../model/labels.ts";
import { round } from "../model/stats.ts";
import { inNames } from "../model/timeline.ts";
import styles from "./findings.module.css";
import { Sentences } from "./Lead.tsx";

/** Outages named one by one beneath a finding. */
const MOMENTS = 4;

/** What speaks against some labels of one team, each with its evidence and a patch to take. */
export function Findings({ findings, names }: { findings: readonly LabelFinding[]; names: Names }) {
  return (
    <ul className={styles.findings}>
      {findings.map((finding) => (
        <li key={finding.id} data-finding={finding.kind}>
          <h3>
            <Link className="link" href={`/nodes/${encodeURIComponent(finding.from)}`} data-cursor="">
              {names(finding.from)}
            </Link>{" "}
            → {finding.to === null ? (finding.component ?? "") : names(finding.to)}
            <span className={styles.level}>
              {finding.level}, {finding.confidence.toFixed(2)}
            </span>
          </h3>
          <p>{inNames(names)(joinEvidence([finding.text]))}</p>
          <Evidence finding={finding} />
          <Patch finding={finding} />
        </li>
      ))}
    </ul>
  );
}

function Evidence({ finding }: { finding: LabelFinding }) {
  const clock = useClock();
  const counted = evidenceWords(finding, round);
  const { moments } = finding.evidence;
  if (counted.length === 0 && moments.length === 0) return null;
  return (
    <p className={styles.evidence}>
      <Sentences text={counted.join("; ")} />
      {moments.length > 0 &&
        `${counted.length > 0 ? ". " : ""}The latest: ${moments
          .slice(0, MOMENTS)
          .map((one) => `${clock.day(Date.parse(one.from))} for ${round(Date.parse(one.to) - Date.parse(one.from))}`)
          .join(", ")}.`}
    </p>
  );
}

function Patch({ finding }: { finding: LabelFinding }) {
  const [copied, setCopied] = useState<boolean | null>(null);
  const { patch } = finding;
  if (!patch) {
    return (
      <p className={styles.evidence}>
        {finding.by_hand ?? "No patch."} {finding.file}:{finding.line}
      </p>
    );
  }
  return (
    <details className={styles.patch}>
      <summary>
        Patch for {patch.file}:{patch.line}
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <pre tabIndex={0}>
        {patch.diff.split("\n").map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of a fixed text, which may be equal
          <span key={index} className={line.startsWith("+") && !line.startsWith("+++") ? styles.added : styles.line}>
            {line}
            {"\n"}
          </span>
        ))}
      </pre>
      <button type="button" className="link" onClick={() => void copyText(patch.diff).then(setCopied)}>
        {copied === null ? "Copy the patch" : copied ? "Copied" : "Not allowed"}
      </button>{" "}
      <span className="quiet">for git apply in the configuration folder</span>
    </details>
  );
}
