import { useEffect } from "react";

export type Favicon = "healthy" | "degraded" | "unhealthy" | "unknown" | "offline";

/** Sets the tab's title and icon: shape and words change together. */
export function useTab(title: string, favicon: Favicon): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    document.getElementById("favicon")?.setAttribute("href", `./favicon/${favicon}.svg`);
  }, [favicon]);
}
