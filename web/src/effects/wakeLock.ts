import { useEffect } from "react";

/** Keeps a wall's screen on, where the browser can; asks again whenever the page is seen again. */
export function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined;
    const take = (): void => {
      if (document.visibilityState === "visible") {
        navigator.wakeLock?.request("screen").then(
          (taken) => {
            lock = taken;
          },
          () => undefined,
        );
      }
    };
    take();
    document.addEventListener("visibilitychange", take);
    return () => {
      document.removeEventListener("visibilitychange", take);
      lock?.release().catch(() => undefined);
    };
  }, []);
}
