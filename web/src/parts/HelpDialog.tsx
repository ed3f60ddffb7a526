import { useBoardPart } from "../api/boardQueries.ts";
import { useLogout, useSession, useVersion } from "../api/sessionQueries.ts";
import { Dialog } from "./Dialog.tsx";
import styles from "./dialog.module.css";

const KEYS = [
  ["/", "filter by name, team or tag"],
  ["j k", "next and previous row"],
  ["o Enter", "open it"],
  ["a", "acknowledge the incident"],
  ["n", "add a note to it"],
  ["c", "copy it as Markdown"],
  ["m", "mark a change, on the row or everywhere"],
  ["w", "announce work"],
  ["← →", "in a replay: the event before, the next one"],
  ["g b", "go to the board"],
  ["g i", "go to the incidents"],
  ["g m", "go to the map"],
  ["g l", "go to the labels"],
  ["g h", "go to the history"],
  ["g c", "go to the configuration"],
  ["t", "wall view, and back"],
  ["u", "times in UTC, and back"],
  ["?", "this sheet"],
] as const;

export default function HelpDialog({ onClose }: { onClose: () => void }) {
  const version = useVersion(useBoardPart((board) => board.boot)).data;
  const session = useSession().data;
  const logout = useLogout();
  return (
    <Dialog label="Keys" onClose={onClose}>
      <div className={styles.help}>
        <h2>Keys</h2>
        <dl className={styles.keys}>
          {KEYS.map(([keys, words]) => (
            <div key={keys} className={styles.pair}>
              <dt>
                {keys.split(" ").map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{words}</dd>
            </div>
          ))}
        </dl>
        <p>
          A filled mark is a fault that needs someone; a hollow one is explained by another, or alerts nobody. Hatched time is time we did
          not see.
        </p>
        {version && (
          <p>
            Headwater {version.version}
            {version.commit ? `, ${version.commit.slice(0, 7)}` : ""}
          </p>
        )}
        {session?.user && session.auth !== "none" && (
          <p>
            You are {session.user.name ?? "logged in"}, {session.user.role}.{" "}
            {session.auth === "tokens" && (
              <button type="button" className="link" onClick={() => logout.mutate()}>
                Log out
              </button>
            )}
          </p>
        )}
        <p>
          <button type="button" className={styles.do} onClick={onClose}>
            Close
          </button>
        </p>
      </div>
    </Dialog>
  );
}
