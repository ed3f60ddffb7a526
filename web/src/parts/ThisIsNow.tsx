import { now } from "../api/now.ts";
import { useClock } from "../effects/settings.ts";
import { parseMoment, pastMoment } from "../model/time.ts";
import styles from "./past.module.css";

/** Where an address asks for a moment (`asked`) that cannot be shown: what is shown instead, and why. */
export function ThisIsNow({ asked }: { asked: string | null }) {
  const clock = useClock();
  const at = parseMoment(asked);
  if (asked === null || pastMoment(asked, now()) !== null) return null;
  return (
    <p className={styles.past}>
      <b>This is now.</b>{" "}
      {at === null
        ? "The address asks for a moment that cannot be read: write it as 2026-10-24T09:15:00Z."
        : `The address asks for ${clock.day(at)} ${clock.zone(at)}, which is yet to come.`}
    </p>
  );
}

export { styles as pastStyles };
