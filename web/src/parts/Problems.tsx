import type { Problem } from "headwater/contract";
import { sectionStyles as styles } from "./Section.tsx";

/** Mistakes with their places, as `check` prints them. */
export function Problems({ problems, word }: { problems: readonly Problem[]; word: "error" | "warning" }) {
  if (problems.length === 0) return null;
  return (
    <ul className={styles.problems}>
      {problems.slice(0, 200).map((problem) => (
        <li key={`${problem.file}${problem.line}${problem.column}${problem.code}${problem.message}`}>
          <b>
            {problem.file}:{problem.line}:{problem.column}
          </b>{" "}
          {word} {problem.code}: {problem.message}
        </li>
      ))}
    </ul>
  );
}
